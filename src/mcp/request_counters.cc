// The table of methods, and counters for those in use.
#include "mcp/request_counters.h"

#include <algorithm>

#include "mcp/made_once.h"

namespace toolpost::mcp {
namespace {

// The last one stands for all others.
constexpr std::array<std::string_view, 21> kNames = {"tools/call",
                                                     "tools/list",
                                                     "ping",
                                                     "initialize",
                                                     "server/discover",
                                                     "resources/list",
                                                     "resources/read",
                                                     "resources/templates/list",
                                                     "resources/subscribe",
                                                     "resources/unsubscribe",
                                                     "prompts/list",
                                                     "prompts/get",
                                                     "completion/complete",
                                                     "logging/setLevel",
                                                     "subscriptions/listen",
                                                     "tasks/get",
                                                     "tasks/result",
                                                     "tasks/list",
                                                     "tasks/update",
                                                     "tasks/cancel",
                                                     RequestCounters::kOther};

std::size_t IndexOf(std::string_view method) {
  return static_cast<std::size_t>(std::find(kNames.begin(), kNames.end() - 1, method) -
                                  kNames.begin());
}

}  // namespace

RequestCounters::~RequestCounters() {
  for (auto& method : methods_) delete method.load();
}

std::string_view RequestCounters::KnownMethod(std::string_view method) {
  return kNames[IndexOf(method)];
}

std::uint64_t RequestCounters::total() const {
  std::uint64_t sum = 0;
  for (const Shard& shard : shards_) sum += shard.total.load(std::memory_order_relaxed);
  return sum;
}

std::uint64_t RequestCounters::failed() const {
  std::uint64_t sum = 0;
  for (const Shard& shard : shards_) sum += shard.failed.load(std::memory_order_relaxed);
  return sum;
}

OperationCounters& RequestCounters::CountersOf(std::size_t method) {
  static_assert(kNames.size() <= kMethods);
  return MadeOnce(methods_[method]);
}

void RequestCounters::Record(std::string_view method, Ending ending,
                             std::chrono::nanoseconds elapsed,
                             std::chrono::steady_clock::time_point ended,
                             std::string_view request_id) {
  if (!timed_.load(std::memory_order_relaxed)) return;
  CountersOf(IndexOf(method)).Record(ending, elapsed, ended, request_id);
}

std::vector<RequestCounters::Method> RequestCounters::Methods() const {
  std::vector<Method> methods;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const OperationCounters* const counters = methods_[i].load(std::memory_order_acquire);
    if (counters != nullptr) methods.push_back({kNames[i], counters->Read()});
  }
  return methods;
}

void RequestCounters::Reset() {
  for (Shard& shard : shards_) {
    shard.total.store(0, std::memory_order_relaxed);
    shard.failed.store(0, std::memory_order_relaxed);
  }
  for (auto& method : methods_) {
    if (OperationCounters* const counters = method.load(std::memory_order_acquire))
      counters->Reset();
  }
  sessions_.Reset();
}

}  // namespace toolpost::mcp
