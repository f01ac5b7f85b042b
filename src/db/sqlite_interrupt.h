// Ends a statement of SQLite that another thread is running, also within a step that takes long.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/timer_queue.h"

struct sqlite3;

namespace toolpost::db {

// Watches one statement at a time: when the deadline passes or `stop` is requested, the connection
// is interrupted, again and again until the statement is over, because an interrupt that arrives
// before the statement has begun is lost. Start() and Finish() are called by the thread that runs
// the statement. LibSqlite must be loaded.
class SqliteInterrupt {
 public:
  SqliteInterrupt(sqlite3* database, base::TimerQueue& timers);
  ~SqliteInterrupt();
  SqliteInterrupt(const SqliteInterrupt&) = delete;
  SqliteInterrupt& operator=(const SqliteInterrupt&) = delete;

  void Start(std::chrono::steady_clock::time_point deadline, std::stop_token stop);
  // No interrupt is under way, or will be, when this returns: the next statement is not met by it,
  // and the connection may be closed.
  void Finish();

 private:
  struct State;
  struct OnStop {
    State* state;
    std::uint64_t generation;
    void operator()() const;
  };

  const std::shared_ptr<State> state_;
  std::optional<std::stop_callback<OnStop>> on_stop_;
};

}  // namespace toolpost::db
