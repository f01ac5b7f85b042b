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

// The driver knows how many bytes there are; of text it has to be read.
TEST_F(OdbcLoad, WhatIsNotWantedOfAValueIsCounted) {
  static constexpr std::size_t kWanted = 9'000;
  constexpr std::string_view kColumns =
      R"json({"columns": [{"name": "a", "type": "varbinary(max)"}, {"name": "b", "type": "nvarchar(max)"},
        {"name": "c", "type": "sql_variant"}, {"name": "d", "type": "int"}, {"name": "e", "type": "varchar(max)"}], "rows": )json";
  Serve(Rule("SELECT long",
             base::StrCat(kColumns, R"json([[{"repeat": "0x0123456789", "times": 100000},
      {"repeat": "ab😀", "times": 100000}, {"type": "varbinary(8000)", "value": {"repeat": "0xbeef", "times": 4000}}, 7, "short"],
      ["0x01", "", null, 8, {"repeat": "é", "times": 70001}]]})json")));
  class Sizes final : public RowSink {
   public:
    void Begin(std::span<const ResultColumn>) override {}
    bool Add(std::span<const Cell> row) override {
      for (const Cell& cell : row) {
        sizes.push_back(cell.size());
        EXPECT_TRUE(cell.missing == 0 || cell.text.size() > kWanted);
        EXPECT_LT(cell.text.size(), kWanted + 100'000);
        begins += base::StrCat("|", cell.text.substr(0, 6));
      }
      return true;
    }
    std::vector<std::size_t> sizes;
    std::string begins;
  } sink;
  SqlServerRequest request = Request("SELECT long");
  request.max_cell = kWanted;
  const auto outcome = server_->Read(request, sink);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink.sizes,
            (std::vector<std::size_t>{500'000, 600'000, 16'000, 1, 5, 1, 0, 0, 1, 140'002}));
  EXPECT_EQ(sink.begins, "|\x01#Eg\x89\x01|ab😀|beefbe|7|short|\x01|||8|ééé");
}

TEST_F(OdbcLoad, AValueAboveTheLimitIsTooLarge) {
  Serve(Rule("SELECT huge", R"json({"columns": [{"name": "a", "type": "varbinary(max)"}],
      "rows": [[{"repeat": "0x00", "times": 67108865}]]})json") +
        "," + Rule("SELECT ok", kOneInteger));
  for (const std::size_t wanted : {0U, 1'000U}) {
    SqlServerRequest request = Request("SELECT huge");
    request.max_cell = wanted;
    const auto outcome = server_->Read(request, sink_);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, Code::kTooLarge);
    ExpectServerStillWorks();
  }
}

TEST_F(OdbcLoad, StatementsOfOursAreBoundedInBytes) {
  Serve(
      R"json({"tag": "toolpost:wide", "steps": [{"columns": [{"name": "a", "type": "varbinary(max)"}],
      "rows": [[{"repeat": "0x00", "times": 2000000}]], "repeat": 40}]},
      {"tag": "toolpost:many", "steps": [{"columns": [{"name": "a", "type": "int"}], "rows": [[1]], "repeat": 1200000}]},)json" +
      Rule("SELECT ok", kOneInteger));
  for (const char* sql : {"/* toolpost:wide */", "/* toolpost:many */"}) {
    const auto sets = server_->Query(Request(sql));
    ASSERT_FALSE(sets) << sql;
    EXPECT_EQ(sets.error().code, Code::kTooLarge);
    EXPECT_NE(sets.error().message.find("namePattern"), std::string::npos);
    ExpectServerStillWorks();
  }
}

TEST_F(OdbcLoad, LongValuesOfStatementsOfOursAreCutAndOthersStayWhole) {
  Serve(
      R"json({"tag": "toolpost:long", "steps": [{"columns": [{"name": "a", "type": "nvarchar(max)"},
        {"name": "b", "type": "decimal(38,10)"}, {"name": "c", "type": "datetimeoffset(7)"}, {"name": "d", "type": "bigint"},
        {"name": "e", "type": "varbinary(max)"}, {"name": "f", "type": "nvarchar(max)"}],
      "rows": [[{"repeat": "x", "times": 2000000}, "1234567890123456789012345678.0123456789",
        "2024-02-29 23:59:58.1234567 +05:30", "9223372036854775807", {"repeat": "0x00", "times": 2000000}, "0123456789"]],
      "repeat": 100}]})json");
  SqlServerRequest request = Request("/* toolpost:long */");
  request.max_cell = 10;
  const auto sets = server_->Query(request);
  ASSERT_TRUE(sets) << sets.error().message;
  ASSERT_EQ(sets->front().size(), 100U);
  EXPECT_EQ(sets->front()[0],
            (Row{std::string(11, 'x'), "1234567890123456789012345678.0123456789",
                 "2024-02-29T23:59:58.1234567+05:30", std::int64_t{9223372036854775807},
                 Blob{std::string(11, '\0')}, "0123456789"}));
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
