// Who is told the time, and how often.
#include "api/ticker.h"

#include <gtest/gtest.h>

#include <memory_resource>
#include <thread>

namespace toolpost::api {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

struct Open : Ticking {
  bool Tick() override {
    ++ticks;
    return keep;
  }
  std::atomic<int> ticks = 0;
  bool keep = true;
};

struct CountingMemory : std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    in_use += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    in_use -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  std::size_t in_use = 0;
};

TEST(Ticker, TellsEveryOpenReplyOncePerInterval) {
  static_assert(Ticker::kInterval == seconds(10));
  Ticker ticker{hours(1000)};
  const auto one = std::make_shared<Open>();
  const auto two = std::make_shared<Open>();
  ticker.Watch(one);
  ticker.Watch(two);
  for (int i = 0; i < 5; ++i) ticker.Tick();
  EXPECT_EQ(one->ticks, 1);
  EXPECT_EQ(two->ticks, 1);
}

TEST(Ticker, GoesOnUntilAReplyIsDoneOrGone) {
  Ticker ticker{seconds(0)};
  const auto staying = std::make_shared<Open>();
  const auto done = std::make_shared<Open>();
  auto gone = std::make_shared<Open>();
  for (const auto& open : {staying, done, gone}) ticker.Watch(open);
  ticker.Tick();
  EXPECT_EQ(gone->ticks, 1);
  gone.reset();
  done->keep = false;
  for (int i = 0; i < 3; ++i) ticker.Tick();
  EXPECT_EQ(staying->ticks, 4);
  EXPECT_EQ(done->ticks, 2);
}

TEST(Ticker, NothingIsLeftOfAReplyThatIsGone) {
  Ticker ticker;
  CountingMemory memory;
  auto open = std::allocate_shared<Open>(std::pmr::polymorphic_allocator<Open>(&memory));
  ticker.Watch(open);
  EXPECT_GT(memory.in_use, 0U);
  open.reset();
  EXPECT_EQ(memory.in_use, 0U);
}

TEST(Ticker, MayGoBeforeTheRepliesItWatched) {
  const auto open = std::make_shared<Open>();
  Ticker().Watch(open);
  EXPECT_EQ(open->ticks, 0);
}

TEST(Ticker, AReplyMayOpenAnotherWhileItIsTold) {
  struct Opener : Ticking {
    bool Tick() override {
      if (!opened) {
        opened = std::make_shared<Open>();
        ticker->Watch(opened);
      }
      return true;
    }
    Ticker* ticker = nullptr;
    std::shared_ptr<Open> opened;
  };
  Ticker ticker{seconds(0)};
  const auto opener = std::make_shared<Opener>();
  opener->ticker = &ticker;
  ticker.Watch(opener);
  ticker.Tick();
  ticker.Tick();
  EXPECT_EQ(opener->opened->ticks, 1);
}

TEST(Ticker, LoopsMayTickAndWatchAtOnce) {
  Ticker ticker{seconds(0)};
  std::vector<std::shared_ptr<Open>> kept(4);
  std::vector<std::thread> loops;
  loops.reserve(kept.size());
  for (auto& mine : kept) {
    loops.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        auto open = std::make_shared<Open>();
        ticker.Watch(open);
        ticker.Tick();
        if (i == 0) mine = open;
      }
    });
  }
  for (std::thread& loop : loops) loop.join();
  for (const auto& open : kept) {
    const int before = open->ticks;
    ticker.Tick();
    EXPECT_EQ(open->ticks, before + 1);
  }
}

}  // namespace
}  // namespace toolpost::api
