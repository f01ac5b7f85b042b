// One list of open replies, walked every ten seconds.
#include "api/ticker.h"

#include <mutex>
#include <vector>

namespace toolpost::api {

struct Ticking::Watched {
  std::mutex mutex;
  std::vector<Ticking*> all;
};

Ticking::~Ticking() {
  if (watched_ == nullptr) return;
  const std::lock_guard lock(watched_->mutex);
  if (place_ == 0) return;
  Ticking* const last = watched_->all.back();
  watched_->all[place_ - 1] = last;
  last->place_ = place_;
  watched_->all.pop_back();
}

Ticker::Ticker(std::chrono::seconds interval)
    : interval_(interval), watched_(std::make_shared<Ticking::Watched>()) {}

void Ticker::Watch(const std::shared_ptr<Ticking>& open) {
  const std::lock_guard lock(watched_->mutex);
  if (open->place_ != 0) return;
  open->self_ = open;
  open->watched_ = watched_;
  watched_->all.push_back(open.get());
  open->place_ = watched_->all.size();
}

void Ticker::Tick() {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::steady_clock::now().time_since_epoch())
                       .count();
  std::int64_t next = next_.load(std::memory_order_relaxed);
  if (now < next || !next_.compare_exchange_strong(next, now + interval_.count())) return;
  std::vector<std::shared_ptr<Ticking>> open;
  {
    const std::lock_guard lock(watched_->mutex);
    for (Ticking* ticking : watched_->all) {
      ticking->place_ = 0;
      if (auto still_there = ticking->self_.lock()) open.push_back(std::move(still_there));
    }
    watched_->all.clear();
  }
  // They are not watched meanwhile: who says no and is watched again at once is not lost.
  for (const std::shared_ptr<Ticking>& ticking : open) {
    if (ticking->Tick()) Watch(ticking);
  }
}

}  // namespace toolpost::api
