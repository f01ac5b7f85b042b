// What begins with "<!" or "<?": comments, DOCTYPE, CDATA sections.
#include <string>

#include "html/characters.h"
#include "html/tokenizer.h"

namespace toolpost::html {

bool Tokenizer::Declaration(Token& token) {
  if (AheadIgnoringCase("--")) {
    Skip(2);
    return Comment(token);
  }
  if (AheadIgnoringCase("doctype")) {
    Skip(7);
    return ParseDoctype(token);
  }
  if (cdata_ && input_.substr(at_, 7) == "[CDATA[") {
    Skip(7);
    mode_ = Mode::kCdata;
    return false;
  }
  return BogusComment(token);
}

bool Tokenizer::BogusComment(Token& token) {
  scratch_.clear();
  for (int c = Peek(); c != kEnd; c = Peek()) {
    Advance();
    if (c == '>') break;
    AppendCharacter(scratch_, c);
  }
  token.kind = Token::Kind::kComment;
  token.text = scratch_;
  return true;
}

// Dashes (and a bang after two of them) are held back until it is known whether ">" follows. Right
// after "<!--" fewer than two are enough to end the comment.
bool Tokenizer::Comment(Token& token) {
  scratch_.clear();
  std::size_t dashes = 0;
  bool bang = false;
  bool opening = true;
  const auto release = [&] {
    scratch_.append(dashes, '-');
    if (bang) scratch_.push_back('!');
    dashes = 0;
    bang = false;
    opening = false;
  };
  for (int c = Peek(); c != kEnd; c = Peek()) {
    Advance();
    if (c == '>' && (opening || dashes >= 2)) break;
    if (c == '-' && bang) release();
    if (c == '-') {
      ++dashes;
    } else if (c == '!' && dashes >= 2 && !bang) {
      bang = true;
    } else {
      release();
      AppendCharacter(scratch_, c);
    }
  }
  if (dashes > 2) scratch_.append(dashes - 2, '-');
  token.kind = Token::Kind::kComment;
  token.text = scratch_;
  return true;
}

bool Tokenizer::ParseDoctype(Token& token) {
  token.kind = Token::Kind::kDoctype;
  token.doctype = {};
  Doctype& doctype = token.doctype;
  SkipSpace();
  if (Peek() != '>' && Peek() != kEnd) DoctypeName(doctype);
  if (Peek() == kEnd || (Peek() == '>' && !doctype.name)) doctype.force_quirks = true;
  if (Peek() != '>' && !DoctypeIdentifiers(doctype)) {
    while (Peek() != '>' && Peek() != kEnd) Advance();
  }
  if (Peek() == '>') Advance();
  return true;
}

void Tokenizer::DoctypeName(Doctype& doctype) {
  doctype.name.emplace();
  for (int c = Peek(); c != kEnd && c != '>' && !IsSpace(c); c = Peek()) {
    AppendLower(*doctype.name, c);
    Advance();
  }
  SkipSpace();
}

// False: what follows up to ">" is to be skipped.
bool Tokenizer::DoctypeIdentifiers(Doctype& doctype) {
  if (Peek() == kEnd) return true;
  const bool is_public = AheadIgnoringCase("public");
  if (!is_public && !AheadIgnoringCase("system")) {
    doctype.force_quirks = true;
    return false;
  }
  Skip(6);
  SkipSpace();
  if (is_public) {
    if (!DoctypeIdentifier(doctype, doctype.public_id)) return false;
    SkipSpace();
    if (Peek() == '>') return true;
  }
  if (!DoctypeIdentifier(doctype, doctype.system_id)) return false;
  SkipSpace();
  if (Peek() == kEnd) doctype.force_quirks = true;
  return Peek() == '>';
}

bool Tokenizer::DoctypeIdentifier(Doctype& doctype, std::optional<std::string>& identifier) {
  const int quote = Peek();
  if (quote != '"' && quote != '\'') {
    doctype.force_quirks = true;
    return false;
  }
  Advance();
  identifier.emplace();
  for (int c = Peek(); c != quote; c = Peek()) {
    if (c == '>' || c == kEnd) {
      doctype.force_quirks = true;
      return false;
    }
    AppendCharacter(*identifier, c);
    Advance();
  }
  Advance();
  return true;
}

}  // namespace toolpost::html
