// Start and end tags with their attributes.
#include <algorithm>

#include "html/characters.h"
#include "html/tokenizer.h"

namespace toolpost::html {

// Stands at the name. A tag that the end of the document cuts off gives no token.
bool Tokenizer::Tag(Token& token, Token::Kind kind) {
  token.kind = kind;
  token.name.clear();
  for (int c = Peek(); !IsSpace(c) && c != '/' && c != '>'; c = Peek()) {
    if (c == kEnd) return false;
    AppendLower(token.name, c);
    Advance();
  }
  if (!Attributes(token)) return false;
  if (kind == Token::Kind::kEndTag) SetMode(Mode::kData);
  return true;
}

// Up to and with ">"; false at the end of the document.
bool Tokenizer::Attributes(Token& token) {
  Attribute attribute;
  for (;;) {
    SkipSpace();
    const int first = Peek();
    if (first == kEnd) return false;
    Advance();
    if (first == '>') return true;
    if (first == '/') {
      if (Peek() != '>') continue;
      token.self_closing = true;
      Advance();
      return true;
    }
    attribute.name.clear();
    attribute.value.clear();
    AppendLower(attribute.name, first);
    for (int c = Peek(); !IsSpace(c) && c != '/' && c != '>' && c != '='; c = Peek()) {
      if (c == kEnd) return false;
      AppendLower(attribute.name, c);
      Advance();
    }
    SkipSpace();
    if (Peek() == '=') {
      Advance();
      if (!AttributeValue(attribute.value)) return false;
    }
    if (token.attributes.size() == Token::kMaxAttributes) {
      token.attributes_dropped = true;
    } else if (token.Find(attribute.name) == nullptr) {
      token.attributes.push_back(attribute);
    }
  }
}

bool Tokenizer::AttributeValue(std::string& value) {
  SkipSpace();
  const int quote = Peek();
  if (quote == '>') return true;
  const bool quoted = quote == '"' || quote == '\'';
  if (quoted) Advance();
  for (;;) {
    const int c = Peek();
    if (c == kEnd) return false;
    if (quoted ? c == quote : IsSpace(c) || c == '>') {
      if (quoted) Advance();
      return true;
    }
    if (c == '&') {
      AppendReference(value, true);
    } else {
      AppendCharacter(value, c);
      Advance();
    }
  }
}

}  // namespace toolpost::html
