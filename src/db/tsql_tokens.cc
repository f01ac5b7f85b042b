// One pass over the text. Everything not known to be harmless is refused.
#include "db/tsql_tokens.h"

#include <algorithm>

#include "base/strings.h"
#include "db/look_alike.h"
#include "db/statement_text.h"

namespace toolpost::db {
namespace {

using Kind = TsqlToken::Kind;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsWord(char c) {
  const char lower = base::ToLower(c);
  return (lower >= 'a' && lower <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesWord(char c) {
  return StartsWord(c) || IsDigit(c) || c == '@' || c == '#' || c == '$';
}
bool IsHexadecimal(char c) {
  const char lower = base::ToLower(c);
  return IsDigit(c) || (lower >= 'a' && lower <= 'f');
}

class Scanner {
 public:
  explicit Scanner(std::string_view sql) : sql_(sql) { tokens_.reserve(sql.size() / 5 + 1); }

  Result<std::vector<TsqlToken>> Scan() {
    RETURN_IF_ERROR(CheckStatementBytes(sql_));
    while (at_ < sql_.size()) {
      const std::size_t from = at_;
      RETURN_IF_ERROR(Next());
      const std::string_view text = sql_.substr(from, at_ - from);
      const bool literal = !tokens_.empty() && tokens_.back().text.data() == text.data() &&
                           tokens_.back().kind == Kind::kString;
      if (!literal) RETURN_IF_ERROR(RefuseInvisible(text));
    }
    return std::move(tokens_);
  }

 private:
  char Peek(std::size_t ahead) const {
    return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
  }

  template <typename Predicate>
  std::size_t Span(std::size_t from, Predicate predicate) const {
    while (from < sql_.size() && predicate(sql_[from])) ++from;
    return from;
  }

  Error Refuse(std::string_view what) const {
    const auto line =
        std::count(sql_.begin(), sql_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return Error::InvalidParams(base::StrCat(what, " (line ", line + 1, ")"));
  }

  void Add(Kind kind, std::size_t end) {
    tokens_.push_back({kind, sql_.substr(at_, end - at_), line_break_});
    line_break_ = false;
    at_ = end;
  }

  Result<void> Next() {
    const char c = sql_[at_];
    const char next = Peek(1);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return Space();
    if (c == '-' && next == '-') return LineComment();
    if (c == '/' && next == '*') return BlockComment();
    if (c == '\'') return Quoted(Kind::kString, 0, '\'');
    if ((c == 'N' || c == 'n') && next == '\'') return Quoted(Kind::kString, 1, '\'');
    if (c == '"') return Quoted(Kind::kQuotedName, 0, '"');
    if (c == '[') return Quoted(Kind::kQuotedName, 0, ']');
    if (IsDigit(c) || (c == '.' && IsDigit(next))) return Number(at_);
    if (c == '$') return Dollar();
    if (c == '@' || c == '#') return Sigil(c == '@' ? Kind::kVariable : Kind::kTemporary);
    if (StartsWord(c)) return Word(Kind::kWord, at_);
    return Symbol();
  }

  Result<void> Space() {
    if (sql_[at_] == '\r' && Peek(1) != '\n') {
      return Refuse(
          "A carriage return without a line feed is not allowed: end lines with LF or CRLF");
    }
    line_break_ = line_break_ || sql_[at_] == '\n';
    ++at_;
    return {};
  }

  Result<void> LineComment() {
    const std::size_t end = std::min(sql_.find('\n', at_), sql_.size());
    const std::size_t lone = sql_.find('\r', at_);
    if (lone < end && lone + 1 != end) {
      at_ = lone;
      return Space();
    }
    at_ = end;
    return {};
  }

  Result<void> BlockComment() {
    int depth = 0;
    for (std::size_t at = at_; at + 1 < sql_.size(); ++at) {
      const std::string_view pair = sql_.substr(at, 2);
      line_break_ = line_break_ || sql_[at] == '\n';
      if (pair == "/*") {
        ++depth;
        ++at;
      } else if (pair == "*/") {
        ++at;
        if (--depth > 0) continue;
        at_ = at + 1;
        return {};
      }
    }
    return Refuse("A comment has no end: every /* needs its own */, also inside another comment");
  }

  Result<void> Quoted(Kind kind, std::size_t prefix, char close) {
    for (std::size_t at = at_ + prefix + 1; at < sql_.size(); ++at) {
      if (sql_[at] != close) continue;
      if (at + 1 >= sql_.size() || sql_[at + 1] != close) {
        Add(kind, at + 1);
        return {};
      }
      ++at;
    }
    if (kind == Kind::kString) return Refuse("A string has no closing quote");
    return Refuse(base::StrCat("A quoted name has no closing ", close));
  }

  // `from`: where the digits begin.
  Result<void> Number(std::size_t from) {
    std::size_t end = from;
    if (sql_[from] == '0' && from + 1 < sql_.size() && base::ToLower(sql_[from + 1]) == 'x') {
      end = Span(from + 2, IsHexadecimal);
    } else {
      end = Span(from, IsDigit);
      if (end < sql_.size() && sql_[end] == '.') end = Span(end + 1, IsDigit);
      if (end < sql_.size() && base::ToLower(sql_[end]) == 'e') {
        std::size_t exponent = end + 1;
        if (exponent < sql_.size() && (sql_[exponent] == '+' || sql_[exponent] == '-')) ++exponent;
        if (exponent < sql_.size() && IsDigit(sql_[exponent])) end = Span(exponent, IsDigit);
      }
    }
    const char behind = end < sql_.size() ? sql_[end] : ' ';
    if (ContinuesWord(behind) || std::string_view(".[\"").find(behind) != std::string_view::npos) {
      const std::string_view rest = sql_.substr(end);
      RETURN_IF_ERROR(RefuseInvisible(rest.substr(0, FirstCodePoint(rest).bytes)));
      return Refuse("A number runs into a word or name: write a space between them");
    }
    Add(Kind::kNumber, end);
    return {};
  }

  Result<void> Dollar() {
    const char next = Peek(1);
    if (IsDigit(next) || (next == '.' && IsDigit(Peek(2)))) return Number(at_ + 1);
    if (next == '(') return Refuse("$(…) is not allowed: only client tools replace such variables");
    if (!StartsWord(next)) return Refuse("$ is not allowed here");
    return Word(Kind::kDollar, at_ + 1);
  }

  Result<void> Sigil(Kind kind) {
    const std::size_t from = at_ + (Peek(1) == sql_[at_] ? 2u : 1u);
    if (from >= sql_.size() || !ContinuesWord(sql_[from]))
      return Refuse(base::StrCat(sql_.substr(at_, 1), " without a name is not allowed"));
    return Word(kind, from);
  }

  Result<void> Word(Kind kind, std::size_t from) {
    const std::size_t end = Span(from, ContinuesWord);
    for (std::string_view rest = sql_.substr(from, end - from); !rest.empty();) {
      const CodePoint point = FirstCodePoint(rest);
      if (point.value >= 0x80 && !IsLetter(point.value)) {
        RETURN_IF_ERROR(RefuseInvisible(rest.substr(0, point.bytes)));
        return Refuse(base::StrCat("The character ", rest.substr(0, point.bytes),
                                   " is not allowed outside of quotes: put names in brackets"));
      }
      rest.remove_prefix(point.bytes);
    }
    Add(kind, end);
    return {};
  }

  Result<void> Symbol() {
    const char c = sql_[at_];
    if (c == ':' && Peek(1) == ':') {
      Add(Kind::kSymbol, at_ + 2);
      return {};
    }
    if (c == '{' || c == '}') {
      return Refuse("Braces are not allowed outside of quotes: write functions without {fn …}");
    }
    if (c == '?') return Refuse("? is not allowed: name parameters, as in @name");
    if (c == '*' && Peek(1) == '/' && Peek(2) != '*') {
      return Refuse("*/ ends no comment here");
    }
    if (std::string_view("()+-*/%&|^~=<>!,.;:").find(c) == std::string_view::npos) {
      return Refuse(
          base::StrCat("The character ", sql_.substr(at_, 1), " is not allowed outside of quotes"));
    }
    Add(Kind::kSymbol, at_ + 1);
    return {};
  }

  const std::string_view sql_;
  std::size_t at_ = 0;
  bool line_break_ = true;
  std::vector<TsqlToken> tokens_;
};

}  // namespace

Result<std::vector<TsqlToken>> TokenizeTsql(std::string_view sql) { return Scanner(sql).Scan(); }

std::string NameOf(const TsqlToken& token) {
  if (token.kind != Kind::kQuotedName) return std::string(token.text);
  const char close = token.text.back();
  std::string name;
  for (std::size_t at = 1; at + 1 < token.text.size(); ++at) {
    name.push_back(token.text[at]);
    if (token.text[at] == close) ++at;
  }
  return name;
}

}  // namespace toolpost::db
