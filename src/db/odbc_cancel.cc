// SQLCancel under a mutex that also guards the end of the statement.
#include "db/odbc_cancel.h"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <string>

#include "base/strings.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kToBegin{5};
constexpr milliseconds kUntilAsleep{10};
constexpr milliseconds kAgain{100};

// It seems that FreeTDS writes the cancel into the buffer of the request, also while the other
// thread is filling it: such statements hung. A thread that sleeps is not filling anything: it
// waits for the server.
bool IsAsleep(pid_t thread) {
  std::ifstream in(base::StrCat("/proc/self/task/", thread, "/stat"));
  std::string line;
  if (!std::getline(in, line)) return true;  // nothing to know it by
  const std::size_t state = line.rfind(')') + 2;
  return state >= line.size() || line[state] != 'R';
}

pid_t ThisThread() {
  thread_local const pid_t kNumber = gettid();
  return kNumber;
}

}  // namespace

struct OdbcCancel::State : std::enable_shared_from_this<State> {
  void End(OdbcEnd why, std::uint64_t of) {
    const std::lock_guard lock(mutex);
    if (generation != of || statement == nullptr) return;
    OdbcEnd none = OdbcEnd::kNone;
    end.compare_exchange_strong(none, why);
    if (Steady::now() < started + kToBegin || !IsAsleep(thread)) {
      Later(kUntilAsleep, of);
      return;
    }
    odbc.cancel(statement);
    Later(kAgain, of);
  }

  void Later(milliseconds delay, std::uint64_t of) {
    timers.After(delay, [weak = weak_from_this(), of] {
      if (const auto self = weak.lock()) self->End(OdbcEnd::kStopped, of);
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
      if (statement == nullptr) return;
      if (Steady::now() < deadline) return Watch();
      of = generation;
    }
    End(OdbcEnd::kTimeout, of);
  }

  State(const Libodbc& library, base::TimerQueue& queue) : odbc(library), timers(queue) {}

  const Libodbc& odbc;
  base::TimerQueue& timers;
  std::mutex mutex;
  SQLHSTMT statement = nullptr;
  pid_t thread = 0;  // that runs it
  std::uint64_t generation = 0;
  Steady::time_point started;
  Steady::time_point deadline;
  Steady::time_point check_at = Steady::time_point::max();  // the next timer
  std::atomic<OdbcEnd> end = OdbcEnd::kNone;
};

OdbcCancel::OdbcCancel(const Libodbc& odbc, base::TimerQueue& timers)
    : timers_(timers), state_(std::make_shared<State>(odbc, timers)) {}

OdbcCancel::~OdbcCancel() { Finish(); }

void OdbcCancel::Start(SQLHSTMT statement, Steady::time_point deadline, std::stop_token stop) {
  std::uint64_t generation = 0;
  {
    const std::lock_guard lock(state_->mutex);
    generation = ++state_->generation;
    state_->statement = statement;
    state_->thread = ThisThread();
    state_->started = Steady::now();
    state_->deadline = deadline;
    state_->end = OdbcEnd::kNone;
    state_->Watch();
  }
  if (!stop.stop_possible()) return;
  const auto end = [weak = std::weak_ptr(state_), generation] {
    if (const auto state = weak.lock()) state->End(OdbcEnd::kStopped, generation);
  };
  // Not in the thread that asks: SQLCancel may wait for the server.
  on_stop_.emplace(std::move(stop), [this, end] { timers_.After(milliseconds(0), end); });
}

OdbcEnd OdbcCancel::end() const { return state_->end.load(std::memory_order_relaxed); }

OdbcEnd OdbcCancel::Finish() {
  on_stop_.reset();
  const std::lock_guard lock(state_->mutex);
  state_->statement = nullptr;
  ++state_->generation;
  return state_->end;
}

}  // namespace toolpost::db
