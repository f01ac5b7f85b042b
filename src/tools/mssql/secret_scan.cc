// Loops over characters.
#include "tools/mssql/secret_scan.h"

#include <algorithm>
#include <string>

#include "tools/mssql/secret_words.h"

namespace toolpost::tools::mssql {

namespace {

// Whether a quote closes what a quote with `escapes` opened: what it escapes itself has more, by
// one more level of escaping.
bool Closes(std::size_t found, std::size_t escapes) {
  return found <= escapes || (found - escapes) % (2 * escapes + 2) == 0;
}

}  // namespace

bool HasSecretName(std::string_view path) {
  const SecretScan scan(path);
  for (std::size_t at = 0; at < path.size(); at += scan.Word(at).size() + 1) {
    if (NamesSecret(scan.Word(at))) return true;
  }
  return false;
}

std::size_t SecretScan::Span(std::size_t from, std::string_view set) const {
  return std::min(text_.find_first_not_of(set, from), text_.size());
}

std::size_t SecretScan::Until(std::size_t from, std::string_view set) const {
  return std::min(text_.find_first_of(set, from), text_.size());
}

std::size_t SecretScan::Filler(std::size_t from, std::string_view closers) const {
  const std::size_t limit = std::min(text_.size(), from + kMostAhead);
  while (from < limit) {
    const std::string_view rest = text_.substr(from, kMostAhead);
    std::size_t size = 0;
    if (IsSpace(rest.front()) || Has(closers, rest.front())) {
      size = 1;
    } else if (rest.starts_with("/*")) {
      size = rest.find("*/") + 2;
    } else if (rest.starts_with("--")) {
      size = rest.find('\n') + 1;
    }
    if (size == 0 || size > rest.size()) break;
    from += size;
  }
  return from;
}

std::string_view SecretScan::Word(std::size_t from) const {
  std::size_t end = from;
  while (end < text_.size() && InName(text_[end])) ++end;
  return text_.substr(std::min(from, text_.size()), end - from);
}

std::size_t SecretScan::EndOfToken(std::size_t from) const {
  while (from < text_.size() && (InName(text_[from]) || Has(".~+/=", text_[from]))) ++from;
  return from;
}

std::size_t SecretScan::EndOfArgument(std::size_t from) const {
  if (from < text_.size() && Has("'\"", text_[from])) return EndOfQuoted(from);
  return Until(from, " \t\r\n'\"");
}

std::string_view SecretScan::NextArgument(std::size_t& at) const {
  const std::size_t begin = Blanks(at);
  at = Near(begin).EndOfArgument(begin);
  return text_.substr(begin, at - begin);
}

std::size_t SecretScan::Sign(std::size_t from, bool variable) const {
  std::size_t at = Filler(from, "\"']}\\`");
  if (variable && at > from && InName(text_[std::min(at, text_.size() - 1)])) {
    // DECLARE @password AS nvarchar(50) = …
    for (int word = 0; word < 2; ++word) at = Filler(at + Word(at).size(), "");
    if (at < text_.size() && text_[at] == '(') at = Filler(Near(at).Until(at, ")\n") + 1, "");
    if (at >= text_.size() || text_[at] != '=') return text_.npos;
  }
  if (at >= text_.size() || !Has("=:", text_[at])) return text_.npos;
  return text_.substr(at).starts_with("::") ? text_.npos : at;
}

bool SecretScan::BeginsLiteral(std::size_t at) const {
  const std::string_view rest = text_.substr(std::min(at, text_.size()), 2);
  if (rest.empty()) return false;
  if (Has("'\"", rest.front()) || EscapesOfQuote(at) > 0 || rest == "0x") return true;
  return rest.size() == 2 && Has("Nn@", rest[0]) && Has("'\"", rest[1]);
}

std::size_t SecretScan::EndOfQuoted(std::size_t open) const {
  const char quote = text_[open];
  for (std::size_t at = open + 1; at < text_.size(); ++at) {
    if (text_[at] != quote) continue;
    if (quote == '"' && !Closes(EscapesBefore(at, open + 1), 0)) continue;
    if (at + 1 >= text_.size() || text_[at + 1] != quote) return at + 1;
    ++at;
  }
  return text_.size();
}

std::size_t SecretScan::EscapesBefore(std::size_t at, std::size_t from) const {
  std::size_t begin = at;
  while (begin > from && Has("\\`", text_[begin - 1]) && text_[begin - 1] == text_[at - 1]) --begin;
  return at - begin;
}

std::size_t SecretScan::EscapesOfQuote(std::size_t at) const {
  if (at >= text_.size() || !Has("\\`", text_[at])) return 0;
  const std::size_t quote = Near(at).Span(at, text_.substr(at, 1));
  return quote < text_.size() && Has("'\"", text_[quote]) ? quote - at : 0;
}

std::size_t SecretScan::EndOfEscaped(std::size_t from, char quote, std::size_t escapes) const {
  for (std::size_t at = from; at < text_.size(); ++at) {
    if (text_[at] != quote) continue;
    const std::size_t found = EscapesBefore(at, from);
    if (Closes(found, escapes)) return at - std::min(found, escapes);
  }
  return text_.size();
}

std::size_t SecretScan::EndOfBrackets(std::size_t open) const {
  int depth = 0;
  for (std::size_t at = open; at < text_.size(); ++at) {
    if (text_[at] == '"') {
      const std::size_t escapes = EscapesBefore(at, open);
      at = EndOfEscaped(at + 1, '"', escapes) + escapes;
    } else if (Has("[{", text_[at])) {
      ++depth;
    } else if (Has("]}", text_[at]) && --depth == 0) {
      return at;
    }
  }
  return text_.size();
}

std::size_t SecretScan::EndOfUnquoted(std::size_t from, std::string_view set) const {
  for (std::size_t at = Until(from, set); at < text_.size(); at = Until(at + 1, set)) {
    const std::string_view before = text_.substr(from, at - from);
    const char c = text_[at];
    if (Has("&|", c) && before.ends_with('^')) continue;
    if (c == ';' &&
        (before.ends_with("&amp") || before.ends_with("&lt") || before.ends_with("&gt")))
      continue;
    if (before.empty() || !Has("'\"", c)) return at;
    const std::size_t behind = Span(at, text_.substr(at, 1));
    if (behind == text_.size() || !(InName(text_[behind]) || Has("!%^*~?", text_[behind])))
      return at;
    at = behind;
  }
  return text_.size();
}

Quoted SecretScan::QuotedAt(std::size_t open) const {
  const char quote = text_[open];
  const std::size_t quotes = Span(open, std::string_view(&quote, 1)) - open;
  std::size_t width = 1;
  std::size_t behind = text_.size();
  if (quotes % 2 == 0) {
    const std::size_t value = open + quotes;
    if (value == text_.size() || IsSpace(text_[value]) || Has(",;)", text_[value]))
      return {value, value, value};
    width = quotes;
    const std::string closing(quotes, quote);
    const std::string_view line = text_.substr(value, Near(value).Until(value, "\n") - value);
    if (Has(">/}]", text_[value]) && line.find(closing) == line.npos) return {value, value, value};
    const std::size_t close = text_.find(closing, value);
    if (close != text_.npos) behind = close + quotes;
  } else {
    behind = EndOfQuoted(open);
  }
  const bool closed = behind > open + width && text_[behind - 1] == quote;
  return {open + width, closed ? behind - width : behind, behind};
}

std::size_t SecretScan::Added(std::size_t quote) const {
  const std::string_view mark = text_.substr(quote, 1);
  const std::size_t behind = Span(quote, mark);
  const std::size_t sign = Blanks(behind);
  if ((behind - quote) % 2 == 0 || sign == text_.size() || !Has("+,", text_[sign])) return 0;
  const std::string_view line = text_.substr(sign, kMostAhead);
  const std::size_t end = std::min(line.find_first_of(std::string("\n").append(mark)), line.size());
  const std::string_view between = line.substr(0, end);
  const bool closed = end < line.size() && line[end] == mark.front();
  // A value may begin like that: 'Password=' + @x + ';' has another sign before its next quote.
  if (closed && between[between.find_last_not_of(" \tN")] != text_[sign]) return 0;
  return Blanks(sign + 1);
}

std::size_t SecretScan::LiteralArgument(std::size_t from, int position) const {
  const std::size_t limit = std::min(text_.size(), from + kMostAhead);
  int depth = 0, argument = 1, depth_of_arguments = -1;  // not known before there is one
  if (const std::size_t open = Blanks(from); open < limit && text_[open] == '(')
    depth_of_arguments = 1;
  bool named = false;
  for (std::size_t at = from; at < limit; ++at) {
    const char c = text_[at];
    if (Has("'\"", c)) {
      if (argument == position) return named ? text_.npos : at;
      if (depth_of_arguments < 0) depth_of_arguments = depth;
      at = SecretScan(text_.substr(0, limit)).EndOfQuoted(at) - 1;
    } else if (Has(",;", c) && (depth_of_arguments < 0 || depth == depth_of_arguments)) {
      ++argument;
      named = false;
    } else if (c == '=') {
      named = true;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth < std::max(depth_of_arguments, 1)) {
      return text_.npos;
    }
  }
  return text_.npos;
}

}  // namespace toolpost::tools::mssql
