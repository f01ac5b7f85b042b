// Tokens enough to find what is looked for: the engine has parsed these texts before.
#include "db/sqlite_schema_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>

#include "base/strings.h"

namespace toolpost::db {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether the word stands at `at`, whole.
bool WordAt(std::string_view sql, std::size_t at, std::string_view word) {
  return base::EqualIgnoringCase(sql.substr(at, word.size()), word) &&
         (at == 0 || !IsWord(sql[at - 1])) &&
         (at + word.size() >= sql.size() || !IsWord(sql[at + word.size()]));
}

bool IsComment(std::string_view sql, std::size_t at) {
  return sql.substr(at, 2) == "--" || sql.substr(at, 2) == "/*";
}

std::string Trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return std::string(text);
}

// The end of the parenthesis that opens at `at`: behind its ')'. `comma` is called with the
// position of each comma directly inside.
std::size_t SkipParenthesis(std::string_view sql, std::size_t at,
                            const std::function<void(std::size_t)>& comma = {}) {
  int depth = 0;
  while (at < sql.size()) {
    if (sql[at] == '(') ++depth;
    if (sql[at] == ',' && depth == 1 && comma) comma(at);
    if (sql[at] == ')' && --depth == 0) return at + 1;
    at = SkipToken(sql, at);
  }
  return at;
}

}  // namespace

std::size_t SkipToken(std::string_view sql, std::size_t at) {
  const char c = sql[at];
  const auto until = [&](std::string_view end, std::size_t from) {
    const std::size_t found = sql.find(end, from);
    return found == std::string_view::npos ? sql.size() : found + end.size();
  };
  if (c == '\'' || c == '"' || c == '`') return until(sql.substr(at, 1), at + 1);
  if (c == '[') return until("]", at + 1);
  if (sql.substr(at, 2) == "--") return until("\n", at + 2);
  if (sql.substr(at, 2) == "/*") return until("*/", at + 2);
  return at + 1;
}

std::vector<std::string> ChecksOf(std::string_view create_table) {
  std::vector<std::string> checks;
  for (std::size_t at = 0; at < create_table.size(); at = SkipToken(create_table, at)) {
    if (!WordAt(create_table, at, "check")) continue;
    std::size_t open = at + 5;
    while (open < create_table.size() &&
           std::isspace(static_cast<unsigned char>(create_table[open])))
      ++open;
    if (open == create_table.size() || create_table[open] != '(') continue;
    const std::size_t end = SkipParenthesis(create_table, open);
    checks.push_back(Trimmed(create_table.substr(open + 1, end - open - 2)));
    at = end - 1;
  }
  return checks;
}

std::string ModuleOf(std::string_view create_virtual_table) {
  const std::string_view sql = create_virtual_table;
  std::size_t at = 0;
  while (at < sql.size() && !WordAt(sql, at, "using")) at = SkipToken(sql, at);
  at = std::min(at + 5, sql.size());
  while (at < sql.size() &&
         (std::isspace(static_cast<unsigned char>(sql[at])) != 0 || IsComment(sql, at)))
    at = SkipToken(sql, at);
  std::size_t end = at;
  while (end < sql.size() && IsWord(sql[end])) ++end;
  if (end > at || end == sql.size()) return std::string(sql.substr(at, end - at));
  return std::string(sql.substr(at + 1, SkipToken(sql, at) - at - 2));
}

IndexText IndexTextOf(std::string_view create_index) {
  IndexText text;
  std::size_t open = 0;
  while (open < create_index.size() && create_index[open] != '(')
    open = SkipToken(create_index, open);
  std::size_t from = open + 1;
  const std::size_t end = SkipParenthesis(create_index, open, [&](std::size_t comma) {
    text.columns.push_back(Trimmed(create_index.substr(from, comma - from)));
    from = comma + 1;
  });
  if (end > from) text.columns.push_back(Trimmed(create_index.substr(from, end - from - 1)));
  for (std::size_t at = end; at < create_index.size(); at = SkipToken(create_index, at)) {
    if (!WordAt(create_index, at, "where")) continue;
    text.predicate = Trimmed(create_index.substr(at + 5));
    break;
  }
  return text;
}

}  // namespace toolpost::db
