// Linear replacements on memmem and like_match.
#include "db/sqlite_functions.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/like_match.h"
#include "db/sqlite_budget.h"
#include "db/sqlite_printf.h"

namespace toolpost::db {
namespace {

const LibSqlite& Lite() { return LibSqlite::Loaded(); }

struct Replacement {
  const char* name;
  int arguments;
  void (*function)(sqlite3_context*, int, sqlite3_value**);
  int variant;  // of the function
};

int VariantOf(sqlite3_context* context) {
  return static_cast<const Replacement*>(Lite().user_data(context))->variant;
}

bool IsNull(sqlite3_value* value) { return Lite().value_type(value) == SQLITE_NULL; }
bool IsBlob(sqlite3_value* value) { return Lite().value_type(value) == SQLITE_BLOB; }

std::string_view TextOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(Lite().value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(Lite().value_bytes(value))};
}

std::string_view BytesOf(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(Lite().value_blob(value));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(Lite().value_bytes(value))};
}

void ReturnText(sqlite3_context* context, std::string_view text) {
  Lite().result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// memmem of glibc is linear; std::string_view::find is not.
std::size_t FindIn(std::string_view text, std::string_view part, std::size_t from) {
  const char* const begin = text.data() + from;
  const std::size_t size = text.size() - from;
  const void* found = part.size() == 1 ? memchr(begin, part[0], size)
                                       : memmem(begin, size, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

constexpr int kLongText = 4096;

// Many long ones may stand in one row, where nothing else looks at the time.
bool EndsLate(sqlite3_context* context, sqlite3_value** arguments, int count) {
  int bytes = 0;
  for (int i = 0; i < count; ++i) bytes = std::max(bytes, Lite().value_bytes(arguments[i]));
  if (bytes <= kLongText || !SqliteBudget::Late()) return false;
  Lite().result_error_nomem(context);
  return true;
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

void Instr(sqlite3_context* context, int count, sqlite3_value** arguments) {
  if (IsNull(arguments[0]) || IsNull(arguments[1])) return;
  if (EndsLate(context, arguments, count)) return;
  const bool bytes = IsBlob(arguments[0]) && IsBlob(arguments[1]);
  const std::string_view text = bytes ? BytesOf(arguments[0]) : TextOf(arguments[0]);
  const std::string_view part = bytes ? BytesOf(arguments[1]) : TextOf(arguments[1]);
  if (part.empty()) return Lite().result_int64(context, 1);
  std::size_t found = text.empty() ? std::string_view::npos : FindIn(text, part, 0);
  if (found == std::string_view::npos) return Lite().result_int64(context, 0);
  std::int64_t position = 1;
  for (std::size_t i = 0; i < found; ++i) position += bytes || !IsContinuation(text[i]) ? 1 : 0;
  Lite().result_int64(context, position);
}

void Replace(sqlite3_context* context, int count, sqlite3_value** arguments) {
  if (IsNull(arguments[0]) || IsNull(arguments[1])) return;
  if (EndsLate(context, arguments, count)) return;
  const std::string_view text = TextOf(arguments[0]);
  const std::string_view part = TextOf(arguments[1]);
  if (part.empty()) return Lite().result_value(context, arguments[0]);
  if (IsNull(arguments[2])) return;
  const std::string_view with = TextOf(arguments[2]);
  if (text.empty()) return ReturnText(context, text);
  const int limit = Lite().limit(Lite().context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
  std::string out;
  std::size_t from = 0;
  for (;;) {
    const std::size_t found = FindIn(text, part, from);
    out.append(text.substr(from, found == std::string_view::npos ? found : found - from));
    if (found != std::string_view::npos) out.append(with);
    if (out.size() > static_cast<std::size_t>(limit)) return Lite().result_error_toobig(context);
    if (found == std::string_view::npos) return ReturnText(context, out);
    from = found + part.size();
  }
}

enum Side { kLeft = 1, kRight = 2 };

// The characters of the second argument; each is as many bytes as its UTF-8 says.
std::unordered_set<std::string_view> CharactersOf(std::string_view text) {
  std::unordered_set<std::string_view> characters;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at + 1;
    if (static_cast<unsigned char>(text[at]) >= 0xC0) {
      while (next < text.size() && IsContinuation(text[next])) ++next;
    }
    characters.insert(text.substr(at, next - at));
    at = next;
  }
  return characters;
}

void Trim(sqlite3_context* context, int count, sqlite3_value** arguments) {
  if (IsNull(arguments[0]) || IsNull(arguments[1])) return;
  if (EndsLate(context, arguments, count)) return;
  const int sides = VariantOf(context);
  std::string_view text = TextOf(arguments[0]);
  const std::unordered_set<std::string_view> characters = CharactersOf(TextOf(arguments[1]));
  while ((sides & kLeft) != 0 && !text.empty()) {
    std::size_t length = 1;
    while (length < text.size() && length < 4 && IsContinuation(text[length])) ++length;
    if (!characters.contains(text.substr(0, length))) break;
    text.remove_prefix(length);
  }
  while ((sides & kRight) != 0 && !text.empty()) {
    std::size_t length = 1;
    while (length < text.size() && length < 4 && IsContinuation(text[text.size() - length]))
      ++length;
    if (!characters.contains(text.substr(text.size() - length))) break;
    text.remove_suffix(length);
  }
  ReturnText(context, text);
}

// Compiled once per statement where the pattern is constant.
const LikePattern* PatternOf(sqlite3_context* context, sqlite3_value* pattern, bool glob,
                             char32_t escape, std::unique_ptr<LikePattern>& own) {
  if (auto* kept = static_cast<LikePattern*>(Lite().get_auxdata(context, 0))) return kept;
  const std::string_view text = TextOf(pattern);
  own = std::make_unique<LikePattern>(glob ? LikePattern::Glob(text)
                                           : LikePattern::Like(text, escape));
  return own.get();
}

constexpr int kGlob = 1;

void Like(sqlite3_context* context, int count, sqlite3_value** arguments) {
  const bool glob = VariantOf(context) == kGlob;
  // As Debian and most others build SQLite: a blob is not like anything, not even null.
  if (IsBlob(arguments[0]) || IsBlob(arguments[1])) return Lite().result_int64(context, 0);
  if (IsNull(arguments[0]) || IsNull(arguments[1])) return;
  if (static_cast<std::size_t>(Lite().value_bytes(arguments[0])) > LikePattern::kMaxBytes) {
    return Lite().result_error(
        context, "LIKE or GLOB pattern too complex: at most 1000 bytes are allowed", -1);
  }
  char32_t escape = 0;
  if (count == 3) {
    if (IsNull(arguments[2])) return;
    const std::string_view text = TextOf(arguments[2]);
    std::size_t at = 0;
    if (!text.empty()) escape = NextCodePoint(text, at);
    if (text.empty() || at != text.size())
      return Lite().result_error(context, "ESCAPE expression must be a single character", -1);
  }
  if (EndsLate(context, arguments, count)) return;
  std::unique_ptr<LikePattern> own;
  const LikePattern* pattern = PatternOf(context, arguments[0], glob, escape, own);
  const bool matches = pattern->Matches(TextOf(arguments[1]));
  // With ESCAPE the pattern depends on two arguments, and SQLite keeps data of one.
  if (own != nullptr && count == 2) {
    Lite().set_auxdata(context, 0, own.release(),
                       [](void* kept) { delete static_cast<LikePattern*>(kept); });
  }
  Lite().result_int64(context, matches ? 1 : 0);
}

}  // namespace

Result<void> ReplaceSlowFunctions(sqlite3* database) {
  static constexpr Replacement kReplacements[] = {
      {"instr", 2, Instr, 0},    {"replace", 3, Replace, 0}, {"like", 2, Like, 0},
      {"like", 3, Like, 0},      {"glob", 2, Like, kGlob},   {"trim", 2, Trim, kLeft | kRight},
      {"ltrim", 2, Trim, kLeft}, {"rtrim", 2, Trim, kRight},
  };
  for (const Replacement& each : kReplacements) {
    const int code = Lite().create_function_v2(
        database, each.name, each.arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
        const_cast<Replacement*>(&each), each.function, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
      return Error::Internal(base::StrCat("SQLite does not take the function ", each.name));
  }
  return ReplacePrintf(database);
}

}  // namespace toolpost::db
