// One list of open replies, walked every ten seconds.
#include "api/ticker.h"

namespace toolpost::api {

void Ticker::Watch(std::weak_ptr<Ticking> open) {
  std::lock_guard lock(mutex_);
  open_.push_back(std::move(open));
}

void Ticker::Tick() {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::steady_clock::now().time_since_epoch())
                       .count();
  std::int64_t next = next_.load(std::memory_order_relaxed);
  if (now < next || !next_.compare_exchange_strong(next, now + interval_.count())) return;
  std::vector<std::weak_ptr<Ticking>> open;
  {
    std::lock_guard lock(mutex_);
    open.swap(open_);
  }
  std::erase_if(open, [](const std::weak_ptr<Ticking>& weak) {
    const auto ticking = weak.lock();
    return ticking == nullptr || !ticking->Tick();
  });
  std::lock_guard lock(mutex_);
  open_.insert(open_.end(), open.begin(), open.end());
}

}  // namespace toolpost::api
