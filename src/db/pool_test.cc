#include "db/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "db/end_elsewhere.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Steady = std::chrono::steady_clock;

// What the pool opens; counts those that exist.
struct Plug {
  explicit Plug(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~Plug() { --alive_; }
  Plug(const Plug&) = delete;
  bool works = true;
  int id = 0;

 private:
  std::atomic<int>& alive_;
};

class PoolTest : public ::testing::Test {
 protected:
  Pool<Plug>::Options Options(int limit) {
    Pool<Plug>::Options options;
    options.limit = limit;
    options.open = [this](Steady::time_point, std::stop_token) -> Result<std::unique_ptr<Plug>> {
      ++attempts_;
      if (down_) return Error::Unavailable("The socket is dead");
      auto plug = std::make_unique<Plug>(alive_);
      plug->id = attempts_;
      return plug;
    };
    options.healthy = [](Plug& plug) { return plug.works; };
    options.now = [this] { return Steady::time_point(now_.load()); };
    return options;
  }
  static Steady::time_point Soon() { return Steady::now() + seconds(30); }
  static Steady::time_point Already() { return Steady::now() - seconds(1); }

  std::atomic<int> alive_ = 0;
  std::atomic<int> attempts_ = 0;
  std::atomic<bool> down_ = false;
  std::atomic<Steady::duration> now_{seconds(1000)};
};

TEST_F(PoolTest, ReusesTheConnectionThatCameBack) {
  Pool<Plug> pool(Options(4));
  const int first = pool.Acquire(Soon()).value()->id;
  EXPECT_EQ(pool.Acquire(Soon()).value()->id, first);
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(pool.Status().open, 1);
  EXPECT_EQ(pool.Status().busy, 0);
}

TEST_F(PoolTest, NeverOpensMoreThanTheLimitAndSaysWhenAllStayBusy) {
  Pool<Plug> pool(Options(2));
  auto one = pool.Acquire(Soon()), two = pool.Acquire(Soon());
  ASSERT_TRUE(one && two);
  const auto three = pool.Acquire(Already());
  ASSERT_FALSE(three);
  EXPECT_EQ(three.error().code, Code::kUnavailable);
  EXPECT_EQ(three.error().message, "All 2 connections to the database are in use: try again");
  EXPECT_EQ(pool.Status().busy, 2);
  EXPECT_EQ(alive_, 2);
}

TEST_F(PoolTest, WaitsForAConnectionToComeBack) {
  Pool<Plug> pool(Options(1));
  auto first = std::make_unique<Pool<Plug>::Lease>(pool.Acquire(Soon()).value());
  std::thread waiter([&] { EXPECT_TRUE(pool.Acquire(Soon())); });
  first.reset();
  waiter.join();
  EXPECT_EQ(attempts_, 1);
}

TEST_F(PoolTest, AWaiterStopsWhenItsCallerCancels) {
  Pool<Plug> pool(Options(1));
  const auto held = pool.Acquire(Soon());
  std::stop_source source;
  std::thread waiter([&] {
    const auto lease = pool.Acquire(Soon(), source.get_token());
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().code, Code::kCancelled);
  });
  source.request_stop();
  waiter.join();
}

TEST_F(PoolTest, ADiscardedConnectionIsClosedAndReplaced) {
  Pool<Plug> pool(Options(1));
  {
    auto lease = pool.Acquire(Soon()).value();
    lease.Discard();
  }
  EXPECT_EQ(alive_, 0);
  EXPECT_EQ(pool.Status().open, 0);
  EXPECT_EQ(pool.Acquire(Soon()).value()->id, 2);
}

TEST_F(PoolTest, ADiscardedConnectionKeepsItsPlaceUntilItIsGone) {
  auto options = Options(1);
  std::atomic<bool> gone = false;
  options.gone = [&](Plug&) { return gone.load(); };
  Pool<Plug> pool(options);
  pool.Acquire(Soon()).value().Discard();
  EXPECT_EQ(alive_, 1);
  EXPECT_EQ(pool.Status().open, 1);
  EXPECT_EQ(pool.Status().busy, 0);
  EXPECT_EQ(pool.Acquire(Already()).error().code, Code::kUnavailable);
  std::thread waiter([&] { EXPECT_EQ(pool.Acquire(Soon()).value()->id, 2); });
  gone = true;
  waiter.join();
  EXPECT_EQ(alive_, 1);
  EXPECT_EQ(pool.Status().open, 1);
}

TEST_F(PoolTest, AConnectionThatDiedWhileIdleIsReplacedUnnoticed) {
  Pool<Plug> pool(Options(2));
  {
    auto one = pool.Acquire(Soon()).value(), two = pool.Acquire(Soon()).value();
    one->works = two->works = false;
  }
  EXPECT_EQ(pool.Acquire(Soon()).value()->id, 3);
  EXPECT_EQ(alive_, 1);
}

TEST_F(PoolTest, FailsAtOnceWhileTheCircuitIsOpenAndRecovers) {
  Pool<Plug> pool(Options(4));
  down_ = true;
  EXPECT_FALSE(pool.Acquire(Soon()));
  for (int i = 0; i < 10; ++i) {
    const auto lease = pool.Acquire(Soon());
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().code, Code::kUnavailable);
    EXPECT_EQ(lease.error().message, "The socket is dead");
  }
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(pool.Status().problem, "The socket is dead");
  down_ = false;
  EXPECT_FALSE(pool.Acquire(Soon()));  // still in its pause
  now_ = now_.load() + milliseconds(100);
  EXPECT_TRUE(pool.Acquire(Soon()));
  EXPECT_EQ(pool.Status().problem, "");
}

TEST_F(PoolTest, ThePauseDoublesUpToItsLongest) {
  Pool<Plug> pool(Options(1));
  down_ = true;
  const int pauses_ms[] = {100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000};
  EXPECT_FALSE(pool.Acquire(Soon()));
  for (const int pause : pauses_ms) {
    const int before = attempts_;
    now_ = now_.load() + milliseconds(pause - 1);
    EXPECT_FALSE(pool.Acquire(Soon()));
    EXPECT_EQ(attempts_, before) << pause;
    now_ = now_.load() + milliseconds(1);
    EXPECT_FALSE(pool.Acquire(Soon()));
    EXPECT_EQ(attempts_, before + 1) << pause;
  }
}

TEST_F(PoolTest, OnlyOneCallerProbes) {
  auto options = Options(4);
  std::atomic<bool> probing = false, finish = false;
  const auto open = options.open;
  options.open = [&, open](Steady::time_point deadline, std::stop_token stop) {
    if (attempts_ == 1) {
      probing = true;
      probing.notify_all();
      finish.wait(false);
    }
    return open(deadline, stop);
  };
  Pool<Plug> pool(options);
  down_ = true;
  EXPECT_FALSE(pool.Acquire(Soon()));
  down_ = false;
  now_ = now_.load() + seconds(1);
  std::thread prober([&] { EXPECT_TRUE(pool.Acquire(Soon())); });
  probing.wait(false);
  EXPECT_FALSE(pool.Acquire(Soon()));  // at once
  finish = true;
  finish.notify_all();
  prober.join();
  EXPECT_TRUE(pool.Acquire(Soon()));
}

TEST_F(PoolTest, ACallerWithoutPatienceDoesNotOpenTheCircuit) {
  auto options = Options(1);
  const auto open = options.open;
  bool impatient = true;
  options.open = [&, open](Steady::time_point deadline,
                           std::stop_token stop) -> Result<std::unique_ptr<Plug>> {
    if (impatient) return Error{Code::kTimeout, "too slow", {}};
    return open(deadline, stop);
  };
  Pool<Plug> pool(options);
  EXPECT_EQ(pool.Acquire(Soon()).error().code, Code::kTimeout);
  impatient = false;
  EXPECT_TRUE(pool.Acquire(Soon()));
}

TEST_F(PoolTest, WhoHasNoPatienceIsAnsweredWhileAConnectionIsOpenedForTheNext) {
  auto options = Options(1);
  std::atomic<bool> opening = false, finish = false;
  const auto open = options.open;
  options.open = [&, open](Steady::time_point deadline, std::stop_token stop) {
    opening = true;
    opening.notify_all();
    finish.wait(false);
    return open(deadline, stop);
  };
  Pool<Plug> pool(options);
  std::stop_source source;
  std::thread caller([&] {
    const auto lease = pool.Acquire(Soon(), source.get_token());
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().code, Code::kCancelled);
  });
  opening.wait(false);
  source.request_stop();
  caller.join();
  EXPECT_FALSE(pool.Acquire(Already()));  // the only place is taken
  finish = true;
  finish.notify_all();
  EXPECT_EQ(pool.Acquire(Soon()).value()->id, 1);
}

TEST_F(PoolTest, OpeningEndsForItsCallerAtTheDeadline) {
  auto options = Options(2);
  std::atomic<bool> finish = false;
  const auto open = options.open;
  options.open = [&, open](Steady::time_point deadline, std::stop_token stop) {
    finish.wait(false);
    return open(deadline, stop);
  };
  Pool<Plug> pool(options);
  const auto lease = pool.Acquire(Already());
  ASSERT_FALSE(lease);
  EXPECT_EQ(lease.error().code, Code::kTimeout);
  finish = true;
  finish.notify_all();
  EXPECT_TRUE(pool.Acquire(Soon()));
}

TEST_F(PoolTest, WaitsForABusyConnectionWhenTheServerAcceptsNoMore) {
  Pool<Plug> pool(Options(2));
  auto first = std::make_unique<Pool<Plug>::Lease>(pool.Acquire(Soon()).value());
  down_ = true;
  EXPECT_FALSE(pool.Acquire(Soon()));  // tried
  std::thread waiter([&] { EXPECT_EQ(pool.Acquire(Soon()).value()->id, 1); });
  first.reset();
  waiter.join();
}

TEST_F(PoolTest, AWaiterIsToldWhenTheLastConnectionDiesAndTheServerIsDown) {
  Pool<Plug> pool(Options(2));
  auto first = pool.Acquire(Soon()).value();
  down_ = true;
  EXPECT_FALSE(pool.Acquire(Soon()));
  std::thread waiter([&] {
    const auto lease = pool.Acquire(Soon());
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().message, "The socket is dead");
  });
  first.Discard();
  waiter.join();
}

TEST_F(PoolTest, WhatOpeningThrowsIsAnErrorAndTheNextCallerTriesAgain) {
  Pool<Plug>::Options options = Options(1);
  options.open = [this, open = options.open](Steady::time_point deadline, std::stop_token stop) {
    if (attempts_ == 0) {
      ++attempts_;
      throw std::bad_alloc();
    }
    return open(deadline, std::move(stop));
  };
  Pool<Plug> pool(std::move(options));
  const auto first = pool.Acquire(Soon());
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, Code::kUnavailable);
  now_ = now_.load() + seconds(1);
  EXPECT_TRUE(pool.Acquire(Soon()));
}

// Of a database, what EndedElsewhere() looks at.
struct Plugs {
  explicit Plugs(Pool<Plug>::Options options) : pool(std::move(options)) {}
  PoolStatus Status() const { return pool.Status(); }
  Pool<Plug> pool;
};

TEST_F(PoolTest, WhoDropsAPoolDoesNotWaitForWhatIsBeingOpened) {
  std::promise<void> go;
  std::promise<void> gone;
  Pool<Plug>::Options options = Options(1);
  options.open = [&, open = options.open](Steady::time_point deadline, std::stop_token stop) {
    go.get_future().wait();
    return open(deadline, std::move(stop));
  };
  options.healthy = [last = std::shared_ptr<void>(nullptr, [&](void*) { gone.set_value(); })](
                        Plug& plug) { return plug.works; };
  auto plugs = EndedElsewhere(std::make_unique<Plugs>(std::move(options)));
  EXPECT_FALSE(plugs->pool.Acquire(Already()));
  EXPECT_EQ(plugs->Status().opening, 1);
  plugs.reset();
  EXPECT_TRUE(base::EndingElsewhere());
  go.set_value();
  gone.get_future().wait();
  EXPECT_EQ(alive_, 0);
}

TEST_F(PoolTest, ClosesWhatNobodyWantedForLong) {
  Pool<Plug> pool(Options(3));
  { auto one = pool.Acquire(Soon()).value(), two = pool.Acquire(Soon()).value(); }
  EXPECT_EQ(alive_, 2);
  now_ = now_.load() + std::chrono::minutes(6);
  { const auto lease = pool.Acquire(Soon()); }
  EXPECT_EQ(alive_, 1);
  EXPECT_EQ(pool.Status().open, 1);
}

TEST_F(PoolTest, ManyThreadsShareFewConnections) {
  constexpr int kLimit = 3;
  auto pool = std::make_unique<Pool<Plug>>(Options(kLimit));
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int turn = 0; turn < 300; ++turn) {
        auto lease = pool->Acquire(Soon()).value();
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        --inside;
        if ((turn + i) % 50 == 0) lease.Discard();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(most, kLimit);
  EXPECT_EQ(pool->Status().busy, 0);
  EXPECT_LE(alive_, kLimit);
  pool.reset();
  EXPECT_EQ(alive_, 0);
}

}  // namespace
}  // namespace toolpost::db
