#include "mcp/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace toolpost::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Strings = std::vector<std::string>;

// Writes down the numbers of what it reads; "lost" where something is missing.
class Notes : public EventReader {
 public:
  void Start(std::string_view id) override { last_id = id; }
  void Read(const Entry& entry) override {
    const std::size_t number = entry.json.find("\"n\":");
    seen.push_back(entry.kind ? entry.json.substr(number + 4, entry.json.size() - number - 5)
                              : "lost");
    last_id = entry.id;
    last = entry;
  }

  Strings seen;
  std::string last_id;
  Entry last;
};

class EventLogTest : public ::testing::Test {
 protected:
  void Publish(int number) {
    bus_.Publish({EventKind::kSessionOpened, {{"n", number}}, "someone"});
  }
  std::shared_ptr<Notes> Follow(EventLog& log, std::string_view after = {}) {
    auto notes = std::make_shared<Notes>();
    log.Follow(after, notes);
    return notes;
  }

  EventBus bus_;
};

TEST_F(EventLogTest, RecordsNothingBeforeSomebodyReads) {
  const EventLog log(bus_);
  EXPECT_FALSE(log.recording());
  EXPECT_FALSE(bus_.active(EventKind::kToolExecuted));
}

TEST_F(EventLogTest, AReaderGetsWhatHappensFromThenOn) {
  EventLog log(bus_);
  Publish(1);
  const auto reader = Follow(log);
  Publish(2);
  Publish(3);
  log.Leave(*reader);
  log.Leave(*reader);
  Publish(4);
  EXPECT_THAT(reader->seen, ElementsAre("2", "3"));
}

TEST_F(EventLogTest, EntriesSayWhatHappenedWhenAndWhose) {
  EventLog log(bus_);
  const auto reader = Follow(log);
  bus_.Publish({EventKind::kToolExecuted,
                {{"tool", "a/b"}, {"quote", "\"\n"}},
                "key:1",
                std::chrono::system_clock::time_point()});
  EXPECT_EQ(reader->last.json,
            R"({"type":"toolExecuted","time":"1970-01-01T00:00:00.000Z","tool":"a/b",)"
            R"("quote":"\"\n"})");
  EXPECT_EQ(reader->last.kind, EventKind::kToolExecuted);
  EXPECT_EQ(reader->last.principal, "key:1");
}

TEST_F(EventLogTest, WhoComesBackGetsWhatCameMeanwhileOnce) {
  EventLog log(bus_);
  auto first = Follow(log);
  Publish(1);
  log.Leave(*first);
  Publish(2);
  Publish(3);
  const auto second = Follow(log, first->last_id);
  Publish(4);
  EXPECT_THAT(second->seen, ElementsAre("2", "3", "4"));
}

TEST_F(EventLogTest, WhoSawNothingComesBackToWhereItStarted) {
  EventLog log(bus_);
  auto first = Follow(log);
  const std::string start = first->last_id;
  first.reset();
  Publish(1);
  EXPECT_THAT(Follow(log, start)->seen, ElementsAre("1"));
}

TEST_F(EventLogTest, WhatIsNoLongerThereIsSaidToBeLost) {
  EventLog log(bus_, 2);
  const auto first = Follow(log);
  Publish(1);
  const std::string one = first->last_id;
  Publish(2);
  Publish(3);
  EXPECT_THAT(Follow(log, one)->seen, ElementsAre("2", "3"));
  Publish(4);
  const auto late = Follow(log, one);
  EXPECT_THAT(late->seen, ElementsAre("lost", "3", "4"));
}

TEST_F(EventLogTest, IdsFromElsewhereLeadToWhatIsThere) {
  EventLog other(bus_);
  const auto elsewhere = Follow(other);
  EventLog log(bus_);
  const auto here = Follow(log);
  Publish(1);
  for (const std::string& id :
       {elsewhere->last_id, std::string("-"), std::string("x"), std::string(10'000, '9'),
        here->last_id + "0", here->last_id + "x", std::string("\0", 1)}) {
    EXPECT_THAT(Follow(log, id)->seen, ElementsAre("lost", "1")) << id;
  }
}

TEST_F(EventLogTest, RecordingEndsAWhileAfterTheLastReader) {
  EventLog log(bus_, 8, std::chrono::seconds(0));
  const auto first = Follow(log);
  Publish(1);
  log.Leave(*first);
  EXPECT_TRUE(log.recording());
  Publish(2);  // notices
  EXPECT_FALSE(log.recording());
  EXPECT_FALSE(bus_.active(EventKind::kSessionOpened));
  const auto second = Follow(log, first->last_id);
  EXPECT_THAT(second->seen, ElementsAre("lost"));  // nobody wrote down what came meanwhile
  Publish(3);
  EXPECT_THAT(second->seen, ElementsAre("lost", "3"));
}

TEST_F(EventLogTest, AReaderThatIsGoneIsForgotten) {
  EventLog log(bus_, 8, std::chrono::seconds(0));
  Follow(log).reset();
  Publish(1);
  Publish(2);
  EXPECT_FALSE(log.recording());
}

TEST_F(EventLogTest, TheBusOutlivesTheLog) {
  auto log = std::make_unique<EventLog>(bus_);
  const auto reader = Follow(*log);
  log.reset();
  Publish(1);
  EXPECT_THAT(reader->seen, IsEmpty());
  EXPECT_FALSE(bus_.active(EventKind::kSessionOpened));
}

TEST_F(EventLogTest, ManyPublishersKeepOneOrder) {
  EventLog log(bus_, 10'000);
  const auto first = Follow(log);
  const auto second = Follow(log);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([this] {
        for (int n = 0; n < 500; ++n) Publish(n);
      });
    }
  }
  EXPECT_EQ(first->seen.size(), 2'000U);
  EXPECT_EQ(first->seen, second->seen);
}

}  // namespace
}  // namespace toolpost::mcp
