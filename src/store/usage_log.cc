// A bounded queue in memory, and the thread that empties it into the store.
#include "store/usage_log.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "base/log.h"
#include "store/usage_table.h"

namespace toolpost::store {
namespace {

constexpr std::size_t kMostWaiting = 100'000;
constexpr std::size_t kBatch = 2'000;
constexpr std::size_t kLongestText = 512;
constexpr std::chrono::milliseconds kInterval{900};
constexpr std::size_t kFew = 100;  // waiting: entries stay apart
constexpr std::chrono::hours kTidyInterval{1};

std::size_t Mix(std::size_t seed, std::string_view text) {
  return seed * 31 + std::hash<std::string_view>{}(text);
}

// Of what tells most calls apart.
std::size_t HashOf(const UsageNote& note) {
  return Mix(Mix(Mix(0, note.key_id), note.resource), note.address);
}

bool SameKind(const Usage& a, const UsageNote& b) {
  return a.key_id == b.key_id && a.user_id == b.user_id && a.resource == b.resource &&
         a.method == b.method && a.address == b.address && a.user_agent == b.user_agent;
}

Usage EntryFor(const UsageNote& note) {
  const auto storable = [](std::string_view given) {
    std::string text(given);
    MakeStorable(text, kLongestText);
    return text;
  };
  return {.key_id = storable(note.key_id),
          .user_id = storable(note.user_id),
          .at = note.at,
          .resource = storable(note.resource),
          .method = storable(note.method),
          .address = storable(note.address),
          .user_agent = storable(note.user_agent)};
}

}  // namespace

struct UsageLog::Impl {
  Impl(std::shared_ptr<Store> given, std::chrono::seconds kept)
      : store(std::move(given)), keep(kept) {}

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

  void Record(const UsageNote& note) {
    const std::lock_guard lock(mutex);
    if (waiting.size() >= apart && Join(note)) return;
    waiting.push_back(EntryFor(note));
    latest[HashOf(note)] = last = &waiting.back();
    DropOldest();
    if (!writer.joinable() && !stopping) writer = std::thread([this] { Write(); });
    if (waiting.size() == 1) wake.notify_one();
  }

  // Counts a call with an entry that waits, most often the one before. With the mutex held.
  bool Join(const UsageNote& note) {
    if (last == nullptr || !SameKind(*last, note)) {
      const auto found = latest.find(HashOf(note));
      if (found == latest.end() || !SameKind(*found->second, note)) return false;
      last = found->second;
    }
    last->at = std::max(last->at, note.at);
    ++last->count;
    joined = true;
    return true;
  }

  // After a change that may have moved entries. With the mutex held.
  void Forget() {
    latest.clear();
    last = nullptr;
  }

  // With the mutex held.
  void DropOldest() {
    while (waiting.size() > kMostWaiting) {
      Forget();
      waiting.pop_front();
      ++dropped;
    }
  }

  // An entry waits one interval for company, then the queue is emptied. After an interval without
  // any, calls are told apart again.
  void Write() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      wake.wait(lock, [&] { return stopping || !waiting.empty(); });
      wake.wait_for(lock, kInterval, [&] { return stopping; });
      if (stopping) return;
      lock.unlock();
      Drain();
      Tidy();
      lock.lock();
      if (!wake.wait_for(lock, kInterval, [&] { return stopping || !waiting.empty(); }))
        apart = kFew;
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

  void Tidy() {
    const auto now = std::chrono::steady_clock::now();
    if (tidied && now - *tidied < kTidyInterval) return;
    tidied = now;
    const Result<void> removed = RemoveUsageBefore(*store, base::Now() - keep);
    if (!removed) {
      base::Log(base::Severity::kWarning, "old usage entries could not be removed",
                {{"detail", std::string_view(removed.error().message)}});
    }
  }

  std::vector<Usage> Take() {
    const std::lock_guard lock(mutex);
    if (waiting.empty()) return {};
    const auto end =
        waiting.begin() + static_cast<std::ptrdiff_t>(std::min(kBatch, waiting.size()));
    std::vector<Usage> batch(std::make_move_iterator(waiting.begin()),
                             std::make_move_iterator(end));
    waiting.erase(waiting.begin(), end);
    Forget();
    apart = joined ? 0 : kFew;
    joined = false;
    return batch;
  }

  void PutBack(std::vector<Usage> batch) {
    const std::lock_guard lock(mutex);
    waiting.insert(waiting.begin(), std::make_move_iterator(batch.begin()),
                   std::make_move_iterator(batch.end()));
    Forget();
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
  const std::chrono::seconds keep;
  std::optional<std::chrono::steady_clock::time_point> tidied;  // of the writer
  std::mutex drain_mutex;                                       // taken before `mutex`
  bool failing = false;
  std::uint64_t reported = 0;
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Usage> waiting;
  std::unordered_map<std::size_t, Usage*> latest;  // in `waiting`, by HashOf
  Usage* last = nullptr;                           // in `waiting`, of the newest call
  std::size_t apart = kFew;  // so many entries are not joined: none after a busy interval
  bool joined = false;       // since the last batch
  std::uint64_t dropped = 0;
  bool stopping = false;
  std::thread writer;
};

UsageLog::UsageLog(std::shared_ptr<Store> store, std::chrono::seconds keep)
    : impl_(std::make_unique<Impl>(std::move(store), keep)) {}
UsageLog::~UsageLog() = default;

void UsageLog::Record(const UsageNote& note) { impl_->Record(note); }
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
