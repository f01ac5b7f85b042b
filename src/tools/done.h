// The reply of tools that only do something.
#pragma once

#include <string>
#include <tuple>

#include "toolpost/schema.h"

namespace toolpost::tools {

struct Done {
  bool success = true;
  std::string message;
  static constexpr auto Fields() {
    return std::tuple{Req("success", &Done::success), Req("message", &Done::message)};
  }
};

}  // namespace toolpost::tools
