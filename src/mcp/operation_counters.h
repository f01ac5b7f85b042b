// Counters of one operation, such as the calls of a tool: how often, how long, how well.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mcp/ending.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

// Upper bounds of the latency buckets in seconds; a last bucket takes the rest. From 0.01 on they
// are those of the OpenTelemetry conventions for MCP.
inline constexpr std::array<double, 18> kHistogramBounds = {
    0.00001, 0.0001, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300};

// How long operations took: counts per bucket.
struct Times {
  std::array<std::uint64_t, kHistogramBounds.size() + 1> buckets{};
  std::uint64_t total_ns = 0;

  std::uint64_t count() const;
  void Add(const Times& other);
  // The time in seconds that a share `q` (0 to 1) of the operations did not exceed, estimated
  // within its bucket; 0 if there were none.
  double Quantile(double q) const;
};

// Thread-safe. Recording never waits: a few relaxed atomic writes, on memory that few threads share
// where the operation went well. A Read() that runs beside it may see an operation half counted.
// About 1.5 KiB, and 300 bytes for each way to fail that was seen (at most 45).
class OperationCounters {
 public:
  using Clock = std::chrono::steady_clock;

  struct Failure {
    Ending ending;
    Times times;
    std::optional<base::WallTime> last;
    std::string last_request_id;
  };
  struct Reading {
    Times successes;
    std::vector<Failure> failures;  // by name, none with a count of zero
    std::optional<base::WallTime> last;

    std::uint64_t failed() const;
    std::uint64_t total() const { return successes.count() + failed(); }
    Times all() const;
  };

  OperationCounters() = default;
  ~OperationCounters();
  OperationCounters(const OperationCounters&) = delete;
  OperationCounters& operator=(const OperationCounters&) = delete;

  // `ended` is the end of the operation, on the clock that measured `elapsed`. `request_id` is kept
  // of the last failure of each kind, up to 40 bytes.
  void Record(Ending ending, std::chrono::nanoseconds elapsed, Clock::time_point ended,
              std::string_view request_id);
  Reading Read() const;
  void Reset();

 private:
  static constexpr std::size_t kShards = 8;
  struct FailureCounts;

  struct Counts {
    std::array<std::atomic<std::uint64_t>, kHistogramBounds.size() + 1> buckets{};
    std::atomic<std::uint64_t> total_ns{0};
    std::atomic<std::int64_t> last_ended_ns{0};  // of the steady clock; 0: never

    void Add(std::int64_t ns, Clock::time_point ended);
    void AddTo(Times& times) const;
    void Reset();
  };
  struct alignas(64) Shard : Counts {};

  FailureCounts& CountsOf(Ending ending);

  std::array<Shard, kShards> shards_;
  std::atomic<FailureCounts*> failures_{nullptr};  // a list that only grows
};

// As the C++ API gives it.
ToolMetrics ToMetrics(const OperationCounters::Reading& reading);

}  // namespace toolpost::mcp
