// A list and whoever waits for it to grow.
#include "tds_server/record.h"

#include <algorithm>
#include <fstream>

#include "base/json_write.h"

namespace toolpost::tds_server {

void Record::Add(Received received) {
  const std::lock_guard lock(mutex_);
  if (!file_.empty()) {
    std::ofstream(file_, std::ios::app) << base::ToJson(ToJson(received)) << std::endl;
  }
  entries_.push_back(std::move(received));
  added_.notify_all();
}

std::vector<Received> Record::All() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

bool Record::WaitFor(const std::function<bool(const Received&)>& wanted,
                     std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  return added_.wait_for(lock, patience,
                         [&] { return std::any_of(entries_.begin(), entries_.end(), wanted); });
}

void Record::Clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace toolpost::tds_server
