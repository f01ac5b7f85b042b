// Per-tool counters, sharded by thread and summed on read.
#include "mcp/tool_metrics.h"

#include <algorithm>

#include "base/clock.h"
#include "mcp/thread_number.h"

namespace toolpost::mcp {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

constexpr std::array<std::int64_t, kHistogramBounds.size()> BoundsInNanoseconds() {
  std::array<std::int64_t, kHistogramBounds.size()> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i)
    // Positive, and std::lround is not constexpr. NOLINTNEXTLINE(bugprone-incorrect-roundings)
    bounds[i] = static_cast<std::int64_t>(kHistogramBounds[i] * 1e9 + 0.5);
  return bounds;
}

}  // namespace

void ToolCounters::Record(bool success, std::chrono::nanoseconds elapsed,
                          std::chrono::steady_clock::time_point ended) {
  static constexpr auto kBounds = BoundsInNanoseconds();
  Shard& shard = shards_[ThreadNumber() % kShards];
  const std::int64_t ns = std::max<std::int64_t>(elapsed.count(), 0);
  // Nearly every call ends in one of the first buckets, so a linear search is the fast one.
  const auto bucket =
      std::ranges::find_if(kBounds, [ns](std::int64_t bound) { return ns <= bound; });
  shard.buckets[static_cast<std::size_t>(bucket - kBounds.begin())].fetch_add(1, kRelaxed);
  shard.total_ns.fetch_add(static_cast<std::uint64_t>(ns), kRelaxed);
  if (!success) shard.failures.fetch_add(1, kRelaxed);
  shard.last_ended_ns.store(std::chrono::nanoseconds(ended.time_since_epoch()).count(), kRelaxed);
}

ToolMetrics ToolCounters::Read() const {
  ToolMetrics metrics;
  metrics.histogram.resize(kHistogramBounds.size() + 1);
  std::uint64_t total_ns = 0;
  std::int64_t last_ended_ns = 0;
  for (const Shard& shard : shards_) {
    for (std::size_t i = 0; i < shard.buckets.size(); ++i) {
      const std::uint64_t count = shard.buckets[i].load(kRelaxed);
      metrics.histogram[i] += count;
      metrics.total_invocations += count;
    }
    metrics.failed_invocations += shard.failures.load(kRelaxed);
    total_ns += shard.total_ns.load(kRelaxed);
    last_ended_ns = std::max(last_ended_ns, shard.last_ended_ns.load(kRelaxed));
  }
  if (metrics.total_invocations == 0) return metrics;
  metrics.failed_invocations = std::min(metrics.failed_invocations, metrics.total_invocations);
  metrics.successful_invocations = metrics.total_invocations - metrics.failed_invocations;
  metrics.average_execution_ms =
      static_cast<double>(total_ns) / 1e6 / static_cast<double>(metrics.total_invocations);
  const std::chrono::nanoseconds ago =
      std::chrono::steady_clock::now().time_since_epoch() - std::chrono::nanoseconds(last_ended_ns);
  metrics.last_invoked = base::Now() - std::chrono::duration_cast<base::WallTime::duration>(ago);
  return metrics;
}

void ToolCounters::Reset() {
  for (Shard& shard : shards_) {
    for (auto& bucket : shard.buckets) bucket.store(0, kRelaxed);
    shard.failures.store(0, kRelaxed);
    shard.total_ns.store(0, kRelaxed);
    shard.last_ended_ns.store(0, kRelaxed);
  }
}

}  // namespace toolpost::mcp
