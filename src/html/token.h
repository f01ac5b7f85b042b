// One piece of an HTML document as the tokenizer gives it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::html {

struct Attribute {
  std::string name;  // lower case
  std::string value;
};

struct Doctype {
  std::optional<std::string> name, public_id, system_id;
  bool force_quirks = false;
};

struct Token {
  enum class Kind { kText, kStartTag, kEndTag, kComment, kDoctype };

  // An element that has more is none of an honest page; the rest is dropped.
  static constexpr std::size_t kMaxAttributes = 64;

  Kind kind = Kind::kText;
  std::string_view text;  // of kText and kComment; valid until the next token
  std::string name;       // of tags, lower case
  std::vector<Attribute> attributes;
  bool attributes_dropped = false;
  bool self_closing = false;
  Doctype doctype;

  // Null when there is no such attribute.
  const std::string* Find(std::string_view attribute) const {
    for (const Attribute& each : attributes) {
      if (each.name == attribute) return &each.value;
    }
    return nullptr;
  }
};

}  // namespace toolpost::html
