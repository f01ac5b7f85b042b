#include "net/mailbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace toolpost::net {
namespace {

using ::testing::ElementsAre;

class MailboxTest : public ::testing::Test {
 protected:
  // Runs the loop until `wanted` numbers have been seen.
  void RunUntil(std::size_t wanted) {
    while (seen_.size() < wanted) {
      try {
        io_.run_one();
      } catch (const std::runtime_error&) {
        ++thrown_;
      }
    }
  }
  Mailbox::Work See(int number) {
    return [this, number] { seen_.push_back(number); };
  }

  boost::asio::io_context io_{1};
  Mailbox mailbox_{io_};
  std::vector<int> seen_;
  int thrown_ = 0;
};

TEST_F(MailboxTest, RunsWhatWasPostedBeforeAndAfterItOpensInOrder) {
  EXPECT_TRUE(mailbox_.Post(See(1)));
  EXPECT_TRUE(mailbox_.Post(See(2)));
  EXPECT_EQ(io_.poll(), 0u);
  mailbox_.Open();
  io_.restart();
  RunUntil(2);
  EXPECT_TRUE(mailbox_.Post(See(3)));
  RunUntil(3);
  EXPECT_THAT(seen_, ElementsAre(1, 2, 3));
}

TEST_F(MailboxTest, WorkMayPostMore) {
  mailbox_.Open();
  EXPECT_TRUE(mailbox_.Post([this] {
    seen_.push_back(1);
    mailbox_.Post(See(3));
    seen_.push_back(2);
  }));
  RunUntil(3);
  EXPECT_THAT(seen_, ElementsAre(1, 2, 3));
}

TEST_F(MailboxTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kEach = 2'000;
  mailbox_.Open();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kEach; ++i) EXPECT_TRUE(mailbox_.Post(See(thread * kEach + i)));
    });
  }
  RunUntil(std::size_t{kThreads} * kEach);
  for (std::thread& thread : threads) thread.join();
  std::vector<int> next(kThreads);
  for (const int number : seen_) EXPECT_EQ(number % kEach, next[number / kEach]++);
}

TEST_F(MailboxTest, WhatThrowsDoesNotKeepTheRestFromRunning) {
  mailbox_.Open();
  mailbox_.Post(See(1));
  mailbox_.Post([] { throw std::runtime_error("no"); });
  mailbox_.Post(See(2));
  RunUntil(2);
  EXPECT_EQ(thrown_, 1);
  EXPECT_THAT(seen_, ElementsAre(1, 2));
}

TEST_F(MailboxTest, ClosingRunsWhatIsLeftAndTakesNoMore) {
  mailbox_.Open();
  mailbox_.Post(See(1));
  mailbox_.Post([] { throw std::runtime_error("no"); });
  mailbox_.Post([this] {
    seen_.push_back(2);
    EXPECT_FALSE(mailbox_.Post(See(9)));
  });
  mailbox_.Close();
  EXPECT_TRUE(mailbox_.closed());
  EXPECT_FALSE(mailbox_.Post(See(9)));
  EXPECT_THAT(seen_, ElementsAre(1, 2));
}

}  // namespace
}  // namespace toolpost::net
