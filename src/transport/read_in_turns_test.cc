#include "transport/read_in_turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/log.h"

namespace toolpost::transport {
namespace {

constexpr std::chrono::seconds kPatience{30};

class ReadInTurnsTest : public ::testing::Test {
 protected:
  void Start(
      std::function<void(const std::string&)> receive, std::function<void()> end = [] {}) {
    reader_ = std::jthread([this, receive = std::move(receive), end = std::move(end)] {
      ReadInTurns({*server_, pool_, [&](const auto& message) { receive(*message); }, end});
    });
  }
  void Finish() {
    client_->Close();
    reader_.join();
    pool_.Stop();  // its work uses what the test has on its stack
  }

  base::ThreadPool pool_{4, 10'000};
  std::shared_ptr<Transport> server_, client_;
  std::jthread reader_;

  void SetUp() override { std::tie(server_, client_) = MakeMemoryTransport(); }
};

TEST_F(ReadInTurnsTest, MessagesComeInOrderOneAtATimeAndWorkRunsBesideThem) {
  constexpr int kCount = 2'000;
  std::vector<int> order;  // by the one thread that reads
  std::atomic<int> readers = 0;
  std::latch done(kCount);
  Start([&](const std::string& message) {
    EXPECT_EQ(++readers, 1);
    order.push_back(std::stoi(message));
    EXPECT_TRUE(pool_.Post([&] { done.count_down(); }));
    --readers;
  });
  for (int i = 0; i < kCount; ++i) client_->Write(std::to_string(i));
  done.wait();
  Finish();
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kCount));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(ReadInTurnsTest, WorkThatWaitsForALaterMessageGetsIt) {
  std::promise<void> second;
  std::promise<void> answered;
  Start([&](const std::string& message) {
    if (message == "second") return second.set_value();
    EXPECT_TRUE(pool_.Post([&] {
      second.get_future().wait();
      answered.set_value();
    }));
  });
  client_->Write("first");
  client_->Write("second");
  EXPECT_EQ(answered.get_future().wait_for(kPatience), std::future_status::ready);
  Finish();
}

TEST_F(ReadInTurnsTest, WhileBothThreadsAreBusyThePoolTakesTheWork) {
  constexpr int kCalls = 4;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::promise<void> all;
  std::shared_future<void> go_on = all.get_future().share();
  Start([&](const std::string&) {
    EXPECT_TRUE(pool_.Post([&] {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
        if (threads.size() == kCalls) all.set_value();
      }
      EXPECT_EQ(go_on.wait_for(kPatience), std::future_status::ready);
    }));
  });
  for (int i = 0; i < kCalls; ++i) client_->Write("call");
  go_on.wait_for(kPatience);
  Finish();
  EXPECT_EQ(threads.size(), static_cast<std::size_t>(kCalls));
}

TEST_F(ReadInTurnsTest, AReceiverThatThrowsDoesNotEndTheReading) {
  base::ConfigureLog(base::Severity::kOff, base::LogFormat::kText);
  std::promise<void> second;
  Start([&](const std::string& message) {
    if (message == "second") return second.set_value();
    EXPECT_TRUE(pool_.Post([] {}));
    throw std::runtime_error("expected by the test");
  });
  client_->Write("first");
  client_->Write("second");
  EXPECT_EQ(second.get_future().wait_for(kPatience), std::future_status::ready);
  Finish();
  base::ConfigureLog(base::Severity::kInfo, base::LogFormat::kAuto);
}

TEST_F(ReadInTurnsTest, TheEndIsToldWhileWorkStillRuns) {
  std::promise<void> begun;
  std::promise<void> ended;
  Start(
      [&](const std::string&) {
        EXPECT_TRUE(pool_.Post([&] {
          begun.set_value();
          EXPECT_EQ(ended.get_future().wait_for(kPatience), std::future_status::ready);
        }));
      },
      [&] { ended.set_value(); });
  client_->Write("call");
  begun.get_future().wait();
  Finish();
}

}  // namespace
}  // namespace toolpost::transport
