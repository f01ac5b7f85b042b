// Counters of one tool: how often, how long, how well.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "toolpost/server.h"

namespace toolpost::mcp {

// Upper bounds of the latency buckets in seconds; a last bucket takes the rest.
inline constexpr std::array<double, 16> kHistogramBounds = {
    0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300};

// Thread-safe. Record() is four relaxed atomic writes on memory that few threads share; a Read()
// that runs beside it may see a call half counted. About 1.5 KiB per tool.
class ToolCounters {
 public:
  // `ended` is the end of the call, on the clock that measured `elapsed`.
  void Record(bool success, std::chrono::nanoseconds elapsed,
              std::chrono::steady_clock::time_point ended);
  ToolMetrics Read() const;
  void Reset();

 private:
  static constexpr std::size_t kShards = 8;

  struct alignas(64) Shard {
    std::array<std::atomic<std::uint64_t>, kHistogramBounds.size() + 1> buckets{};
    std::atomic<std::uint64_t> failures{0};
    std::atomic<std::uint64_t> total_ns{0};
    std::atomic<std::int64_t> last_ended_ns{0};  // of the steady clock; 0: never
  };

  std::array<Shard, kShards> shards_;
};

}  // namespace toolpost::mcp
