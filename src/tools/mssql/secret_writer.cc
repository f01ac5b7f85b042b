// Values, and where they end.
#include "tools/mssql/secret_writer.h"

#include <algorithm>

#include "tools/mssql/secret_words.h"

namespace toolpost::tools::mssql {

void SecretWriter::Copy(std::size_t count) {
  out_.append(Rest().substr(0, count));
  at_ = std::min(at_ + count, text_.size());
}

void SecretWriter::MaskTo(std::size_t position) {
  out_.append(kSecretMask);
  at_ = position;
}

bool SecretWriter::Keeps(std::string_view value, char quote) const {
  return IsNoSecret(value, quote) || (quote != '\'' && variables_.contains(VariableOf(value)));
}

bool SecretWriter::AtExpression() const {
  if (!At("(") && !Rest().starts_with("$(")) return false;
  return Rest().substr(0, kMostAhead).find(')') != text_.npos;
}

// Of a command: up to the next space, or in quotes. What begins with - or / is the next option.
void SecretWriter::Argument() {
  if (At("\"") && scan_.EscapesOfQuote(at_ + 1) > 0) {  // as the designer of jobs writes it
    Copy(1);
    return Escaped();
  }
  if (At("'\"")) return QuotedValue();
  if (At("-/@") || AtExpression()) return;
  const std::size_t end = scan_.EndOfArgument(at_);
  if (!Keeps(text_.substr(at_, end - at_), 0)) MaskTo(end);
}

void SecretWriter::ArgumentAt(std::size_t position) {
  CopyTo(position);
  if (at_ < text_.size()) Argument();
}

// At a quote. 'Password=' + 'x': it may be the end of a literal, and what is added follows.
void SecretWriter::QuotedValue() {
  if (const std::size_t added = scan_.Added(at_); added > 0) {
    CopyTo(added);
    CopyNational();
    if (!At("'\"")) return;
  }
  const Quoted quoted = scan_.QuotedAt(at_);
  if (Keeps(text_.substr(quoted.begin, quoted.end - quoted.begin), text_[at_]))
    return CopyTo(quoted.behind);
  CopyTo(quoted.begin);
  MaskTo(quoted.end);
  CopyTo(quoted.behind);
}

void SecretWriter::CopyNational() {
  if (At("Nn@") && at_ + 1 < text_.size() && Has("'\"", text_[at_ + 1])) Copy(1);
}

// Behind a name: = or :, and the value.
void SecretWriter::Assignment(const SecretName& name) {
  const std::size_t sign = scan_.Sign(at_, name.word.starts_with('@'));
  if (sign == text_.npos) return;
  const bool colon = text_[sign] == ':';
  const bool document = colon && (At("'\"") || scan_.EscapesOfQuote(at_) > 0);
  const std::size_t behind = scan_.Span(sign + 1, "=>");
  const bool spaced =
      scan_.Until(at_, " \t\r\n=:") < sign || (behind < text_.size() && IsSpace(text_[behind]));
  CopyTo(behind);
  const std::size_t value = scan_.Filler(at_, "");
  CopyTo(scan_.BeginsLiteral(value) ? value : scan_.Blanks(at_));
  CopyNational();
  if (At("'\"")) return QuotedValue();
  if (scan_.EscapesOfQuote(at_) > 0) return Escaped();
  if (Rest().starts_with("&quot;") || Rest().starts_with("&apos;")) return Entity();
  if (At("{") && !colon) return Braced();
  if (document && At("[{")) return Bracketed();
  Unquoted(name, {.spaced = spaced, .colon = colon, .document = document});
}

// {\"password\":\"x\"}, {\""password\"":\""x\""}
void SecretWriter::Escaped() {
  const std::size_t escapes = scan_.EscapesOfQuote(at_);
  const char quote = text_[at_ + escapes];
  CopyTo(scan_.Span(at_ + escapes, std::string_view(&quote, 1)));
  if (at_ == text_.size() || IsSpace(text_[at_]) || At(",;)}]")) return;
  const std::size_t end = scan_.EndOfEscaped(at_, quote, escapes);
  if (!Keeps(text_.substr(at_, end - at_), '"')) MaskTo(end);
}

// Password=&quot;x&quot;
void SecretWriter::Entity() {
  const std::string_view quote = Rest().substr(0, 6);
  Copy(quote.size());
  MaskTo(std::min(text_.find(quote, at_), text_.size()));
}

// PWD={x}}y}
void SecretWriter::Braced() {
  Copy(1);
  std::size_t end = scan_.Until(at_, "}");
  while (text_.substr(end, 2) == "}}") end = scan_.Until(end + 2, "}");
  MaskTo(end);
}

// {"password":["x"]}; but not what a schema says of a password.
void SecretWriter::Bracketed() {
  const std::string_view rest = text_.substr(scan_.Span(at_, "[{ \t\r\n"));
  if (rest.empty() || Has("]}", rest.front()) || rest.starts_with(kSecretMask)) return;
  const SecretScan inside(rest);
  const std::string_view key = inside.Word(inside.Span(0, "'\"\\`"));
  if (At("{") && OneOf(key, {"type", "description", "title", "$ref"})) return;
  const std::size_t end = scan_.EndOfBrackets(at_);
  Copy(1);
  MaskTo(end);
}

void SecretWriter::Unquoted(const SecretName& name, const Sign& sign) {
  if (AtExpression() || (At("@") && !name.setting)) return;
  if (At("$") && name.word.starts_with('$')) return;  // a literal would have quotes there
  std::size_t end = scan_.EndOfUnquoted(at_, sign.document ? " \t\r\n;'\",]}" : " \t\r\n;'\"");
  const std::string_view value = text_.substr(at_, end - at_);
  if (!At("@") && Keeps(value, 0)) return;
  if (sign.document && OneOf(value, {"true", "false"})) return;
  const bool number = value.find_first_not_of("0123456789") == value.npos;
  if (name.word.starts_with('@') && number) return;
  bool all = false;  // a value with spaces
  if (name.set && !sign.spaced) {
    end = scan_.EndOfUnquoted(at_, "\r\n\"&|");
  } else if (name.setting && !sign.document) {
    // Where it is not known to be one yet it is looked for nearby.
    const SecretScan& scan = name.behind_semicolon ? scan_ : scan_.Near(at_);
    const std::size_t stop = scan.EndOfUnquoted(at_, "\r\n;'\"");
    const bool open = stop >= std::min(text_.size(), at_ + kMostAhead) || Has("\r\n", text_[stop]);
    all = name.behind_semicolon || (!open && (text_[stop] == ';' || !sign.spaced));
    if (all) end = stop;
  }
  const bool header = sign.colon && Has(name.word, '-');
  const bool column = sign.spaced && !all && !name.of_service && !header &&
                      !value.starts_with("0x") && !(sign.document && number);
  if (!column || LooksLikeToken(value)) MaskTo(end);  // otherwise: password = column
}

}  // namespace toolpost::tools::mssql
