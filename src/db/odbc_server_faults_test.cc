// What goes wrong between a client and a SQL Server, and what the caller is told.
#include <sys/resource.h>

#include <atomic>
#include <thread>

#include "base/strings.h"
#include "db/odbc_server_fixture.h"
#include "tds_server/test_certificate.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tds_server::Received;

constexpr std::string_view kOneInteger =
    R"({"columns": [{"name": "a", "type": "int"}], "rows": [[1]]})";
constexpr std::string_view kWait = R"({"delayMs": 600000})";

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
  void ExpectServerStillWorks() {
    const auto outcome = Read("SELECT ok");
    EXPECT_TRUE(outcome) << outcome.error().message;
  }
  bool Arrived(std::string_view tag) {
    return tds_->record().WaitFor(
        [&](const Received& received) { return tds_server::TagOf(received.text) == tag; });
  }
  // A server with a certificate for `name`.
  void ServeTls(const std::string& name, std::string_view rules, bool required = true) {
    certificate_ = std::make_unique<tds_server::TestCertificate>(name);
    Serve(rules, base::StrCat(R"("tls": {"certificate": ")", certificate_->certificate(),
                              R"(", "key": ")", certificate_->key(), R"(", "required": )",
                              required ? "true" : "false", "},"));
  }
  OdbcServerOptions TlsOptions() const {
    OdbcServerOptions options = Options();
    options.login.encryption = SqlServerLogin::Encryption::kRequired;
    options.authorities = certificate_->certificate();
    return options;
  }

  std::unique_ptr<tds_server::TestCertificate> certificate_;
};

TEST_F(OdbcFaults, ErrorsOfTheStatementAreTheServersWords) {
  const Error error = Fails(207, "Invalid column name 'x'.");
  EXPECT_EQ(error.code, Code::kInvalidArgument);
  EXPECT_EQ(error.message, "SQL Server: Invalid column name 'x'. (line 4)");
  EXPECT_EQ(error.data, (Json{{"number", 207}, {"class", 16}, {"line", 4}}));
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

TEST_F(OdbcFaults, AnErrorAfterRowsIsAnError) {
  Serve(
      Rule("SELECT a",
           base::StrCat(
               kOneInteger,
               R"(,{"error": {"number": 8134, "message": "Divide by zero error encountered."}})")));
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kInvalidArgument);
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
  EXPECT_EQ(Read("SELECT a").error().code, Code::kInvalidArgument);
  EXPECT_EQ(Count("toolpost:read"), 1U);
  EXPECT_EQ(server_->Status().open, 0);
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

TEST_F(OdbcFaults, AFailedLoginSaysSoWithoutThePassword) {
  Serve("");
  OdbcServerOptions options = Options();
  options.login.password = "planted-wrong-password";
  const auto outcome = Connect(options)->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(outcome.error().message,
            "SQL Server refused the login: check the user name and the password");
}

TEST_F(OdbcFaults, ADatabaseThatCannotBeOpenedIsNamedAsTheReason) {
  Serve("");
  tds_->Load(*tds_server::ParseScript(R"({"login": {"databases": ["master"]}})"));
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(outcome.error().message,
            "SQL Server cannot open the database of the connection: check its name and the rights "
            "of the login");
}

TEST_F(OdbcFaults, AnUnreachableServerIsUnavailable) {
  Serve("");
  OdbcServerOptions options = Options();
  tds_.reset();
  const auto server = Connect(options);
  const auto outcome = server->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("cannot be reached"), std::string::npos)
      << outcome.error().message;
  EXPECT_FALSE(server->Status().problem.empty());
}

TEST_F(OdbcFaults, AHostThatIsNoneIsUnavailable) {
  Serve("");
  OdbcServerOptions options = Options();
  options.login.host = "no-such-host.invalid";
  const auto outcome = Connect(options)->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
}

TEST_F(OdbcFaults, ASilentServerTimesTheLoginOut) {
  Serve("", R"("faults": {"prelogin": "silent"},)");
  OdbcServerOptions options = Options();
  options.login.login_timeout = seconds(1);
  const auto started = Clock::now();
  const auto outcome = Connect(options)->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable) << outcome.error().message;
  EXPECT_LT(Clock::now() - started, seconds(30));
}

TEST_F(OdbcFaults, AServerThatHangsUpDuringLoginIsUnavailable) {
  Serve("", R"("faults": {"login": "cut"},)");
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
}

TEST_F(OdbcFaults, AVerifiedCertificateEncryptsTheSession) {
  ServeTls("127.0.0.1", Rule("SELECT ok", kOneInteger));
  const auto outcome = Connect(TlsOptions())->Read(Request("SELECT ok"), sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(tds_->record().All().front().login.encrypted);
}

TEST_F(OdbcFaults, AnUntrustedCertificateIsRefusedWithAnExplanation) {
  ServeTls("127.0.0.1", Rule("SELECT ok", kOneInteger));
  const tds_server::TestCertificate other("127.0.0.1");
  OdbcServerOptions options = TlsOptions();
  options.authorities = other.certificate();
  const auto outcome = Connect(options)->Read(Request("SELECT ok"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("certificate"), std::string::npos)
      << outcome.error().message;
  EXPECT_NE(outcome.error().message.find("TrustServerCertificate"), std::string::npos);
  EXPECT_TRUE(tds_->record().All().empty() ||
              tds_->record().All().front().kind != Received::Kind::kLogin);
}

TEST_F(OdbcFaults, ACertificateForAnotherNameIsRefused) {
  ServeTls("sql.example", Rule("SELECT ok", kOneInteger));
  const auto outcome = Connect(TlsOptions())->Read(Request("SELECT ok"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("certificate"), std::string::npos)
      << outcome.error().message;
}

TEST_F(OdbcFaults, ATrustedCertificateIsNotLookedAt) {
  ServeTls("sql.example", Rule("SELECT ok", kOneInteger));
  OdbcServerOptions options = TlsOptions();
  options.login.trust_certificate = true;
  const auto outcome = Connect(options)->Read(Request("SELECT ok"), sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(tds_->record().All().front().login.encrypted);
}

TEST_F(OdbcFaults, AServerThatCannotEncryptIsRefused) {
  Serve(Rule("SELECT ok", kOneInteger));
  OdbcServerOptions options = Options();
  options.login.encryption = SqlServerLogin::Encryption::kRequired;
  const auto outcome = Connect(options)->Read(Request("SELECT ok"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("Encrypt=false"), std::string::npos)
      << outcome.error().message;
}

TEST_F(OdbcFaults, FiftyMegabytesArriveWhole) {
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

TEST_F(OdbcFaults, AValueAboveTheLimitIsTooLarge) {
  Serve(Rule("SELECT huge", R"json({"columns": [{"name": "a", "type": "varbinary(max)"}],
      "rows": [[{"repeat": "0x00", "times": 67108865}]]})json") +
        "," + Rule("SELECT ok", kOneInteger));
  const auto outcome = Read("SELECT huge");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kTooLarge);
  ExpectServerStillWorks();
}

TEST_F(OdbcFaults, ManyRowsNeedNoMemory) {
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
TEST_F(OdbcFaults, ConcurrentCallersShareThePool) {
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

TEST_F(OdbcFaults, ABusyPoolSaysSoAtTheDeadline) {
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
