#pragma once

#include <chrono>
#include <future>

namespace toolpost::base {

// Far longer than anything a test waits for.
inline constexpr std::chrono::seconds kPatience{30};

template <typename Future>
bool Arrives(const Future& future) {
  return future.wait_for(kPatience) == std::future_status::ready;
}

}  // namespace toolpost::base
