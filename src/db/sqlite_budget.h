// What a caller's statement may allocate within SQLite, and until when.
//
// The progress handler and interrupts reach a statement only while it runs. Preparing one can take
// as much time and memory: common table expressions are copied for each use, and thirty that double
// the one before would fill the machine. So SQLite's allocations are counted, and fail for the
// statement that has had enough, which SQLite is made to survive.
#pragma once

#include <chrono>
#include <cstdint>

#include <sqlite3.h>

namespace toolpost::db {

// For what this thread does while it lives. At most one at a time on a thread.
class SqliteBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  SqliteBudget(std::int64_t bytes, Time deadline);
  ~SqliteBudget();
  SqliteBudget(const SqliteBudget&) = delete;
  SqliteBudget& operator=(const SqliteBudget&) = delete;

  // Whether this thread has a budget whose deadline has passed.
  static bool Late();
  // Whether it would have had enough without anybody else: it was refused more, or holds half.
  static bool Spent();

  // Before anything else is asked of the library. False when it does not take our allocator.
  static bool Install(decltype(sqlite3_config)* config);

 private:
  friend struct SqliteAllocator;
  bool Allows(std::int64_t bytes);

  const std::int64_t bytes_;
  std::int64_t left_;
  bool spent_ = false;
  const Time deadline_;
  unsigned allocations_ = 0;
};

}  // namespace toolpost::db
