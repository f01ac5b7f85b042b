// For maps keyed by std::string that are asked with a std::string_view.
#pragma once

#include <functional>
#include <string_view>

namespace toolpost::base {

struct StringHash : std::hash<std::string_view> {
  using is_transparent = void;
};

}  // namespace toolpost::base
