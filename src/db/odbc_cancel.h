// Ends a statement that another thread is running.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/timer_queue.h"
#include "db/libodbc.h"

namespace toolpost::db {

// Why a statement was ended before it had finished.
enum class OdbcEnd { kNone, kTimeout, kStopped };

// Watches one statement at a time: when the deadline passes or `stop` is requested, SQLCancel is
// called on the timer thread, again and again until the statement is over, because a cancel that
// arrives before the driver has begun is lost. Start() and Finish() are called by the thread that
// runs the statement.
class OdbcCancel {
 public:
  OdbcCancel(const Libodbc& odbc, base::TimerQueue& timers);
  ~OdbcCancel();
  OdbcCancel(const OdbcCancel&) = delete;
  OdbcCancel& operator=(const OdbcCancel&) = delete;

  void Start(SQLHSTMT statement, std::chrono::steady_clock::time_point deadline,
             std::stop_token stop);
  // Cheap: for use between rows.
  OdbcEnd end() const;
  // No cancel is under way, or will be, when this returns: the statement may be freed.
  OdbcEnd Finish();

 private:
  struct State;

  base::TimerQueue& timers_;
  std::shared_ptr<State> state_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

}  // namespace toolpost::db
