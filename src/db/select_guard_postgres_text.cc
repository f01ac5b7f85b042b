// A scanner for PostgreSQL's lexical structure, and what is built on it.
#include "db/select_guard_postgres_text.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::db {
namespace {

using Kind = SqlToken::Kind;

// The parser and the writer of its tree recurse once for each, and need less than 1 MiB for these.
constexpr int kMostNestingTokens = 5000;

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsWord(char c) {
  const char lower = base::ToLower(c);
  return (lower >= 'a' && lower <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesWord(char c) { return StartsWord(c) || IsDigit(c) || c == '$'; }

template <typename Predicate>
std::size_t Span(std::string_view sql, std::size_t from, Predicate predicate) {
  while (from < sql.size() && predicate(sql[from])) ++from;
  return from;
}

std::size_t EndOfQuoted(std::string_view sql, std::size_t open, bool escapes) {
  const char quote = sql[open];
  for (std::size_t at = open + 1; at < sql.size(); ++at) {
    if (escapes && sql[at] == '\\') {
      ++at;
    } else if (sql[at] == quote) {
      if (at + 1 >= sql.size() || sql[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return sql.size();
}

std::size_t EndOfBlockComment(std::string_view sql) {
  int depth = 0;
  for (std::size_t at = 0; at + 1 < sql.size(); ++at) {
    if (sql.substr(at, 2) == "/*") {
      ++depth;
      ++at;
    } else if (sql.substr(at, 2) == "*/") {
      ++at;
      if (--depth == 0) return at + 1;
    }
  }
  return sql.size();
}

// $1, $$…$$, $tag$…$tag$ or a lone dollar sign.
SqlToken Dollar(std::string_view sql) {
  if (sql.size() > 1 && IsDigit(sql[1])) {
    return {Kind::kParameter, sql.substr(0, Span(sql, 1, IsDigit))};
  }
  std::size_t end = 1;
  if (end < sql.size() && StartsWord(sql[end])) {
    end = Span(sql, end, [](char c) { return c != '$' && ContinuesWord(c); });
  }
  if (end >= sql.size() || sql[end] != '$') return {Kind::kOther, sql.substr(0, 1)};
  const std::string_view tag = sql.substr(0, end + 1);
  const std::size_t close = sql.find(tag, tag.size());
  if (close == std::string_view::npos) return {Kind::kString, sql};
  return {Kind::kString, sql.substr(0, close + tag.size())};
}

SqlToken Word(std::string_view sql) {
  const std::size_t end = Span(sql, 0, ContinuesWord);
  if (end == 1 && sql.size() > 1 && sql[1] == '\'') {
    const char prefix = base::ToLower(sql[0]);
    if (prefix == 'e') return {Kind::kString, sql.substr(0, EndOfQuoted(sql, 1, true))};
    if (prefix == 'b' || prefix == 'x' || prefix == 'n') {
      return {Kind::kString, sql.substr(0, EndOfQuoted(sql, 1, false))};
    }
  }
  return {Kind::kWord, sql.substr(0, end)};
}

bool MayNest(const SqlToken& token) {
  return token.kind == Kind::kWord || token.kind == Kind::kQuotedName ||
         (token.kind == Kind::kOther && token.text != "," && token.text != ".");
}

// Whether what stands behind a `?` makes it ?|, ?&, ?#, ?- or ??. None of them has a number on its
// right, nor are there any of ?|| and ?--.
bool ContinuesOperator(std::string_view rest) {
  if (rest.empty() || std::string_view("|&#-?").find(rest[0]) == std::string_view::npos) {
    return false;
  }
  if (rest.starts_with("||") || rest.starts_with("--")) return false;
  return rest.size() < 2 || !IsDigit(rest[1]);
}

}  // namespace

SqlToken NextPostgresToken(std::string_view sql) {
  const char c = sql.front();
  const auto until = [&](std::size_t end) { return sql.substr(0, end); };
  if (IsSpace(c)) return {Kind::kSpace, until(Span(sql, 0, IsSpace))};
  if (sql.starts_with("--")) {
    return {Kind::kComment, until(std::min(sql.find_first_of("\r\n"), sql.size()))};
  }
  if (sql.starts_with("/*")) return {Kind::kComment, until(EndOfBlockComment(sql))};
  if (c == '\'') return {Kind::kString, until(EndOfQuoted(sql, 0, false))};
  if (c == '"') return {Kind::kQuotedName, until(EndOfQuoted(sql, 0, false))};
  if (c == '$') return Dollar(sql);
  if (StartsWord(c)) return Word(sql);
  if (IsDigit(c)) {
    return {Kind::kNumber, until(Span(sql, 0, [](char d) { return IsDigit(d) || d == '.'; }))};
  }
  if (sql.starts_with("::") || sql.starts_with(":=")) return {Kind::kOther, until(2)};
  return {Kind::kOther, until(1)};
}

Result<void> CheckPostgresText(std::string_view sql) {
  RETURN_IF_ERROR(CheckStatementBytes(sql));
  int nesting = 0;
  bool empty = true;
  for (std::string_view rest = sql; !rest.empty();) {
    const SqlToken token = NextPostgresToken(rest);
    rest.remove_prefix(token.text.size());
    if (token.kind != Kind::kString) {
      const bool emoji = token.kind == Kind::kComment || token.kind == Kind::kQuotedName;
      RETURN_IF_ERROR(RefuseInvisible(token.text, emoji));
    }
    if (MayNest(token) && ++nesting > kMostNestingTokens) {
      return Error::InvalidParams(
          base::StrCat("The statement has more than ", kMostNestingTokens,
                       " names, operators and brackets: split it, or pass values as parameters"));
    }
    empty = empty && (token.kind == Kind::kSpace || token.kind == Kind::kComment);
  }
  if (empty) return Error::InvalidParams("The statement is empty: write a SELECT");
  return {};
}

Result<NumberedStatement> NumberParameters(std::string_view sql, const JsonObject& values) {
  NumberedStatement out;
  int brackets = 0;
  for (std::string_view rest = sql; !rest.empty();) {
    SqlToken token = NextPostgresToken(rest);
    rest.remove_prefix(token.text.size());
    if (token.text == "[") ++brackets;
    if (token.text == "]") --brackets;
    if (token.kind == Kind::kParameter) {
      return Error::InvalidParams(
          base::StrCat("The statement numbers its parameters (", token.text,
                       "): pass an array of values, or name all parameters"));
    }
    if (token.text != ":" || rest.empty() || !StartsWord(rest.front())) {
      out.sql += token.text;
      continue;
    }
    const std::string_view name = rest.substr(0, Span(rest, 0, ContinuesWord));
    if (!values.contains(name)) {
      if (brackets <= 0) {
        return Error::InvalidParams(
            base::StrCat("The statement uses :", name, ", which has no value in params"));
      }
      out.sql += token.text;
      continue;
    }
    rest.remove_prefix(name.size());
    auto known = std::find(out.names.begin(), out.names.end(), name);
    if (known == out.names.end()) known = out.names.insert(known, std::string(name));
    out.sql += base::StrCat("$", known - out.names.begin() + 1);
  }
  for (const auto& value : values) {
    const std::string_view name = value.key();
    if (std::find(out.names.begin(), out.names.end(), name) == out.names.end()) {
      return Error::InvalidParams(base::StrCat("The parameter ", name, " is not used: write :",
                                               name, " in the statement, or leave it out"));
    }
  }
  return out;
}

QuestionMarks NumberQuestionMarks(std::string_view sql, std::size_t count) {
  if (sql.find('?') == std::string_view::npos) return {std::string(sql), 0};
  QuestionMarks out;
  char before = ' ';
  for (std::string_view rest = sql; !rest.empty();) {
    const SqlToken token = NextPostgresToken(rest);
    rest.remove_prefix(token.text.size());
    if (token.kind == Kind::kParameter) return {std::string(sql), 0};
    if (token.text == "?" && before != '@' && before != '?' && !ContinuesOperator(rest)) {
      out.sql += base::StrCat("$", ++out.count);
    } else {
      out.sql += token.text;
    }
    before = token.kind == Kind::kOther ? token.text.back() : ' ';
  }
  if (out.count != count) out.sql = sql;
  return out;
}

}  // namespace toolpost::db
