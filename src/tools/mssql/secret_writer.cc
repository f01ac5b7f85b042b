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

// Of a command: up to the next space, or in quotes. What begins with - or / is the next option.
void SecretWriter::Argument() {
  if (Rest().starts_with("\"\\\"")) {  // as the designer of jobs writes it
    Copy(1);
    return Escaped();
  }
  if (At("'\"")) return QuotedValue();
  if (At("-/@$(")) return;
  const std::size_t end = scan_.EndOfArgument(at_);
  if (!IsNoSecret(text_.substr(at_, end - at_), 0)) MaskTo(end);
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
  if (IsNoSecret(text_.substr(quoted.begin, quoted.end - quoted.begin), text_[at_]))
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
  const std::size_t behind = scan_.Span(sign + 1, "=>");
  const bool spaced =
      scan_.Until(at_, " \t\r\n=:") < sign || (behind < text_.size() && IsSpace(text_[behind]));
  CopyTo(behind);
  const std::size_t value = scan_.Filler(at_, "");
  CopyTo(scan_.BeginsLiteral(value) ? value : scan_.Blanks(at_));
  CopyNational();
  if (At("'\"")) return QuotedValue();
  if (Rest().starts_with("\\\"")) return Escaped();
  if (Rest().starts_with("&quot;") || Rest().starts_with("&apos;")) return Entity();
  if (At("{") && !colon) return Braced();
  Unquoted(name, spaced, colon);
}

// {\"password\":\"x\"}
void SecretWriter::Escaped() {
  Copy(2);
  const std::size_t quote = scan_.Until(at_, "\"");
  MaskTo(quote > at_ && text_[quote - 1] == '\\' ? quote - 1 : quote);
}

// Password=&quot;x&quot;
void SecretWriter::Entity() {
  const std::string_view quote = Rest().substr(0, 6);
  Copy(quote.size());
  MaskTo(std::min(text_.find(quote, at_), text_.size()));
}

void SecretWriter::Braced() {
  Copy(1);
  MaskTo(std::min(text_.find('}', at_), text_.size()));
}

void SecretWriter::Unquoted(const SecretName& name, bool spaced, bool colon) {
  if (At("$(") || (At("@") && !name.setting)) return;
  std::size_t end = scan_.Until(at_, " \t\r\n;'\"");
  const std::string_view value = text_.substr(at_, end - at_);
  if (!At("@") && IsNoSecret(value, 0)) return;
  if (name.word.starts_with('@') && value.find_first_not_of("0123456789") == value.npos) return;
  bool all = false;  // a value with spaces
  if (name.set && !spaced) {
    end = scan_.Until(at_, "\r\n\"&|");
  } else if (name.setting) {
    const std::size_t stop = scan_.Until(at_, "\r\n;'\"");
    const bool open = stop == text_.size() || Has("\r\n", text_[stop]);
    all = name.behind_semicolon || (!open && (text_[stop] == ';' || !spaced));
    if (all) end = stop;
  }
  const bool header = colon && Has(name.word, '-');
  const bool column = spaced && !all && !header && !value.starts_with("0x");
  if (!column || LooksLikeToken(value)) MaskTo(end);  // otherwise: password = column
}

}  // namespace toolpost::tools::mssql
