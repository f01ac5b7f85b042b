// sqlite3_interrupt under a mutex that also guards the end of the statement.
#include "db/sqlite_interrupt.h"

#include <mutex>
#include <utility>

#include "db/libsqlite.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kAgain{20};

}  // namespace

struct SqliteInterrupt::State : std::enable_shared_from_this<State> {
  State(sqlite3* connection, base::TimerQueue& queue) : database(connection), timers(queue) {}

  void End(std::uint64_t of) {
    const std::lock_guard lock(mutex);
    if (!running || generation != of) return;
    LibSqlite::Loaded().interrupt(database);
    timers.After(kAgain, [weak = weak_from_this(), of] {
      if (const auto self = weak.lock()) self->End(of);
    });
  }

  // One timer serves many statements, because setting one wakes a thread: when it fires, it looks
  // at the deadline of the statement that runs then. With the mutex held.
  void Watch() {
    if (deadline >= check_at) return;
    check_at = deadline;
    timers.After(std::chrono::ceil<milliseconds>(deadline - Steady::now()),
                 [weak = weak_from_this()] {
                   if (const auto self = weak.lock()) self->Check();
                 });
  }

  void Check() {
    std::uint64_t of = 0;
    {
      const std::lock_guard lock(mutex);
      if (Steady::now() >= check_at) check_at = Steady::time_point::max();
      if (!running) return;
      if (Steady::now() < deadline) return Watch();
      of = generation;
    }
    End(of);
  }

  sqlite3* const database;
  base::TimerQueue& timers;
  std::mutex mutex;
  bool running = false;
  std::uint64_t generation = 0;
  Steady::time_point deadline;
  Steady::time_point check_at = Steady::time_point::max();  // the next timer
};

void SqliteInterrupt::OnStop::operator()() const { state->End(generation); }

SqliteInterrupt::SqliteInterrupt(sqlite3* database, base::TimerQueue& timers)
    : state_(std::make_shared<State>(database, timers)) {}

SqliteInterrupt::~SqliteInterrupt() { Finish(); }

void SqliteInterrupt::Start(Steady::time_point deadline, std::stop_token stop) {
  std::uint64_t generation = 0;
  {
    const std::lock_guard lock(state_->mutex);
    generation = ++state_->generation;
    state_->running = true;
    state_->deadline = deadline;
    state_->Watch();
  }
  if (stop.stop_possible()) on_stop_.emplace(std::move(stop), OnStop{state_.get(), generation});
}

void SqliteInterrupt::Finish() {
  on_stop_.reset();
  const std::lock_guard lock(state_->mutex);
  state_->running = false;
}

}  // namespace toolpost::db
