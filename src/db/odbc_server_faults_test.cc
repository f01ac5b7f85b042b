// What goes wrong while a statement runs on a SQL Server, and what the caller is told.
#include <thread>

#include "base/strings.h"
#include "base/timer_queue.h"
#include "db/odbc_connection_string.h"
#include "db/odbc_driver.h"
#include "db/odbc_server_fixture.h"
#include "db/odbc_session.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tds_server::Received;

class OdbcFaults : public OdbcServerTest {
 protected:
  // The error of a statement that the server answers with this one.
  Error Fails(int number, std::string_view message, int severity = 16) {
    Serve(Rule("SELECT a",
               base::StrCat(R"({"error": {"number": )", number, R"(, "class": )", severity,
                            R"(, "state": 3, "line": 4, "message": ")", message, R"("}})")));
    const auto outcome = Read("SELECT a");
    EXPECT_FALSE(outcome);
    return outcome ? Error() : outcome.error();
  }
};

TEST_F(OdbcFaults, ErrorsOfTheStatementAreTheServersWords) {
  const Error error = Fails(207, "[x] Invalid column name 'x'.");
  EXPECT_EQ(error.code, Code::kExecutionFailed);
  EXPECT_EQ(error.message, "SQL Server: [x] Invalid column name 'x'. (line 4)");
  EXPECT_EQ(error.data, (Json{{"message", "[x] Invalid column name 'x'."},
                              {"number", 207},
                              {"class", 16},
                              {"line", 4}}));
  EXPECT_EQ(Count("toolpost:check"), 1U);
  EXPECT_EQ(server_->Status().open, 1);
}

TEST_F(OdbcFaults, AMissingPermissionIsPermissionDenied) {
  EXPECT_EQ(Fails(229, "The SELECT permission was denied on the object 't'.", 14).code,
            Code::kPermissionDenied);
}

TEST_F(OdbcFaults, AMissingTableIsNotFound) {
  EXPECT_EQ(Fails(208, "Invalid object name 't'.").code, Code::kNotFound);
}

TEST_F(OdbcFaults, AnotherDatabaseThatCannotBeReferredToIsNotFound) {
  EXPECT_EQ(Fails(40515, "Reference to database and/or server name is not supported.").code,
            Code::kNotFound);
}

TEST_F(OdbcFaults, ADeadlockCanBeTriedAgain) {
  EXPECT_EQ(Fails(1205, "Transaction was deadlocked.", 13).code, Code::kUnavailable);
}

TEST_F(OdbcFaults, ALockThatIsHeldCanBeTriedAgain) {
  EXPECT_EQ(Fails(1222, "Lock request time out period exceeded.").code, Code::kUnavailable);
}

TEST_F(OdbcFaults, AServerOutOfResourcesSaysNothingOfItself) {
  const Error error = Fails(701, "There is insufficient system memory in pool /secret/.", 17);
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.message.find("secret"), std::string::npos);
}

TEST_F(OdbcFaults, AnErrorOfAnApplicationIsItsOwnWhateverItsSeverity) {
  const Error error = Fails(50'000, "Order 17 is already paid.", 17);
  EXPECT_EQ(error.code, Code::kExecutionFailed);
  EXPECT_NE(error.message.find("Order 17 is already paid."), std::string::npos);
}

TEST_F(OdbcFaults, AConflictOfSnapshotsCanBeTriedAgain) {
  for (const int number : {3960, 3961}) {
    const Error error = Fails(number, "Snapshot isolation transaction aborted.");
    EXPECT_EQ(error.code, Code::kUnavailable);
    EXPECT_NE(error.message.find("try again"), std::string::npos);
    EXPECT_EQ(error.message.find("memory"), std::string::npos);
  }
}

TEST_F(OdbcFaults, AnErrorAfterRowsIsAnError) {
  Serve(
      Rule("SELECT a",
           base::StrCat(
               kOneInteger,
               R"(,{"error": {"number": 8134, "message": "Divide by zero error encountered."}})")));
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kExecutionFailed);
  EXPECT_EQ(sink_.rows.size(), 1U);
}

TEST_F(OdbcFaults, TheDeadlineCancelsAndKeepsTheSession) {
  Serve(Rule("SELECT slow", kWait) + "," + Rule("SELECT ok", kOneInteger));
  const auto outcome = server_->Read(Request("SELECT slow", milliseconds(200)), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kTimeout);
  ExpectServerStillWorks();
  EXPECT_EQ(server_->Status().open, 1);
}

TEST_F(OdbcFaults, TheTimeoutOfTheLoginIsADeadlineToo) {
  Serve(Rule("SELECT slow", kWait));
  OdbcServerOptions options = Options();
  options.login.query_timeout = seconds(1);
  EXPECT_EQ(Connect(options)->Read(Request("SELECT slow"), sink_).error().code, Code::kTimeout);
}

// The session is given up, and the statement is not tried again: the server has answered it.
TEST_F(OdbcFaults, AnErrorWhoseCheckFailsIsStillThatError) {
  Serve("");
  tds_->Load(*tds_server::ParseScript(R"json({"rules": [
      {"tag": "toolpost:check", "steps": [{"cut": true}]},
      {"tag": "toolpost:ok", "steps": []},
      {"tag": "toolpost:read", "steps": [{"error": {"number": 207, "message": "Invalid column name"}}]}]})json"));
  ASSERT_TRUE(server_->Query(Request("/* toolpost:ok */")));
  EXPECT_EQ(Read("SELECT a").error().code, Code::kExecutionFailed);
  EXPECT_EQ(Count("toolpost:read"), 1U);
  EXPECT_EQ(server_->Status().open, 0);
}

// The check is a call of its own: where it ends a transaction, servers say so as an error (266).
TEST_F(OdbcFaults, ACheckThatHadToEndTheTransactionKeepsTheSession) {
  Serve("");
  tds_->Load(*tds_server::ParseScript(R"json({"rules": [
      {"tag": "toolpost:check", "steps": [
        {"columns": [{"name": "toolpost_depth", "type": "int"}], "rows": [[0]]},
        {"error": {"number": 266, "message": "Transaction count after EXECUTE indicates a mismatch."}}]},
      {"tag": "toolpost:read", "steps": [{"error": {"number": 207, "message": "Invalid column name"}}]}]})json"));
  EXPECT_EQ(Read("SELECT a").error().code, Code::kExecutionFailed);
  EXPECT_EQ(server_->Status().open, 1);
}

TEST_F(OdbcFaults, ACancelThatComesBehindTheLastRowIsTooLate) {
  Serve(base::StrCat(R"({"tag": "toolpost:ok", "steps": [)", kOneInteger, "]}"));
  const Libodbc& odbc = **Libodbc::Load();
  const std::string connection_string =
      *OdbcConnectionString(**OdbcDriver::Find(odbc), Options().login, "");
  base::TimerQueue timers;
  const auto session = OdbcSession::Open(
      odbc, timers, {.connection_string = connection_string, .encrypted = false, .verified = false},
      Clock::now() + seconds(60));
  ASSERT_TRUE(session) << session.error().message;

  class Stopper final : public OdbcResults {
   public:
    void Begin(const std::vector<ResultColumn>&) override {}
    bool Add(const OdbcCells&, std::span<const Cell>) override { return stop.request_stop(); }
    std::stop_source stop;
  } results;
  const auto finish = (*session)->Run({.sql = "/* toolpost:ok */ SELECT 1",
                                       .deadline = Clock::now() + seconds(60),
                                       .stop = results.stop.get_token()},
                                      results);
  ASSERT_TRUE(finish) << finish.error().message;
  EXPECT_EQ(*finish, OdbcSession::Finish::kAll);
}

TEST_F(OdbcFaults, OfABatchThatWritesAndWasBrokenOffNobodyKnowsWhatStays) {
  Serve(Rule("UPDATE slow", kWait) + "," + Rule("UPDATE cut", R"({"cut": true})") + "," +
        Rule("UPDATE wrong", R"({"error": {"number": 207, "message": "Invalid column name"}})"));
  for (const auto& [sql, patience] :
       {std::pair{"UPDATE slow", milliseconds(200)}, {"UPDATE cut", milliseconds(60'000)}}) {
    const auto outcome = server_->Write(Request(sql, patience), sink_);
    ASSERT_FALSE(outcome) << sql;
    EXPECT_NE(outcome.error().message.find("Whether its changes stay is not known"),
              std::string::npos)
        << outcome.error().message;
    EXPECT_EQ(outcome.error().message.find("try again"), std::string::npos);
  }
  EXPECT_EQ(server_->Write(Request("UPDATE wrong"), sink_).error().message,
            "SQL Server: Invalid column name");
}

TEST_F(OdbcFaults, TheDeadlineEndsATrickleOfRows) {
  std::string steps = R"({"columns": [{"name": "a", "type": "int"}], "rows": []})";
  for (int i = 0; i < 100; ++i) steps += R"(,{"rows": [[1]]},{"delayMs": 100})";
  Serve(Rule("SELECT slow", steps) + "," + Rule("SELECT ok", kOneInteger));
  const auto outcome = server_->Read(Request("SELECT slow", milliseconds(500)), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kTimeout);
  ExpectServerStillWorks();
}

TEST_F(OdbcFaults, StopCancelsAndKeepsTheSession) {
  Serve(Rule("SELECT slow", kWait) + "," + Rule("SELECT ok", kOneInteger));
  std::stop_source source;
  std::thread stopper([&] {
    EXPECT_TRUE(Arrived("toolpost:read"));
    source.request_stop();
  });
  SqlServerRequest request = Request("SELECT slow");
  request.stop = source.get_token();
  const auto outcome = server_->Read(request, sink_);
  stopper.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kCancelled);
  EXPECT_TRUE(tds_->record().WaitFor(
      [](const Received& received) { return received.kind == Received::Kind::kAttention; }));
  ExpectServerStillWorks();
  EXPECT_EQ(server_->Status().open, 1);
}

TEST_F(OdbcFaults, StopBeforeTheStartSendsNothing) {
  Serve("");
  std::stop_source source;
  source.request_stop();
  SqlServerRequest request = Request("SELECT a");
  request.stop = source.get_token();
  EXPECT_EQ(server_->Read(request, sink_).error().code, Code::kCancelled);
  EXPECT_EQ(Count("toolpost:read"), 0U);
}

// Whenever it comes, a stop ends the statement and never the next one.
TEST_F(OdbcFaults, StopAtAnyMomentIsSafe) {
  Serve(
      Rule(
          "SELECT slow",
          R"({"columns": [{"name": "a", "type": "int"}], "rows": [[1]], "repeat": 20000}, {"delayMs": 50})") +
      "," + Rule("SELECT ok", kOneInteger));
  for (int i = 0; i < 30; ++i) {
    std::stop_source source;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(i * 700));
      source.request_stop();
    });
    SqlServerRequest request = Request("SELECT slow");
    request.stop = source.get_token();
    TextSink sink;
    const auto outcome = server_->Read(request, sink);
    stopper.join();
    if (!outcome) {
      EXPECT_EQ(outcome.error().code, Code::kCancelled) << outcome.error().message;
    }
    ExpectServerStillWorks();
  }
}

TEST_F(OdbcFaults, AServerThatIgnoresTheCancelLosesTheSession) {
  Serve(Rule("SELECT slow", kWait), R"("faults": {"ignoreAttention": true},)");
  const auto outcome = server_->Read(Request("SELECT slow", milliseconds(200)), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kTimeout);
  EXPECT_EQ(server_->Status().open, 0);
}

TEST_F(OdbcFaults, AConnectionThatIsCutMidResultIsUnavailable) {
  Serve(Rule("SELECT a", base::StrCat(kOneInteger, R"(,{"cut": [2]})")) + "," +
        Rule("SELECT ok", kOneInteger));
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable) << outcome.error().message;
  EXPECT_EQ(server_->Status().open, 0);
  ExpectServerStillWorks();
}

TEST_F(OdbcFaults, AStaleConnectionIsReplacedForReading) {
  Serve(Rule("SELECT ok", kOneInteger));
  ExpectServerStillWorks();
  tds_->CutAll();
  ExpectServerStillWorks();
  EXPECT_EQ(sink_.rows.size(), 2U);
  EXPECT_EQ(server_->Status().open, 1);
}

TEST_F(OdbcFaults, ABatchThatWritesIsNeverSentTwice) {
  Serve(R"({"tag": "toolpost:write", "times": 1, "steps": [{"cut": true}]})");
  ASSERT_FALSE(server_->Query(Request("/* toolpost:x */")));
  const auto outcome = server_->Write(Request("UPDATE t"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(Count("toolpost:write"), 1U);
}

}  // namespace
}  // namespace toolpost::db
