// Script data: where a script ends although it may contain "</script>" inside "<!-- … -->".
#include <algorithm>

#include "base/strings.h"
#include "html/characters.h"
#include "html/tokenizer.h"

namespace toolpost::html {

bool Tokenizer::Script(Token& token) {
  const std::size_t start = at_;
  while (at_ < input_.size()) {
    const char c = input_[at_];
    if (c == '\0' || c == '\r') break;
    // The run before an end tag is given first; the tag is found again with the next call.
    if (c == '<' && escape_ != Escape::kDouble) {
      const std::size_t tag = at_;
      if (EndTagAhead()) {
        if (tag == start) return Tag(token, Token::Kind::kEndTag);
        at_ = tag;
        break;
      }
    }
    ScriptStep(c);
  }
  if (at_ > start) return Text(token, input_.substr(start, at_ - start), 0);
  dashes_ = 0;
  return Run(token, "", true);
}

void Tokenizer::ScriptStep(char c) {
  if (c == '<') {
    dashes_ = 0;
    if (escape_ == Escape::kNone && input_.substr(at_, 4) == "<!--") {
      escape_ = Escape::kEscaped;
      dashes_ = 2;
      return Skip(4);
    }
    if (escape_ == Escape::kEscaped && IsLetter(Look(1))) {
      if (ScriptWord(1)) escape_ = Escape::kDouble;
      return;
    }
    if (escape_ == Escape::kDouble && Look(1) == '/') {
      if (ScriptWord(2)) escape_ = Escape::kEscaped;
      return;
    }
    return Skip(1);
  }
  if (c == '-') {
    dashes_ = std::min(dashes_ + 1, 2);
  } else {
    if (c == '>' && dashes_ == 2) escape_ = Escape::kNone;
    dashes_ = 0;
  }
  Skip(1);
}

// Passes the word that stands `from` ahead and the character that ends it; whether that is the
// word "script". CR is left for the text.
bool Tokenizer::ScriptWord(std::size_t from) {
  std::size_t end = from;
  while (IsLetter(Look(end))) ++end;
  const int after = Look(end);
  const bool ends = IsSpace(after) || after == '/' || after == '>';
  const bool is_script =
      ends && base::EqualIgnoringCase(input_.substr(at_ + from, end - from), "script");
  Skip(end + (ends && after != '\r' ? 1 : 0));
  return is_script;
}

}  // namespace toolpost::html
