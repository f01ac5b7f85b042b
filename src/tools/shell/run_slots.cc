// Counting under one lock.
#include "tools/shell/run_slots.h"

namespace toolpost::tools::shell {

bool RunSlots::Free(const std::string& user) const {
  if (running_ >= limits_.running) return false;
  const auto found = by_user_.find(user);
  return found == by_user_.end() || found->second < limits_.per_user;
}

Result<RunSlots::Slot> RunSlots::Acquire(const std::string& user, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!Free(user)) {
    if (waiting_ >= limits_.waiting)
      return Error::Unavailable("Too many commands are running and waiting; try again later");
    ++waiting_;
    const bool got = changed_.wait(lock, stop, [&] { return Free(user); });
    --waiting_;
    if (!got) return Error::Cancelled();
  }
  ++running_;
  ++by_user_[user];
  return Slot(this, user);
}

void RunSlots::Release(const std::string& user) {
  {
    const std::lock_guard lock(mutex_);
    --running_;
    const auto found = by_user_.find(user);
    if (found != by_user_.end() && --found->second == 0) by_user_.erase(found);
  }
  changed_.notify_all();
}

}  // namespace toolpost::tools::shell
