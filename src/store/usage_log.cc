// A bounded queue in memory, and the thread that empties it into the store.
#include "store/usage_log.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "store/usage_table.h"

namespace toolpost::store {
namespace {

constexpr std::size_t kMostWaiting = 100'000;
constexpr std::size_t kBatch = 2'000;
constexpr std::size_t kLongestText = 512;
constexpr std::chrono::milliseconds kInterval{500};

}  // namespace

struct UsageLog::Impl {
  explicit Impl(std::shared_ptr<Store> given) : store(std::move(given)) {}

  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    if (writer.joinable()) writer.join();
    Drain();
    if (!waiting.empty()) {
      base::Log(base::Severity::kError, "usage entries lost at exit",
                {{"count", static_cast<std::int64_t>(waiting.size())}});
    }
  }

  void Record(Usage usage) {
    for (std::string* text : {&usage.key_id, &usage.user_id, &usage.resource, &usage.method,
                              &usage.address, &usage.user_agent}) {
      MakeStorable(*text, kLongestText);
    }
    const std::lock_guard lock(mutex);
    waiting.push_back(std::move(usage));
    DropOldest();
    if (!writer.joinable() && !stopping) writer = std::thread([this] { Write(); });
    if (waiting.size() == 1) wake.notify_one();
  }

  // With the mutex held.
  void DropOldest() {
    while (waiting.size() > kMostWaiting) {
      waiting.pop_front();
      ++dropped;
    }
  }

  // An entry waits one interval for company, then the queue is emptied.
  void Write() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      wake.wait(lock, [&] { return stopping || !waiting.empty(); });
      wake.wait_for(lock, kInterval, [&] { return stopping; });
      if (stopping) return;
      lock.unlock();
      Drain();
      lock.lock();
    }
  }

  void Drain() {
    const std::lock_guard one_at_a_time(drain_mutex);
    for (;;) {
      std::vector<Usage> batch = Take();
      if (batch.empty()) return;
      const Result<void> written = InsertUsage(*store, batch);
      Report(written);
      if (written) continue;
      PutBack(std::move(batch));
      return;
    }
  }

  std::vector<Usage> Take() {
    const std::lock_guard lock(mutex);
    const auto end =
        waiting.begin() + static_cast<std::ptrdiff_t>(std::min(kBatch, waiting.size()));
    std::vector<Usage> batch(std::make_move_iterator(waiting.begin()),
                             std::make_move_iterator(end));
    waiting.erase(waiting.begin(), end);
    return batch;
  }

  void PutBack(std::vector<Usage> batch) {
    const std::lock_guard lock(mutex);
    waiting.insert(waiting.begin(), std::make_move_iterator(batch.begin()),
                   std::make_move_iterator(batch.end()));
    DropOldest();
  }

  // Says when writing stops and starts to work, and how much was lost meanwhile; with drain_mutex
  // held.
  void Report(const Result<void>& written) {
    if (!written && !failing) {
      base::Log(base::Severity::kWarning, "usage log not written; entries wait",
                {{"detail", std::string_view(written.error().message)}});
    }
    failing = !written;
    std::uint64_t total;
    {
      const std::lock_guard lock(mutex);
      total = dropped;
    }
    if (!written || total == reported) return;
    base::Log(base::Severity::kError, "usage entries dropped",
              {{"count", static_cast<std::int64_t>(total - reported)}});
    reported = total;
  }

  const std::shared_ptr<Store> store;
  std::mutex drain_mutex;  // taken before `mutex`
  bool failing = false;
  std::uint64_t reported = 0;
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Usage> waiting;
  std::uint64_t dropped = 0;
  bool stopping = false;
  std::thread writer;
};

UsageLog::UsageLog(std::shared_ptr<Store> store)
    : impl_(std::make_unique<Impl>(std::move(store))) {}
UsageLog::~UsageLog() = default;

void UsageLog::Record(Usage usage) { impl_->Record(std::move(usage)); }
void UsageLog::Flush() { impl_->Drain(); }

std::uint64_t UsageLog::dropped() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->dropped;
}

Result<std::vector<Usage>> UsageLog::OfKey(std::string_view key_id, std::int64_t limit) {
  Flush();
  return SelectUsage(*impl_->store, UsageOf::kKey, key_id, limit);
}

Result<std::vector<Usage>> UsageLog::OfUser(std::string_view user_id, std::int64_t limit) {
  Flush();
  return SelectUsage(*impl_->store, UsageOf::kUser, user_id, limit);
}

}  // namespace toolpost::store
