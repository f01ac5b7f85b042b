// A small number per thread, for picking a shard.
#pragma once

#include <atomic>
#include <cstddef>

namespace toolpost::mcp {

inline std::size_t ThreadNumber() {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t kMine = next.fetch_add(1, std::memory_order_relaxed);
  return kMine;
}

}  // namespace toolpost::mcp
