#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/cores.h"
#include "base/future_fixture.h"
#include "base/log.h"

namespace toolpost::base {
namespace {

TEST(ThreadPool, RunsEverythingPosted) {
  constexpr int kCount = 1'000;
  std::latch done(kCount);
  ThreadPool pool(4, kCount);
  for (int i = 0; i < kCount; ++i) ASSERT_TRUE(pool.Post([&done] { done.count_down(); }));
  done.wait();
}

TEST(ThreadPool, AllThreadsRunAtOnceAndNoMore) {
  constexpr int kThreads = 3;
  std::latch all_run(kThreads);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  ThreadPool pool(kThreads, 100);
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_TRUE(pool.Post([&] {
      {
        std::lock_guard lock(mutex);
        ids.insert(std::this_thread::get_id());
      }
      all_run.arrive_and_wait();  // returns only if all run at the same time
    }));
  }
  all_run.wait();
  std::latch more(50);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(pool.Post([&] {
      std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
      more.count_down();
    }));
  }
  more.wait();
  std::lock_guard lock(mutex);
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(kThreads));
}

TEST(ThreadPool, LongWorkWakesAsManyThreadsAsItNeeds) {
  constexpr int kThreads = 8;
  ThreadPool pool(kThreads, 100);
  for (int round = 0; round < 50; ++round) {  // from the second on the threads are there
    std::latch all_run(kThreads + 1);
    for (int i = 0; i < kThreads; ++i)
      ASSERT_TRUE(pool.Post([&all_run] { all_run.arrive_and_wait(); }));
    all_run.arrive_and_wait();
    while (pool.running() > 0) std::this_thread::yield();
  }
}

TEST(ThreadPool, TheLatestThatWasBusyIsCalledFirst) {
  constexpr int kThreads = 8;
  ThreadPool pool(kThreads, 100);
  std::latch all_run(kThreads + 1);
  for (int i = 0; i < kThreads; ++i)
    ASSERT_TRUE(pool.Post([&all_run] { all_run.arrive_and_wait(); }));
  all_run.arrive_and_wait();
  while (pool.running() > 0) std::this_thread::yield();
  std::set<std::thread::id> ids;
  for (int i = 0; i < 100; ++i) {
    std::latch done(1);
    ASSERT_TRUE(pool.Post([&] {
      ids.insert(std::this_thread::get_id());
      done.count_down();
    }));
    done.wait();
    while (pool.running() > 0) std::this_thread::yield();
  }
  EXPECT_EQ(ids.size(), 1U);
}

TEST(ThreadPool, RefusesWhenTheQueueIsFull) {
  std::promise<void> started;
  std::promise<void> release;
  ThreadPool pool(1, 2);
  ASSERT_TRUE(pool.Post([&, gate = release.get_future().share()] {
    started.set_value();
    gate.wait();
  }));
  ASSERT_TRUE(Arrives(started.get_future()));
  EXPECT_EQ(pool.running(), 1U);
  EXPECT_TRUE(pool.Post([] {}));
  EXPECT_TRUE(pool.Post([] {}));
  EXPECT_EQ(pool.queued(), 2U);
  EXPECT_FALSE(pool.Post([] {}));
  EXPECT_EQ(pool.queued(), 2U);
  release.set_value();
}

TEST(ThreadPool, WithoutAQueueAcceptsWhatAThreadCanTake) {
  std::promise<void> started;
  std::promise<void> release;
  ThreadPool pool(1, 0);
  ASSERT_TRUE(pool.Post([&, gate = release.get_future().share()] {
    started.set_value();
    gate.wait();
  }));
  ASSERT_TRUE(Arrives(started.get_future()));
  EXPECT_FALSE(pool.Post([] {}));
  release.set_value();
}

TEST(ThreadPool, StopDropsQueuedWorkAndWaitsForRunningWork) {
  std::promise<void> started;
  std::promise<void> release;
  std::atomic<bool> finished = false;
  std::atomic<bool> queued_ran = false;
  auto captured = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = captured;
  ThreadPool pool(1, 10);
  ASSERT_TRUE(pool.Post([&, gate = release.get_future().share()] {
    started.set_value();
    gate.wait();
    finished = true;
  }));
  ASSERT_TRUE(Arrives(started.get_future()));
  ASSERT_TRUE(pool.Post([&queued_ran, captured = std::move(captured)] { queued_ran = true; }));
  std::jthread stopper([&pool] { pool.Stop(); });
  while (pool.queued() > 0) std::this_thread::yield();
  EXPECT_FALSE(pool.Post([] {}));
  release.set_value();
  pool.Stop();
  EXPECT_TRUE(finished);
  stopper.join();
  EXPECT_FALSE(queued_ran);
  EXPECT_TRUE(watch.expired());
}

TEST(ThreadPool, SurvivesExceptions) {
  ConfigureLog(Severity::kOff, LogFormat::kText);
  ThreadPool pool(1, 10);
  std::promise<void> after;
  ASSERT_TRUE(pool.Post([] { throw std::runtime_error("expected by the test"); }));
  ASSERT_TRUE(pool.Post([] { throw 42; }));
  ASSERT_TRUE(pool.Post([&after] { after.set_value(); }));
  EXPECT_TRUE(Arrives(after.get_future()));
  ConfigureLog(Severity::kInfo, LogFormat::kAuto);
}

TEST(ThreadPool, WorkMayPostAndStopItsOwnPool) {
  std::promise<void> stopped;
  auto pool = std::make_unique<ThreadPool>(2, 10);
  ASSERT_TRUE(pool->Post([&] {
    EXPECT_TRUE(pool->Post([&] {
      pool->Stop();
      stopped.set_value();
    }));
  }));
  ASSERT_TRUE(Arrives(stopped.get_future()));
  EXPECT_FALSE(pool->Post([] {}));
}

TEST(ThreadPool, ManyThreadsMayPost) {
  std::atomic<int> ran = 0;
  std::atomic<int> accepted = 0;
  {
    ThreadPool pool(4, 100'000);
    std::vector<std::jthread> posters;
    for (int i = 0; i < 4; ++i) {
      posters.emplace_back([&] {
        for (int j = 0; j < 500; ++j) accepted += pool.Post([&ran] { ++ran; }) ? 1 : 0;
      });
    }
    posters.clear();
    while (pool.queued() > 0) std::this_thread::yield();
  }
  EXPECT_EQ(accepted, 2'000);
  EXPECT_EQ(ran, 2'000);
}

TEST(ThreadPool, AnUnusedPoolStopsAtOnce) {
  ThreadPool pool(8, 8);
  EXPECT_EQ(pool.running(), 0U);
  pool.Stop();
  pool.Stop();
}

TEST(ThreadPool, AHelperDoesTheFirstWorkItPostedItself) {
  std::thread::id first;
  std::promise<std::thread::id> second;
  ThreadPool pool(2, 10);
  const bool helped = pool.HelpWith(
      [&] {
        EXPECT_TRUE(pool.Post([&] {
          first = std::this_thread::get_id();
          EXPECT_GE(pool.running(), 1U);
        }));
        EXPECT_TRUE(pool.Post([&] { second.set_value(std::this_thread::get_id()); }));
      },
      [] { return true; });
  EXPECT_TRUE(helped);
  EXPECT_EQ(first, std::this_thread::get_id());
  auto other = second.get_future();
  ASSERT_TRUE(Arrives(other));
  EXPECT_NE(other.get(), std::this_thread::get_id());
}

TEST(ThreadPool, AThreadThatMayNotHelpLeavesItsWorkToThePool) {
  std::promise<std::thread::id> ran;
  ThreadPool pool(2, 10);
  EXPECT_FALSE(pool.HelpWith(
      [&] { EXPECT_TRUE(pool.Post([&] { ran.set_value(std::this_thread::get_id()); })); },
      [] { return false; }));
  auto thread = ran.get_future();
  ASSERT_TRUE(Arrives(thread));
  EXPECT_NE(thread.get(), std::this_thread::get_id());
}

TEST(ThreadPool, AThreadThatMayNotHelpHearsThatThePoolIsFull) {
  std::promise<void> begun;
  std::promise<void> go_on;
  ThreadPool pool(1, 0);
  ASSERT_TRUE(pool.Post([&] {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  bool posted = true;
  EXPECT_FALSE(pool.HelpWith([&] { posted = pool.Post([] {}); }, [] { return false; }));
  EXPECT_FALSE(posted);
  go_on.set_value();
}

TEST(ThreadPool, AHelperWithoutWorkIsNotAsked) {
  std::promise<void> ran;
  ThreadPool pool(2, 10);
  EXPECT_FALSE(pool.HelpWith([] {},
                             [] {
                               ADD_FAILURE() << "asked";
                               return true;
                             }));
  // No longer kept by this thread.
  ASSERT_TRUE(pool.Post([&] { ran.set_value(); }));
  EXPECT_TRUE(Arrives(ran.get_future()));
}

TEST(ThreadPool, StopWaitsForHelpersAndThenRefusesTheirWork) {
  ThreadPool pool(2, 10);
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<bool> done = false;
  std::jthread helper([&] {
    pool.HelpWith(
        [&] {
          EXPECT_TRUE(pool.Post([&] {
            begun.set_value();
            go_on.get_future().wait();
            done = true;
          }));
        },
        [] { return true; });
  });
  begun.get_future().wait();
  EXPECT_EQ(pool.running(), 1U);
  std::jthread releaser([&] { go_on.set_value(); });
  pool.Stop();
  EXPECT_TRUE(done);
  pool.HelpWith([&] { EXPECT_FALSE(pool.Post([] {})); }, [] { return true; });
}

TEST(ThreadPool, AHelperMayStopThePool) {
  ThreadPool pool(2, 10);
  EXPECT_TRUE(
      pool.HelpWith([&] { EXPECT_TRUE(pool.Post([&] { pool.Stop(); })); }, [] { return true; }));
}

constexpr std::chrono::hours kNever{1};

TEST(ThreadPool, BriefWorkIsDoneByNoMoreThreadsThanThereAreCores) {
  constexpr int kCount = 2'000;
  std::mutex mutex;
  std::size_t now = 0, most = 0;
  std::latch done(kCount);
  ThreadPool pool(16, kCount, kNever);
  for (int i = 0; i < kCount; ++i) {
    ASSERT_TRUE(pool.Post(
        [&] {
          {
            const std::lock_guard lock(mutex);
            most = std::max(most, ++now);
          }
          std::this_thread::yield();
          {
            const std::lock_guard lock(mutex);
            --now;
          }
          done.count_down();
        },
        WorkKind::kBrief));
  }
  done.wait();
  EXPECT_LE(most, UsableCores());
}

TEST(ThreadPool, BriefWorkThatTakesLongMakesRoomForOthers) {
  const auto count = static_cast<std::ptrdiff_t>(3 * UsableCores());
  ThreadPool pool(64, 1'000);
  for (int round = 0; round < 5; ++round) {  // from the second on the threads are there
    std::latch all_run(count + 1);
    for (std::ptrdiff_t i = 0; i < count; ++i)
      ASSERT_TRUE(pool.Post([&] { all_run.arrive_and_wait(); }, WorkKind::kBrief));
    all_run.arrive_and_wait();
    while (pool.running() > 0) std::this_thread::yield();
  }
}

TEST(ThreadPool, BriefWorkThatWaitsMakesRoomAtOnce) {
  const auto count = static_cast<std::ptrdiff_t>(3 * UsableCores());
  ThreadPool pool(64, 1'000, kNever);
  for (int round = 0; round < 50; ++round) {
    std::latch all_run(count + 1);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      ASSERT_TRUE(pool.Post(
          [&] {
            const ThreadPool::Waiting waiting;
            all_run.arrive_and_wait();
          },
          WorkKind::kBrief));
    }
    all_run.arrive_and_wait();
    while (pool.running() > 0) std::this_thread::yield();
  }
}

TEST(ThreadPool, WorkThatMayWaitIsNotKeptBackByBriefWork) {
  std::promise<void> release;
  const std::shared_future<void> gate = release.get_future().share();
  ThreadPool pool(64, 1'000, kNever);
  for (std::size_t i = 0; i < UsableCores() + 3; ++i)
    ASSERT_TRUE(pool.Post([gate] { gate.wait(); }, WorkKind::kBrief));
  std::promise<void> came;
  ASSERT_TRUE(pool.Post([&came] { came.set_value(); }));
  EXPECT_TRUE(Arrives(came.get_future()));
  release.set_value();
}

TEST(ThreadPool, StopsWhileBriefWorkIsWatched) {
  std::promise<void> started;
  std::promise<void> release;
  std::atomic<bool> queued_ran = false;
  ThreadPool pool(4, 100, kNever);
  const std::shared_future<void> gate = release.get_future().share();
  ASSERT_TRUE(pool.Post(
      [&, gate] {
        started.set_value();
        gate.wait();
      },
      WorkKind::kBrief));
  ASSERT_TRUE(Arrives(started.get_future()));
  for (std::size_t i = 1; i < UsableCores(); ++i)
    ASSERT_TRUE(pool.Post([gate] { gate.wait(); }, WorkKind::kBrief));
  while (pool.running() < UsableCores()) std::this_thread::yield();
  ASSERT_TRUE(pool.Post([&] { queued_ran = true; }, WorkKind::kBrief));
  std::thread stopper([&] { pool.Stop(); });
  while (pool.queued() > 0) std::this_thread::yield();
  release.set_value();
  stopper.join();
  EXPECT_FALSE(queued_ran);
}

TEST(ThreadPool, ManyThreadsMayPostWorkOfBothKinds) {
  constexpr std::size_t kThreads = 8, kEach = 2'000;
  std::latch done(std::ptrdiff_t{kThreads * kEach});
  ThreadPool pool(8, kThreads * kEach);
  std::vector<std::thread> posters;
  for (std::size_t i = 0; i < kThreads; ++i) {
    posters.emplace_back([&] {
      for (std::size_t j = 0; j < kEach; ++j) {
        const auto work = [&done, j] {
          if (j % 3 == 0) const ThreadPool::Waiting waiting;
          done.count_down();
        };
        EXPECT_TRUE(pool.Post(work, j % 2 == 0 ? WorkKind::kBrief : WorkKind::kMayWait));
      }
    });
  }
  for (std::thread& poster : posters) poster.join();
  done.wait();
}

}  // namespace
}  // namespace toolpost::base
