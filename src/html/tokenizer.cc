// Text in all modes, and where markup begins.
#include "html/tokenizer.h"

#include <algorithm>

#include "base/strings.h"
#include "html/characters.h"

namespace toolpost::html {

bool Tokenizer::Next(Token& token) {
  token.attributes.clear();
  token.attributes_dropped = false;
  token.self_closing = false;
  while (at_ < input_.size()) {
    bool found = false;
    switch (mode_) {
      case Mode::kData:
        found = Data(token);
        break;
      case Mode::kRcdata:
        found = Rcdata(token);
        break;
      case Mode::kRawtext:
        found = Rawtext(token);
        break;
      case Mode::kScript:
        found = Script(token);
        break;
      case Mode::kPlaintext:
        found = Plaintext(token);
        break;
      case Mode::kCdata:
        found = Cdata(token);
        break;
    }
    if (found) return true;
  }
  return false;
}

void Tokenizer::SetMode(Mode mode, std::string_view end_tag) {
  mode_ = mode;
  end_tag_ = end_tag;
  escape_ = Escape::kNone;
  dashes_ = 0;
}

bool Tokenizer::Text(Token& token, std::string_view text, std::size_t consumed) {
  token.kind = Token::Kind::kText;
  token.text = text;
  Skip(consumed);
  return true;
}

bool Tokenizer::Run(Token& token, std::string_view stops, bool replace_nul) {
  const char first = input_[at_];
  if (first == '\r') return Text(token, "\n", Look(1) == '\n' ? 2 : 1);
  if (first == '\0' && replace_nul) return Text(token, kReplacementCharacter, 1);
  std::size_t end = at_;
  while (end < input_.size() && stops.find(input_[end]) == stops.npos && input_[end] != '\r' &&
         !(input_[end] == '\0' && replace_nul)) {
    ++end;
  }
  // A stop that turned out to be text.
  end = std::max(end, at_ + 1);
  return Text(token, input_.substr(at_, end - at_), end - at_);
}

bool Tokenizer::Reference(Token& token) {
  scratch_.clear();
  AppendReference(scratch_, false);
  return Text(token, scratch_, 0);
}

bool Tokenizer::Data(Token& token) {
  if (Look(0) == '<') return Markup(token);
  if (Look(0) == '&') return Reference(token);
  return Run(token, "<&", false);
}

bool Tokenizer::Rcdata(Token& token) {
  if (EndTagAhead()) return Tag(token, Token::Kind::kEndTag);
  if (Look(0) == '&') return Reference(token);
  return Run(token, "<&", true);
}

bool Tokenizer::Rawtext(Token& token) {
  if (EndTagAhead()) return Tag(token, Token::Kind::kEndTag);
  return Run(token, "<", true);
}

bool Tokenizer::Plaintext(Token& token) { return Run(token, "", true); }

bool Tokenizer::Cdata(Token& token) {
  if (input_.substr(at_, 3) == "]]>") {
    Skip(3);
    mode_ = Mode::kData;
    return false;
  }
  return Run(token, "]", false);
}

// "Appropriate end tag token". Stands before its name afterwards.
bool Tokenizer::EndTagAhead() {
  if (end_tag_.empty() || Look(0) != '<' || Look(1) != '/') return false;
  steps_ += end_tag_.size();
  if (!base::EqualIgnoringCase(input_.substr(at_ + 2, end_tag_.size()), end_tag_)) return false;
  const int after = Look(2 + end_tag_.size());
  if (!IsSpace(after) && after != '/' && after != '>') return false;
  Skip(2);
  return true;
}

bool Tokenizer::Markup(Token& token) {
  const int next = Look(1);
  if (IsLetter(next)) {
    Skip(1);
    return Tag(token, Token::Kind::kStartTag);
  }
  if (next == '!') {
    Skip(2);
    return Declaration(token);
  }
  if (next == '?') {
    Skip(1);
    return BogusComment(token);
  }
  if (next != '/') return Text(token, "<", 1);
  if (IsLetter(Look(2))) {
    Skip(2);
    return Tag(token, Token::Kind::kEndTag);
  }
  if (Look(2) == kEnd) return Text(token, "</", 2);
  Skip(2);
  if (Peek() != '>') return BogusComment(token);
  Skip(1);
  return false;
}

void Tokenizer::SkipSpace() {
  while (IsSpace(Peek())) Advance();
}

bool Tokenizer::AheadIgnoringCase(std::string_view word) const {
  return base::EqualIgnoringCase(input_.substr(std::min(at_, input_.size()), word.size()), word);
}

}  // namespace toolpost::html
