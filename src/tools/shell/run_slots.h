// How many commands run at once, in all and for one user, and how many wait.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "toolpost/result.h"

namespace toolpost::tools::shell {

// Thread-safe; must outlive the slots it gave out.
class RunSlots {
 public:
  struct Limits {
    std::size_t running = 8;
    std::size_t per_user = 4;
    std::size_t waiting = 32;
  };

  // Held while a command runs.
  class Slot {
   public:
    Slot(RunSlots* slots, std::string user) : slots_(slots), user_(std::move(user)) {}
    Slot(Slot&& other) noexcept
        : slots_(std::exchange(other.slots_, nullptr)), user_(std::move(other.user_)) {}
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (slots_ != nullptr) slots_->Release(user_);
    }

   private:
    RunSlots* slots_;
    std::string user_;
  };

  explicit RunSlots(Limits limits) : limits_(limits) {}

  // Waits for a slot. Code::kUnavailable at once when too many wait already, Code::kCancelled when
  // stopped.
  Result<Slot> Acquire(const std::string& user, const std::stop_token& stop);

 private:
  bool Free(const std::string& user) const;
  void Release(const std::string& user);

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t running_ = 0;
  std::size_t waiting_ = 0;
  std::map<std::string, std::size_t> by_user_;
};

}  // namespace toolpost::tools::shell
