// One pass over the text.
#include "db/connection_string.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr std::size_t kLongestText = 4000;
constexpr std::string_view kQuoting =
    "put values with special characters in double quotes, and double those inside";

Error Refuse(std::size_t position, std::string_view what) {
  return Error::InvalidParams(
      base::StrCat("Setting ", position, " of the connection string ", what, ": ", kQuoting));
}

Result<void> CheckText(std::string_view text) {
  if (text.size() > kLongestText) {
    return Error::InvalidParams(base::StrCat("The connection string has ", text.size(),
                                             " bytes; at most ", kLongestText, " are allowed"));
  }
  if (!base::IsValidUtf8(text)) {
    return Error::InvalidParams("The connection string is not valid UTF-8");
  }
  if (std::any_of(text.begin(), text.end(),
                  [](char c) { return (c >= 0 && c < ' ') || c == 0x7F; })) {
    return Error::InvalidParams(
        "The connection string contains a control character (a tab, a line break …): remove it");
  }
  return {};
}

// Takes the quoted value off the start of `rest`; nothing if it has no end.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  const char close = rest.front() == '{' ? '}' : rest.front();
  std::string value;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == close) {
      if (at + 1 >= rest.size() || rest[at + 1] != close) {
        rest.remove_prefix(at + 1);
        return value;
      }
      ++at;
    }
    value.push_back(rest[at]);
  }
  return std::nullopt;
}

Result<std::string> TakeValue(std::string_view& rest, std::size_t position) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.starts_with('=')) return Refuse(position, "has a value that begins with =");
  std::optional<std::string> quoted;
  if (!rest.empty() && std::string_view("'\"{").find(rest.front()) != std::string_view::npos) {
    quoted = TakeQuoted(rest);
    if (!quoted) return Refuse(position, "begins with a quote or brace that is not closed");
  }
  const std::string_view plain = base::Trim(rest.substr(0, rest.find(';')));
  rest.remove_prefix(std::min(rest.find(';'), rest.size()));
  if (!quoted) return std::string(plain);
  if (!plain.empty()) return Refuse(position, "goes on behind its closing quote or brace");
  return *std::move(quoted);
}

std::string_view TrimLines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

Result<std::vector<ConnectionSetting>> SplitConnectionString(std::string_view text) {
  std::string_view rest = TrimLines(text);
  RETURN_IF_ERROR(CheckText(rest));
  std::vector<ConnectionSetting> settings;
  while (!rest.empty()) {
    if (rest.front() == ';' || rest.front() == ' ') {
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t position = settings.size() + 1;
    const std::size_t equals = rest.find_first_of("=;");
    if (equals == std::string_view::npos || rest[equals] == ';') {
      return Refuse(position, "has no equals sign");
    }
    const std::string_view keyword = base::Trim(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
    ASSIGN_OR_RETURN(std::string value, TakeValue(rest, position));
    settings.push_back({keyword, std::move(value)});
  }
  return settings;
}

}  // namespace toolpost::db
