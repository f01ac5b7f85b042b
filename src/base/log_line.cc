// Formats and redacts log lines.
#include "base/log_line.h"

#include <algorithm>
#include <array>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::base {
namespace {

constexpr std::string_view kRedacted = "[redacted]";
constexpr std::array<std::string_view, 6> kSecretWords = {
    "key", "token", "password", "secret", "authorization", "connectionstring"};
constexpr std::array<std::string_view, 4> kJsonLevels = {
    R"(","level":"debug","msg":)", R"(","level":"info","msg":)", R"(","level":"warning","msg":)",
    R"(","level":"error","msg":)"};
constexpr std::array<std::string_view, 4> kTextLevels = {"DEBUG", "INFO ", "WARN ", "ERROR"};

// Letters and digits that end none of the words.
constexpr std::array<bool, 256> OtherEndings() {
  std::array<bool, 256> other{};
  for (char c = '0'; c <= '9'; ++c) other[static_cast<unsigned char>(c)] = true;
  for (char c = 'a'; c <= 'z'; ++c) {
    bool ends = false;
    for (const std::string_view word : kSecretWords) ends = ends || word.back() == c;
    other[static_cast<unsigned char>(c)] = !ends;
    other[static_cast<unsigned char>(c - ('a' - 'A'))] = !ends;
  }
  return other;
}
constexpr std::array<bool, 256> kOtherEndings = OtherEndings();

// Compares backwards, ignoring case and the separators of the different naming styles.
bool EndsWithWord(std::string_view name, std::string_view word) {
  while (!word.empty() && !name.empty()) {
    const char c = name.back();
    name.remove_suffix(1);
    if (c == '_' || c == '-' || c == '.' || c == ' ') continue;
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    if (lower != word.back()) return false;
    word.remove_suffix(1);
  }
  return word.empty();
}

// `text` with the user info of every URL in it hidden; uses `scratch` only if there is one.
std::string_view HideUserInfo(std::string_view text, std::string& scratch) {
  std::size_t copied = 0;
  scratch.clear();
  if (text.find(':') == std::string_view::npos) return text;
  for (std::size_t at = 0; (at = text.find("://", at)) != std::string_view::npos;) {
    at += 3;
    const std::string_view authority =
        text.substr(at, text.find_first_of("/?# \t\r\n\"'<>", at) - at);
    const std::size_t user_info = authority.rfind('@');
    if (user_info == std::string_view::npos) continue;
    scratch.append(text.substr(copied, at - copied)).append(kRedacted);
    copied = at + user_info;
  }
  if (copied == 0) return text;
  return scratch.append(text.substr(copied));
}

bool IsControl(const char* at, std::size_t length) {
  const auto first = static_cast<unsigned char>(at[0]);
  if (length == 1) return first < 0x20 || first == 0x7F;
  return length == 2 && first == 0xC2 && static_cast<unsigned char>(at[1]) < 0xA0;  // C1
}

void AppendControl(std::string& out, unsigned char code) {
  constexpr char kHex[] = "0123456789abcdef";
  if (code == '\n') {
    out.append("\\n");
  } else if (code == '\t') {
    out.append("\\t");
  } else if (code == '\r') {
    out.append("\\r");
  } else {
    out.append({'\\', 'x', kHex[code >> 4], kHex[code & 15]});
  }
}

void AppendSafe(std::string& out, std::string_view text, bool quoted = false) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const char* run = at;  // start of what is copied as it is
  const auto plain = [quoted](char c) {
    return c >= 0x20 && c < 0x7F && !(quoted && (c == '"' || c == '\\'));
  };
  while ((at = std::find_if_not(at, end, plain)) != end) {
    const std::size_t length = Utf8SequenceLength(at, end);
    if (length > 1 && !IsControl(at, length)) {
      at += length;
      continue;
    }
    out.append(run, at);
    if (length == 0) {
      out.append("\xEF\xBF\xBD");
    } else if (IsControl(at, length)) {
      AppendControl(out, static_cast<unsigned char>(at[length - 1]));
    } else {
      out.append({'\\', *at});
    }
    at += std::max<std::size_t>(length, 1);
    run = at;
  }
  out.append(run, end);
}

void AppendTextValue(std::string& out, std::string_view value) {
  const bool quote = value.empty() || value.find_first_of(" =\"\\") != std::string_view::npos;
  if (quote) out.push_back('"');
  AppendSafe(out, value, quote);
  if (quote) out.push_back('"');
}

// Appends `value` with `append_string` for strings, so that both formats share the redaction.
template <typename AppendString>
void AppendValue(std::string& out, const LogField& field, AppendString append_string) {
  if (const bool* flag = std::get_if<bool>(&field.value)) {
    out.append(*flag ? "true" : "false");
  } else if (IsSecretName(field.name)) {
    append_string(out, kRedacted);
  } else if (const auto* text = std::get_if<std::string_view>(&field.value)) {
    std::string scratch;
    append_string(out, HideUserInfo(*text, scratch));
  } else if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
    AppendJsonInt(out, *integer);
  } else if (const auto* duration = std::get_if<std::chrono::nanoseconds>(&field.value)) {
    AppendJsonMilliseconds(out, *duration);
  } else {
    AppendJsonDouble(out, std::get<double>(field.value));
  }
}

}  // namespace

bool IsSecretName(std::string_view name) {
  // Most names end unlike all of these words.
  if (!name.empty() && kOtherEndings[static_cast<unsigned char>(name.back())]) return false;
  for (const std::string_view word : kSecretWords) {
    if (EndsWithWord(name, word)) return true;
  }
  return false;
}

void AppendJsonLine(std::string& out, std::string_view time, Severity severity,
                    std::string_view message, std::span<const LogField> fields) {
  std::string scratch;
  out.append("{\"time\":\"").append(time).append(kJsonLevels[static_cast<std::size_t>(severity)]);
  AppendJsonString(out, HideUserInfo(message, scratch));
  for (const LogField& field : fields) {
    out.push_back(',');
    AppendJsonString(out, field.name);
    out.push_back(':');
    AppendValue(out, field, AppendJsonString);
  }
  out.append("}\n");
}

void AppendTextLine(std::string& out, std::string_view time, Severity severity,
                    std::string_view message, std::span<const LogField> fields) {
  std::string scratch;
  out.append(time.substr(11, 12)).append(" ");
  out.append(kTextLevels[static_cast<std::size_t>(severity)]).append(" ");
  AppendSafe(out, HideUserInfo(message, scratch));
  for (const LogField& field : fields) {
    out.push_back(' ');
    AppendSafe(out, field.name);
    out.push_back('=');
    AppendValue(out, field, AppendTextValue);
  }
  out.push_back('\n');
}

}  // namespace toolpost::base
