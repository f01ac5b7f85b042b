#include "store/usage_log.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <thread>

#include "base/log.h"
#include "store/api_keys.h"
#include "store/store_fixture.h"
#include "store/usage_table.h"

namespace toolpost::store {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kForever{24 * 365 * 200};  // the entries below are old

class UsageLogTest : public StoreTest {
 protected:
  static Usage Entry(std::int64_t number, std::string key_id = "k", std::string user_id = "ann") {
    return {.key_id = std::move(key_id),
            .user_id = std::move(user_id),
            .at = base::WallTime(std::chrono::seconds(1000 + number)),
            .resource = "tool-" + std::to_string(number),
            .method = "tools/call",
            .address = "127.0.0.1",
            .user_agent = "test"};
  }
  static void Record(UsageLog& log, const Usage& usage) {
    log.Record({.key_id = usage.key_id,
                .user_id = usage.user_id,
                .at = usage.at,
                .resource = usage.resource,
                .method = usage.method,
                .address = usage.address,
                .user_agent = usage.user_agent});
  }
  static std::int64_t CallsIn(const std::vector<Usage>& entries) {
    std::int64_t calls = 0;
    for (const Usage& entry : entries) calls += entry.count;
    return calls;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, UsageLogTest, BothEngines(), EngineName);

TEST_P(UsageLogTest, ReturnsEntriesNewestFirst) {
  UsageLog log(store_, kForever);
  Record(log, Entry(2));
  Record(log, Entry(3, "other"));
  Record(log, Entry(1));
  Record(log, Entry(4, "k", "bob"));
  const auto of_key = log.OfKey("k", 100);
  ASSERT_TRUE(of_key) << of_key.error().message;
  ASSERT_EQ(of_key->size(), 3u);
  EXPECT_EQ((*of_key)[0].resource, "tool-4");
  EXPECT_EQ((*of_key)[2].resource, "tool-1");
  const auto of_user = log.OfUser("ann", 2);
  ASSERT_EQ(of_user->size(), 2u);
  EXPECT_EQ((*of_user)[0].resource, "tool-3");
  Usage expected = Entry(2);
  expected.id = (*of_key)[1].id;
  EXPECT_GT(expected.id, 0);
  EXPECT_EQ((*of_key)[1], expected);
}

TEST_P(UsageLogTest, AcceptsLimitsFromOneToTenThousand) {
  UsageLog log(store_, kForever);
  for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{10'001},
                                   std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(log.OfKey("k", limit).error().code, Code::kInvalidArgument);
    EXPECT_EQ(log.OfUser("ann", limit).error().code, Code::kInvalidArgument);
  }
  Record(log, Entry(1));
  Record(log, Entry(2));
  EXPECT_EQ(log.OfKey("k", 1)->size(), 1u);
  EXPECT_EQ(log.OfKey("k", 10'000)->size(), 2u);
}

TEST_P(UsageLogTest, WritesByItself) {
  UsageLog log(store_, kForever);
  Record(log, Entry(1));
  auto other = OpenAnother();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (;;) {
    const auto seen = SelectUsage(*other, UsageOf::kKey, "k", 10);
    if (seen && seen->size() == 1) break;
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
}

TEST_P(UsageLogTest, WritesEverythingBeforeItEnds) {
  {
    UsageLog log(store_, kForever);
    for (int i = 0; i < 4321; ++i) Record(log, Entry(i));
  }
  const auto all = SelectUsage(*store_, UsageOf::kKey, "k", 10'000);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 4321u);
  EXPECT_EQ(all->front().resource, "tool-4320");
  EXPECT_EQ(all->back().resource, "tool-0");
}

TEST_P(UsageLogTest, JoinsEqualCallsOnlyWhenManyWait) {
  UsageLog log(store_, kForever);
  for (int i = 0; i < 100; ++i) Record(log, Entry(1));
  Usage late = Entry(1);
  late.at += std::chrono::seconds(5);
  for (int i = 0; i < 1000; ++i) Record(log, late);
  for (int i = 0; i < 10; ++i) Record(log, Entry(1, "other key"));
  const auto entries = log.OfKey("k", 10'000);
  ASSERT_TRUE(entries) << entries.error().message;
  EXPECT_EQ(CallsIn(*entries), 1100);
  EXPECT_GE(entries->size(), 100u);
  EXPECT_LE(entries->size(), 550u);
  EXPECT_EQ(entries->front().at, late.at);
  EXPECT_EQ(CallsIn(*log.OfKey("other key", 10)), 10);
}

// Only an idle second between two of its lines would tell the calls apart again.
TEST_P(UsageLogTest, JoinsEqualCallsAtOnceAfterABusyBatchUntilOneIsQuiet) {
  UsageLog log(store_, kForever);
  int round = 0;
  const auto entries_of = [&](int calls) {
    const std::string key = "key " + std::to_string(++round);
    for (int i = 0; i < calls; ++i) Record(log, Entry(1, key));
    const auto entries = log.OfKey(key, 10'000);
    EXPECT_EQ(CallsIn(*entries), calls);
    return entries->size();
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    EXPECT_LT(entries_of(5'000), 5'000u);
  } while (entries_of(50) == 50);
  EXPECT_EQ(entries_of(1), 1u);
  EXPECT_EQ(entries_of(10), 10u);
}

TEST_P(UsageLogTest, RemovesWhatIsTooOld) {
  std::vector<Usage> entries;
  for (int i = 0; i < 10'010; ++i) entries.push_back(Entry(i));
  ASSERT_TRUE(InsertUsage(*store_, entries));
  ASSERT_TRUE(RemoveUsageBefore(*store_, Entry(10'005).at));
  const auto left = SelectUsage(*store_, UsageOf::kKey, "k", 10'000);
  ASSERT_EQ(left->size(), 5u);
  EXPECT_EQ(left->back().resource, "tool-10005");
}

TEST_P(UsageLogTest, KeepsTheLatestUseOfEachKey) {
  ApiKeys keys(*store_);
  ASSERT_TRUE(keys.Add({.id = "k"}));
  ASSERT_TRUE(keys.Add({.id = "idle"}));
  const std::int64_t epoch = *store_->KeyEpoch();
  UsageLog log(store_, kForever);
  Record(log, Entry(9));
  Record(log, Entry(5));
  Record(log, Entry(1, "no such key"));
  log.Flush();
  EXPECT_EQ(keys.Find("k")->value().last_used, Entry(9).at);
  Record(log, Entry(7));
  log.Flush();
  EXPECT_EQ(keys.Find("k")->value().last_used, Entry(9).at);
  EXPECT_FALSE(keys.Find("idle")->value().last_used.has_value());
  EXPECT_EQ(*store_->KeyEpoch(), epoch);
}

TEST_P(UsageLogTest, KeepsTheEntriesOfADeletedKey) {
  ApiKeys keys(*store_);
  ASSERT_TRUE(keys.Add({.id = "k"}));
  UsageLog log(store_, kForever);
  Record(log, Entry(1));
  log.Flush();
  ASSERT_TRUE(*keys.Delete("k"));
  EXPECT_EQ(log.OfKey("k", 10)->size(), 1u);
}

TEST_P(UsageLogTest, IsNotSpoiltByHostileText) {
  UsageLog log(store_, kForever);
  Usage hostile = Entry(1);
  hostile.user_agent = std::string("a\0b\xff\xc3(", 6) + std::string(100'000, 'x');
  hostile.resource = std::string(511, 'y') + "\xc3\xab";
  hostile.method = "'); DROP TABLE toolpost_usage; --";
  Record(log, hostile);
  const auto read = log.OfKey("k", 10);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ((*read)[0].user_agent, "a?b?\?(" + std::string(506, 'x'));
  EXPECT_EQ((*read)[0].resource, std::string(511, 'y'));
  EXPECT_EQ((*read)[0].method, hostile.method);
}

TEST_P(UsageLogTest, LosesNothingWithManyWriters) {
  UsageLog log(store_, kForever);
  auto other_store = std::shared_ptr<Store>(OpenAnother());
  UsageLog other(other_store, kForever);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        for (int n = 0; n < 200; ++n) Record(i % 2 == 0 ? log : other, Entry(n));
        log.Flush();
      });
    }
  }
  other.Flush();
  EXPECT_EQ(CallsIn(*log.OfKey("k", 10'000)), 1600);
  EXPECT_EQ(log.dropped() + other.dropped(), 0u);
}

TEST(SqliteUsageLog, KeepsEntriesWhileTheStoreIsAwayAndDropsTheOldest) {
  std::string pattern = (fs::temp_directory_path() / "toolpost-usage-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path directory = pattern;
  std::FILE* captured = std::tmpfile();
  base::FlushLog();
  base::SetLogDescriptorForTest(fileno(captured));
  {
    const fs::path state = directory / "state";
    std::fclose(std::fopen(state.c_str(), "w"));  // not a directory: the store cannot be opened
    auto store = std::make_shared<Store>(StoreOptions{.directory = state});
    UsageLog log(store);
    log.Record({.key_id = "k", .resource = "oldest"});
    log.Flush();
    for (int i = 0; i < 100'000; ++i) {
      log.Record({.key_id = "k", .at = base::Now(), .resource = std::to_string(i)});
    }
    EXPECT_EQ(log.dropped(), 1u);
    log.Flush();
    EXPECT_EQ(log.dropped(), 1u);
    fs::remove(state);
    log.Flush();
    EXPECT_EQ(log.dropped(), 1u);
    const auto count = Read<std::int64_t>(*store, [](db::Sql& sql) -> Result<std::int64_t> {
      ASSIGN_OR_RETURN(const auto rows,
                       sql.Query("SELECT count(*), sum(resource = 'oldest') FROM toolpost_usage"));
      EXPECT_EQ(db::IntegerOr(rows[0][1], -1), 0);
      return db::IntegerOr(rows[0][0], 0);
    });
    EXPECT_EQ(*count, 100'000);
  }
  base::FlushLog();
  base::SetLogDescriptorForTest(2);
  std::string text(static_cast<std::size_t>(lseek(fileno(captured), 0, SEEK_END)), '\0');
  ASSERT_EQ(pread(fileno(captured), text.data(), text.size(), 0),
            static_cast<ssize_t>(text.size()));
  EXPECT_THAT(text, ::testing::HasSubstr("usage entries dropped"));
  EXPECT_THAT(text, ::testing::HasSubstr("usage log not written"));
  std::fclose(captured);
  fs::remove_all(directory);
}

TEST(SqliteUsageLog, CreatesNoStoreToReadFromIt) {
  std::string pattern = (fs::temp_directory_path() / "toolpost-usage-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path directory = pattern;
  {
    UsageLog log(std::make_shared<Store>(StoreOptions{.directory = directory / "state"}));
    EXPECT_TRUE(log.OfKey("k", 10)->empty());
    log.Flush();
  }
  EXPECT_FALSE(fs::exists(directory / "state"));
  fs::remove_all(directory);
}

TEST(StorableText, IsCutAtACharacterAndCleaned) {
  const auto storable = [](std::string text, std::size_t longest) {
    MakeStorable(text, longest);
    return text;
  };
  EXPECT_EQ(storable("", 3), "");
  EXPECT_EQ(storable("abc", 3), "abc");
  EXPECT_EQ(storable("abcd", 3), "abc");
  EXPECT_EQ(storable("ab\xc3\xab", 3), "ab");
  EXPECT_EQ(storable("ab\xc3\xab", 4), "ab\xc3\xab");
  EXPECT_EQ(storable("\xff\xfe", 4), std::string(2, '?'));
  EXPECT_EQ(storable(std::string("a\0", 2), 4), "a?");
  EXPECT_EQ(storable("\xe2\x82", 4), std::string(2, '?'));
}

}  // namespace
}  // namespace toolpost::store
