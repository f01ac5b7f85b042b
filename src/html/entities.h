// The named character references of HTML. Inside of the tokenizer.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolpost::html {

struct EntityMatch {
  std::string_view value;  // UTF-8
  std::size_t length = 0;  // of the name, with its semicolon if it has one; 0: no match
};

// The longest name `text` begins with; `text` stands after the ampersand. Looks at no more than the
// longest name. Thread-safe.
EntityMatch FindEntity(std::string_view text);

}  // namespace toolpost::html
