// Counters sharded by thread and summed on read.
#include "mcp/operation_counters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mcp/thread_number.h"

namespace toolpost::mcp {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr std::size_t kLongestId = 40;

constexpr std::array<std::int64_t, kHistogramBounds.size()> BoundsInNanoseconds() {
  std::array<std::int64_t, kHistogramBounds.size()> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i)
    // Positive, and std::lround is not constexpr. NOLINTNEXTLINE(bugprone-incorrect-roundings)
    bounds[i] = static_cast<std::int64_t>(kHistogramBounds[i] * 1e9 + 0.5);
  return bounds;
}

std::optional<base::WallTime> WallTimeOf(std::int64_t steady_ns) {
  if (steady_ns == 0) return std::nullopt;
  const std::chrono::nanoseconds ago =
      std::chrono::steady_clock::now().time_since_epoch() - std::chrono::nanoseconds(steady_ns);
  return base::Now() - std::chrono::duration_cast<base::WallTime::duration>(ago);
}

}  // namespace

std::uint64_t Times::count() const {
  return std::accumulate(buckets.begin(), buckets.end(), std::uint64_t{0});
}

void Times::Add(const Times& other) {
  for (std::size_t i = 0; i < buckets.size(); ++i) buckets[i] += other.buckets[i];
  total_ns += other.total_ns;
}

double Times::Quantile(double q) const {
  const double wanted = q * static_cast<double>(count());
  double below = 0;
  for (std::size_t i = 0; i < kHistogramBounds.size(); ++i) {
    const auto here = static_cast<double>(buckets[i]);
    if (here > 0 && below + here >= wanted) {
      const double from = i == 0 ? 0 : kHistogramBounds[i - 1];
      return from + (kHistogramBounds[i] - from) * (wanted - below) / here;
    }
    below += here;
  }
  return buckets.back() == 0 ? 0 : kHistogramBounds.back();
}

struct OperationCounters::FailureCounts {
  explicit FailureCounts(Ending of) : ending(of) {}

  // Whoever finds the text being written or read leaves it: it is the last one of many anyway.
  void KeepId(std::string_view id) {
    if (writing.test_and_set(std::memory_order_acquire)) return;
    id_size = id.copy(request_id, kLongestId);
    writing.clear(std::memory_order_release);
  }
  std::string Id() {
    while (writing.test_and_set(std::memory_order_acquire)) {
    }
    std::string id(request_id, id_size);
    writing.clear(std::memory_order_release);
    return id;
  }

  const Ending ending;
  FailureCounts* next = nullptr;
  Counts counts;
  std::atomic_flag writing;
  std::size_t id_size = 0;
  char request_id[kLongestId];
};

void OperationCounters::Counts::Add(std::int64_t ns, Clock::time_point ended) {
  static constexpr auto kBounds = BoundsInNanoseconds();
  // Nearly every call ends in one of the first buckets, so a linear search is the fast one.
  const auto bucket =
      std::ranges::find_if(kBounds, [ns](std::int64_t bound) { return ns <= bound; });
  buckets[static_cast<std::size_t>(bucket - kBounds.begin())].fetch_add(1, kRelaxed);
  total_ns.fetch_add(static_cast<std::uint64_t>(ns), kRelaxed);
  last_ended_ns.store(std::chrono::nanoseconds(ended.time_since_epoch()).count(), kRelaxed);
}

void OperationCounters::Counts::AddTo(Times& times) const {
  for (std::size_t i = 0; i < buckets.size(); ++i) times.buckets[i] += buckets[i].load(kRelaxed);
  times.total_ns += total_ns.load(kRelaxed);
}

void OperationCounters::Counts::Reset() {
  for (auto& bucket : buckets) bucket.store(0, kRelaxed);
  total_ns.store(0, kRelaxed);
  last_ended_ns.store(0, kRelaxed);
}

OperationCounters::~OperationCounters() {
  for (FailureCounts* each = failures_.load(); each != nullptr;)
    delete std::exchange(each, each->next);
}

OperationCounters::FailureCounts& OperationCounters::CountsOf(Ending ending) {
  FailureCounts* made = nullptr;
  FailureCounts* first = failures_.load(std::memory_order_acquire);
  for (;;) {
    for (FailureCounts* each = first; each != nullptr; each = each->next) {
      if (each->ending != ending) continue;
      delete made;
      return *each;
    }
    if (made == nullptr) made = new FailureCounts(ending);
    made->next = first;
    if (failures_.compare_exchange_weak(first, made, std::memory_order_acq_rel)) return *made;
  }
}

void OperationCounters::Record(Ending ending, std::chrono::nanoseconds elapsed,
                               Clock::time_point ended, std::string_view request_id) {
  const std::int64_t ns = std::max<std::int64_t>(elapsed.count(), 0);
  if (ending.ok()) return shards_[ThreadNumber() % kShards].Add(ns, ended);
  FailureCounts& failure = CountsOf(ending);
  failure.counts.Add(ns, ended);
  failure.KeepId(request_id);
}

OperationCounters::Reading OperationCounters::Read() const {
  Reading reading;
  std::int64_t last_ended_ns = 0;
  for (const Shard& shard : shards_) {
    const std::int64_t last = shard.last_ended_ns.load(kRelaxed);
    if (last == 0) continue;
    shard.AddTo(reading.successes);
    last_ended_ns = std::max(last_ended_ns, last);
  }
  for (FailureCounts* each = failures_.load(std::memory_order_acquire); each != nullptr;
       each = each->next) {
    Failure failure{.ending = each->ending, .times = {}, .last = {}, .last_request_id = {}};
    each->counts.AddTo(failure.times);
    if (failure.times.count() == 0) continue;
    const std::int64_t last = each->counts.last_ended_ns.load(kRelaxed);
    failure.last = WallTimeOf(last);
    failure.last_request_id = each->Id();
    last_ended_ns = std::max(last_ended_ns, last);
    reading.failures.push_back(std::move(failure));
  }
  std::ranges::sort(reading.failures, {}, [](const Failure& each) { return each.ending.name(); });
  reading.last = WallTimeOf(last_ended_ns);
  return reading;
}

void OperationCounters::Reset() {
  for (Shard& shard : shards_) shard.Reset();
  for (FailureCounts* each = failures_.load(std::memory_order_acquire); each != nullptr;
       each = each->next)
    each->counts.Reset();
}

std::uint64_t OperationCounters::Reading::failed() const {
  std::uint64_t count = 0;
  for (const Failure& failure : failures) count += failure.times.count();
  return count;
}

Times OperationCounters::Reading::all() const {
  Times times = successes;
  for (const Failure& failure : failures) times.Add(failure.times);
  return times;
}

ToolMetrics ToMetrics(const OperationCounters::Reading& reading) {
  const Times times = reading.all();
  ToolMetrics metrics;
  metrics.histogram.assign(times.buckets.begin(), times.buckets.end());
  metrics.total_invocations = times.count();
  metrics.successful_invocations = reading.successes.count();
  metrics.failed_invocations = metrics.total_invocations - metrics.successful_invocations;
  metrics.last_invoked = reading.last;
  if (metrics.total_invocations != 0) {
    metrics.average_execution_ms =
        static_cast<double>(times.total_ns) / 1e6 / static_cast<double>(metrics.total_invocations);
  }
  return metrics;
}

}  // namespace toolpost::mcp
