// Looking ahead in text of unknown language: quotes, comments, arguments. For RedactSecrets().
#pragma once

#include <cstddef>
#include <string_view>

namespace toolpost::tools::mssql {

// How far a look ahead goes that copies nothing: whoever repeats its beginning gains nothing by it.
inline constexpr std::size_t kMostAhead = 1000;

inline bool Has(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }
inline bool IsSpace(char c) { return Has(" \t\r\n", c); }

// A value in quotes: [begin, end); `behind` its closing quotes, or the end of the text.
struct Quoted {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t behind = 0;
};

// Whether one of the words in it names a secret.
bool HasSecretName(std::string_view path);

// All positions are those of the text; its size is behind its last character.
class SecretScan {
 public:
  explicit SecretScan(std::string_view text) : text_(text) {}

  // Of the text up to kMostAhead behind `from`.
  SecretScan Near(std::size_t from) const { return SecretScan(text_.substr(0, from + kMostAhead)); }

  // Behind those of `set`; at the first of `set`.
  std::size_t Span(std::size_t from, std::string_view set) const;
  std::size_t Until(std::size_t from, std::string_view set) const;
  // Behind the spaces of this line.
  std::size_t Blanks(std::size_t from) const { return Span(from, " \t"); }
  // Behind white space, comments of Transact-SQL, and `closers`.
  std::size_t Filler(std::size_t from, std::string_view closers) const;

  std::string_view Word(std::size_t from) const;
  std::size_t EndOfToken(std::size_t from) const;
  // Of a command: up to the next space, or in quotes.
  std::size_t EndOfArgument(std::size_t from) const;
  // The next of this line, and moves `at` behind it; empty: none.
  std::string_view NextArgument(std::size_t& at) const;

  // Where the = or : behind a name is; npos: none. A variable may have its type before it.
  std::size_t Sign(std::size_t from, bool variable) const;
  // A quote, N', @', \" or 0x.
  bool BeginsLiteral(std::size_t at) const;
  // The backslashes or backticks at `at` that a quote follows.
  std::size_t EscapesOfQuote(std::size_t at) const;
  // Where the value ends that began at `from` behind a quote with that many `escapes`: at a quote
  // with as many, or those of the literal around it.
  std::size_t EndOfEscaped(std::size_t from, char quote, std::size_t escapes) const;
  // Of {"a":["x"]}: at the bracket that closes the one at `open`.
  std::size_t EndOfBrackets(std::size_t open) const;
  // Of an unquoted value: at the first of `set`. Quotes amid it do not end it, nor do those
  // semicolons of XML, nor what ^ escapes.
  std::size_t EndOfUnquoted(std::size_t from, std::string_view set) const;
  // At a quote. Doubled ones belong to the value; an even number of them before a value: it stands
  // inside of another literal.
  Quoted QuotedAt(std::size_t open) const;
  // At a quote: where what is added begins, if it is the end of a literal to which something is
  // added by + or a comma; 0: it is not.
  std::size_t Added(std::size_t quote) const;
  // The quote of the argument at `position`, from 1 on, of a call whose name ends at `from`; npos:
  // it is no literal.
  std::size_t LiteralArgument(std::size_t from, int position) const;

 private:
  // Behind the closing quote.
  std::size_t EndOfQuoted(std::size_t open) const;
  // The backslashes or backticks before `at`, from `from` on.
  std::size_t EscapesBefore(std::size_t at, std::size_t from) const;

  std::string_view text_;
};

}  // namespace toolpost::tools::mssql
