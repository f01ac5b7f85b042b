// Large results of a SQL Server, and many callers at once.
#include <atomic>
#include <thread>

#include "base/strings.h"
#include "db/odbc_server_fixture.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;

using OdbcLoad = OdbcServerTest;

TEST_F(OdbcLoad, FiftyMegabytesArriveWhole) {
  Serve(Rule("SELECT big", R"json({"columns": [{"name": "a", "type": "varbinary(max)"}],
      "rows": [[{"repeat": "0x0123456789", "times": 10000000}]]})json") +
        "," + Rule("SELECT text", R"json({"columns": [{"name": "a", "type": "nvarchar(max)"}],
      "rows": [[{"repeat": "ab😀", "times": 5000000}]]})json"));
  sink_.keep = false;
  auto outcome = Read("SELECT big");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.bytes, 50'000'000U);
  sink_.bytes = 0;
  outcome = Read("SELECT text");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.bytes, 30'000'000U);
}

TEST_F(OdbcLoad, AValueAboveTheLimitIsTooLarge) {
  Serve(Rule("SELECT huge", R"json({"columns": [{"name": "a", "type": "varbinary(max)"}],
      "rows": [[{"repeat": "0x00", "times": 67108865}]]})json") +
        "," + Rule("SELECT ok", kOneInteger));
  const auto outcome = Read("SELECT huge");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kTooLarge);
  ExpectServerStillWorks();
}

TEST_F(OdbcLoad, ManyRowsNeedNoMemory) {
  Serve(Rule("SELECT many", R"json({"columns": [{"name": "a", "type": "nvarchar(100)"}],
      "rows": [["0123456789012345678901234567890123456789"]], "repeat": 200000})json"));
  class Counting final : public RowSink {
   public:
    void Begin(std::span<const ResultColumn>) override {}
    bool Add(std::span<const Cell>) override { return ++rows > 0; }
    std::size_t rows = 0;
  } counting;
  const auto outcome = server_->Read(Request("SELECT many"), counting);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(counting.rows, 200'000U);
}

// A session serves one caller at a time: each sees only rows of its own statement.
TEST_F(OdbcLoad, ConcurrentCallersShareThePool) {
  std::string rules;
  for (int i = 0; i < 8; ++i) {
    rules += (i == 0 ? "" : ",") +
             Rule(base::StrCat("SELECT ", i),
                  base::StrCat(R"({"columns": [{"name": "a", "type": "int"}], "rows": [[)", i,
                               R"(]], "repeat": 50})"));
  }
  Serve(rules);
  OdbcServerOptions options = Options();
  options.max_connections = 3;
  const auto server = Connect(options);
  std::atomic<int> good = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        TextSink sink;
        const std::string sql = base::StrCat("SELECT ", i);
        if (!server->Read(Request(sql), sink)) continue;
        if (sink.rows == std::vector<std::string>(50, base::StrCat(i))) ++good;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 80);
  EXPECT_LE(server->Status().open, 3);
  EXPECT_EQ(server->Status().busy, 0);
}

TEST_F(OdbcLoad, ABusyPoolSaysSoAtTheDeadline) {
  Serve(Rule("SELECT slow", kWait) + "," + Rule("SELECT ok", kOneInteger));
  OdbcServerOptions options = Options();
  options.max_connections = 1;
  const auto server = Connect(options);
  std::stop_source source;
  std::thread holder([&] {
    SqlServerRequest request = Request("SELECT slow");
    request.stop = source.get_token();
    TextSink sink;
    EXPECT_EQ(server->Read(request, sink).error().code, Code::kCancelled);
  });
  EXPECT_TRUE(Arrived("toolpost:read"));
  const auto outcome = server->Read(Request("SELECT ok", milliseconds(100)), sink_);
  source.request_stop();
  holder.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace toolpost::db
