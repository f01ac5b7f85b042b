// A bounded set of connections that many threads share.
//
// Acquire() hands out an idle connection that still answers, opens a new one while there are fewer
// than the limit, and otherwise waits for one to come back. When opening fails, the pool does not
// let every caller try for itself: for a pause that doubles with each failure the circuit is open,
// and whoever finds no connection is told at once what is wrong. After the pause one caller tries
// (the others are still told at once); its success closes the circuit. While some connections are
// in use, callers wait for those instead: a server that accepts no more of them is not down.
//
// `Open` opens a connection, on a thread of its own: a caller that cancels or whose deadline passes
// is answered at once, and what was being opened is for the next. It may block until the deadline
// of the caller that asked for it: Code::kTimeout and Code::kCancelled mean that the caller ran out
// of patience and say nothing about the server. `Healthy` says whether an idle connection can still
// be used. Both, and the destructor of a connection, run without the lock, several at a time.
// `Gone` says whether a discarded connection may be closed: until then it counts, so that a server
// that has not noticed the end of its sessions does not get more of them than the limit. It must
// not block.
//
// Thread-safe. The pool must outlive its leases; its destructor waits for what is being opened.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "toolpost/result.h"

namespace toolpost::db {

struct PoolStatus {
  int open = 0;
  int busy = 0;
  int opening = 0;  // besides those that are open
  int limit = 0;
  std::string problem;  // empty unless the circuit is open
};

template <typename Connection>
class Pool {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  struct Options {
    int limit = 8;
    std::function<Result<std::unique_ptr<Connection>>(Time deadline, std::stop_token stop)> open;
    std::function<bool(Connection&)> healthy = [](Connection&) { return true; };
    std::function<bool(Connection&)> gone = [](Connection&) { return true; };
    Duration first_pause = std::chrono::milliseconds(100);
    Duration longest_pause = std::chrono::seconds(10);
    // Connections that nobody wanted for so long are closed when the next one comes back.
    Duration longest_idle = std::chrono::minutes(5);
    std::function<Time()> now = [] { return std::chrono::steady_clock::now(); };  // for tests
  };

  // A connection on loan. Returns it to the pool when it goes, unless Discard() was called.
  class Lease {
   public:
    Lease(Lease&& other) noexcept : pool_(other.pool_), connection_(std::move(other.connection_)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (connection_ != nullptr) pool_->Return(std::move(connection_));
    }

    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }
    // Closes the connection, whose state is not known to be good, as soon as it is gone. The lease
    // is empty then.
    void Discard() { pool_->Discard(std::move(connection_)); }

   private:
    friend class Pool;
    Lease(Pool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}

    Pool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  explicit Pool(Options options) : options_(std::move(options)) {}
  ~Pool() {
    std::unique_lock lock(mutex_);
    assert(busy_ == 0 && "a lease outlives its pool");
    closing_.request_stop();
    changed_.wait(lock, [&] { return opening_ == 0; });
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Code::kUnavailable: the circuit is open (at once), opening failed, or all connections stayed
  // busy until the deadline. Code::kTimeout: opening took longer than that. Code::kCancelled when
  // `stop` was requested. Otherwise the error of `Open`.
  Result<Lease> Acquire(Time deadline, std::stop_token stop = {}) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Opening> opening;  // for this caller
    for (;;) {
      if (stop.stop_requested()) {
        changed_.notify_one();  // in case this thread was the one to take what came back
        return Error::Cancelled();
      }
      CloseGone(lock);
      if (!idle_.empty()) {
        if (auto lease = TakeIdle(lock)) return std::move(*lease);
        continue;
      }
      if (opening != nullptr && opening->done) {
        if (opening->error) return *opening->error;
        opening = nullptr;  // somebody else took it
      }
      if (opening == nullptr && open_ < options_.limit) {
        if (MayOpen()) {
          opening = OpenOne(deadline);
          continue;
        }
        if (busy_ == 0) return Error::Unavailable(problem_);
      }
      // Whatever happens to a connection or to the circuit counts as a change.
      const Time now = std::chrono::steady_clock::now();
      if (now >= deadline) return opening != nullptr ? NotOpened() : Busy();
      const auto change = change_;
      changed_.wait_until(lock, stop, std::min(deadline, now + UntilRetry()),
                          [&] { return change_ != change; });
    }
  }

  PoolStatus Status() const {
    const std::lock_guard lock(mutex_);
    return {.open = open_ - opening_,
            .busy = busy_,
            .opening = opening_,
            .limit = options_.limit,
            .problem = failures_ > 0 ? problem_ : std::string()};
  }

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    Time since;
  };
  struct Opening {
    bool done = false;
    std::optional<Error> error;
  };

  // Nobody tells when a discarded connection is gone.
  static constexpr std::chrono::milliseconds kLookForGone{20};

  bool MayOpen() const { return failures_ == 0 || (!probing_ && options_.now() >= retry_at_); }

  // How long nothing but a change can help a waiting caller.
  Duration UntilRetry() const {
    if (!leaving_.empty()) return kLookForGone;
    if (open_ >= options_.limit || failures_ == 0 || probing_) return std::chrono::hours(1);
    return std::max<Duration>(retry_at_ - options_.now(), std::chrono::milliseconds(1));
  }

  Error Busy() const {
    return Error::Unavailable(
        base::StrCat("All ", options_.limit, " connections to the database are in use: try again"));
  }

  static Error NotOpened() {
    return {Code::kTimeout,
            "The database did not accept a connection in time: try again, or allow it more time",
            {}};
  }

  void Changed() {
    ++change_;
    changed_.notify_all();
  }

  // The latest first: it is the most likely to be alive, and the others can grow old.
  std::optional<Lease> TakeIdle(std::unique_lock<std::mutex>& lock) {
    std::unique_ptr<Connection> connection = std::move(idle_.back().connection);
    idle_.pop_back();
    ++busy_;
    lock.unlock();
    if (options_.healthy(*connection)) return Lease(*this, std::move(connection));
    connection.reset();
    lock.lock();
    --busy_;
    --open_;
    Changed();
    return std::nullopt;
  }

  std::shared_ptr<const Opening> OpenOne(Time deadline) {
    const bool probe = failures_ > 0;
    if (probe) probing_ = true;
    ++open_;
    ++opening_;
    auto opening = std::make_shared<Opening>();
    try {
      std::thread([this, probe, deadline, opening] {
        Finish(Opened(deadline), probe, *opening);
      }).detach();
    } catch (const std::system_error&) {
      --opening_;
      --open_;
      if (probe) probing_ = false;
      *opening = {.done = true,
                  .error = Error::Unavailable("This server has no thread left to connect with")};
    }
    return opening;
  }

  Result<std::unique_ptr<Connection>> Opened(Time deadline) {
    try {
      return options_.open(deadline, closing_.get_token());
    } catch (const std::exception&) {  // no memory, no thread
      return Error::Unavailable("This server has not the means to connect to the database now");
    }
  }

  void Finish(Result<std::unique_ptr<Connection>> opened, bool probe, Opening& opening) {
    const std::lock_guard lock(mutex_);
    --opening_;
    if (probe) probing_ = false;
    opening.done = true;
    if (opened) {
      failures_ = 0;
      idle_.push_back({*std::move(opened), options_.now()});
    } else {
      --open_;
      if (opened.error().code != Code::kTimeout && opened.error().code != Code::kCancelled) {
        RecordFailure(opened.error());
      }
      opening.error = std::move(opened).error();
    }
    Changed();
  }

  void RecordFailure(const Error& error) {
    const int doublings = std::min(failures_, 20);
    const Duration pause =
        std::min(options_.longest_pause, options_.first_pause * (1 << doublings));
    // Callers that failed together are one failure.
    if (failures_ == 0 || options_.now() >= retry_at_) ++failures_;
    retry_at_ = options_.now() + pause;
    problem_ = error.message;
  }

  void Return(std::unique_ptr<Connection> connection) {
    std::vector<std::unique_ptr<Connection>> old;
    {
      const std::lock_guard lock(mutex_);
      const Time now = options_.now();
      --busy_;
      idle_.push_back({std::move(connection), now});
      while (idle_.front().since + options_.longest_idle < now) {
        old.push_back(std::move(idle_.front().connection));
        idle_.erase(idle_.begin());
        --open_;
      }
      ++change_;
    }
    changed_.notify_one();
  }

  void Discard(std::unique_ptr<Connection> connection) {
    const bool gone = options_.gone(*connection);
    if (gone) connection.reset();
    const std::lock_guard lock(mutex_);
    --busy_;
    if (gone) {
      --open_;
    } else {
      leaving_.push_back(std::move(connection));
    }
    Changed();
  }

  void CloseGone(std::unique_lock<std::mutex>& lock) {
    const auto stay = std::partition(leaving_.begin(), leaving_.end(),
                                     [&](const auto& one) { return !options_.gone(*one); });
    if (stay == leaving_.end()) return;
    std::vector<std::unique_ptr<Connection>> gone(std::make_move_iterator(stay),
                                                  std::make_move_iterator(leaving_.end()));
    leaving_.erase(stay, leaving_.end());
    const int count = static_cast<int>(gone.size());
    lock.unlock();
    gone.clear();
    lock.lock();
    open_ -= count;
    Changed();
  }

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::stop_source closing_;
  std::size_t change_ = 0;
  std::vector<Idle> idle_;                            // the one idle for longest first
  std::vector<std::unique_ptr<Connection>> leaving_;  // discarded and not gone yet
  int open_ = 0;                                      // with those being opened and those leaving
  int opening_ = 0;
  int busy_ = 0;
  int failures_ = 0;  // in a row; the circuit is open while there are any
  bool probing_ = false;
  Time retry_at_;
  std::string problem_;
};

}  // namespace toolpost::db
