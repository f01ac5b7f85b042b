// What is not too long is formatted by SQLite itself, on a connection whose printf is still its
// own.
#include "db/sqlite_printf.h"

#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/select_guard_sqlite.h"

namespace toolpost::db {
namespace {

const LibSqlite& Lite() { return LibSqlite::Loaded(); }

struct Close {
  void operator()(sqlite3* database) const { Lite().close(database); }
};

using Values = std::span<sqlite3_value* const>;

class OwnPrintf {
 public:
  static void Call(sqlite3_context* context, int count, sqlite3_value** arguments) {
    if (count == 0 || Lite().value_type(arguments[0]) == SQLITE_NULL) return;
    static_cast<OwnPrintf*>(Lite().user_data(context))
        ->Format(context, {arguments, static_cast<std::size_t>(count)});
  }

 private:
  void Format(sqlite3_context* context, Values arguments);
  // Null where there is no memory for it.
  sqlite3_stmt* Prepared(std::size_t arguments);

  std::unique_ptr<sqlite3, Close> database_;
  std::map<std::size_t, SqliteStatement> statements_;  // by the number of their parameters
};

// How often the %c of a format repeat their characters. As SQLite reads it, up to what makes it
// stop: there this may see more.
std::int64_t Repetitions(std::string_view format, Values arguments) {
  constexpr std::string_view kBeforeConversion = "-+ #!0123456789,.*l";
  std::size_t used = 0;
  std::int64_t all = 0;
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at)) {
    std::int64_t precision = 0;
    bool after_point = false;
    for (++at; at < format.size() && kBeforeConversion.find(format[at]) != std::string_view::npos;
         ++at) {
      const char c = format[at];
      after_point = after_point || c == '.';
      if (c == '*') {
        const std::int64_t given =
            used < arguments.size() ? Lite().value_int64(arguments[used]) : 0;
        if (after_point) precision = std::abs(std::int64_t{static_cast<int>(given)});
        ++used;
      } else if (after_point && c >= '0' && c <= '9') {
        precision = (precision * 10 + (c - '0')) & 0x7fffffff;
      }
    }
    if (at == format.size()) break;
    const char conversion = format[at++];
    if (conversion == 'c') all += precision;
    if (conversion != '%' && conversion != 'n') ++used;
  }
  return all;
}

void OwnPrintf::Format(sqlite3_context* context, Values arguments) {
  const auto* text = reinterpret_cast<const char*>(Lite().value_text(arguments[0]));
  if (text == nullptr) return Lite().result_error_nomem(context);
  const std::string_view format(text);  // SQLite ends it at a zero, too
  const int longest = Lite().limit(Lite().context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
  if (Repetitions(format, arguments.subspan(1)) > longest)
    return Lite().result_error_toobig(context);
  sqlite3_stmt* const statement = Prepared(arguments.size());
  if (statement == nullptr) return Lite().result_error_nomem(context);
  // Near its limit SQLite lets a text grow by the byte, which takes quadratic time.
  constexpr int kMost = std::numeric_limits<int>::max();
  Lite().limit(database_.get(), SQLITE_LIMIT_LENGTH, longest < kMost / 4 ? longest * 4 : kMost);
  int parameter = 0;
  for (sqlite3_value* each : arguments) Lite().bind_value(statement, ++parameter, each);
  int code = Lite().step(statement);
  if (code == SQLITE_ROW && Lite().column_type(statement, 0) == SQLITE_NULL) {
    // Nothing was written, or too much. With a character before it, only one of them is null.
    Lite().reset(statement);
    const std::string more = base::StrCat(".", format);
    Lite().bind_text64(statement, 1, more.data(), more.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    code = Lite().step(statement);
    if (code == SQLITE_ROW && Lite().column_type(statement, 0) == SQLITE_NULL) code = SQLITE_TOOBIG;
  } else if (code == SQLITE_ROW && Lite().column_bytes(statement, 0) > longest) {
    code = SQLITE_TOOBIG;
  } else if (code == SQLITE_ROW) {
    Lite().result_value(context, Lite().column_value(statement, 0));
  }
  Lite().reset(statement);
  Lite().clear_bindings(statement);
  if (code == SQLITE_TOOBIG) return Lite().result_error_toobig(context);
  if (code != SQLITE_ROW) Lite().result_error_nomem(context);
}

sqlite3_stmt* OwnPrintf::Prepared(std::size_t arguments) {
  if (database_ == nullptr) {
    sqlite3* raw = nullptr;
    const int code =
        Lite().open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    std::unique_ptr<sqlite3, Close> opened(raw);
    if (code != SQLITE_OK) return nullptr;
    database_ = std::move(opened);
  }
  SqliteStatement& statement = statements_[arguments];
  if (statement == nullptr) {
    std::string sql = "SELECT printf(?";
    for (std::size_t i = 1; i < arguments; ++i) sql += ",?";
    sql += ')';
    sqlite3_stmt* raw = nullptr;
    Lite().prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
    statement.reset(raw);
  }
  return statement.get();
}

}  // namespace

Result<void> ReplacePrintf(sqlite3* database) {
  for (const char* name : {"printf", "format"}) {
    const int code = Lite().create_function_v2(
        database, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, new OwnPrintf,
        &OwnPrintf::Call, nullptr, nullptr, [](void* own) { delete static_cast<OwnPrintf*>(own); });
    if (code != SQLITE_OK)
      return Error::Internal(base::StrCat("SQLite does not take the function ", name));
  }
  return {};
}

}  // namespace toolpost::db
