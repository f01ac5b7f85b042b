// What goes wrong before a session with a SQL Server begins, and what the caller is told.
#include "base/strings.h"
#include "db/odbc_server_fixture.h"
#include "tds_server/test_certificate.h"

namespace toolpost::db {
namespace {

using std::chrono::seconds;
using tds_server::Received;

class OdbcLogins : public OdbcServerTest {
 protected:
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

TEST_F(OdbcLogins, AFailedLoginSaysSoWithoutThePassword) {
  Serve("");
  OdbcServerOptions options = Options();
  options.login.password = "planted-wrong-password";
  const auto outcome = Connect(options)->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(outcome.error().message,
            "SQL Server refused the login: check the user name and the password");
}

TEST_F(OdbcLogins, ADatabaseThatCannotBeOpenedIsNamedAsTheReason) {
  Serve("");
  tds_->Load(*tds_server::ParseScript(R"({"login": {"databases": ["master"]}})"));
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(outcome.error().message,
            "SQL Server cannot open the database of the connection: check its name and the rights "
            "of the login");
}

TEST_F(OdbcLogins, WhatTheServerRefusesALoginForIsNotBlamedOnItsCertificate) {
  ServeTls("127.0.0.1", "");
  for (const auto& [number, words] :
       {std::pair{40613, "not available at present"}, std::pair{40615, "server's firewall"},
        std::pair{17810, "SQL Server refused the connection (error 17810)"}}) {
    tds_->Load(*tds_server::ParseScript(base::StrCat(R"({"login": {"error": {"number": )", number,
                                                     R"(, "class": 20, "message": "no"}}})")));
    const auto outcome = Connect(TlsOptions())->Read(Request("SELECT a"), sink_);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, Code::kUnavailable);
    EXPECT_NE(outcome.error().message.find(words), std::string::npos) << outcome.error().message;
  }
}

TEST_F(OdbcLogins, AnUnreachableServerIsUnavailable) {
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

TEST_F(OdbcLogins, AHostThatIsNoneIsUnavailable) {
  Serve("");
  OdbcServerOptions options = Options();
  options.login.host = "no-such-host.invalid";
  const auto outcome = Connect(options)->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
}

TEST_F(OdbcLogins, ASilentServerTimesTheLoginOut) {
  Serve("", R"("faults": {"prelogin": "silent"},)");
  OdbcServerOptions options = Options();
  options.login.login_timeout = seconds(1);
  const auto started = Clock::now();
  const auto outcome = Connect(options)->Read(Request("SELECT a"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable) << outcome.error().message;
  EXPECT_LT(Clock::now() - started, seconds(30));
}

TEST_F(OdbcLogins, AServerThatHangsUpDuringLoginIsUnavailable) {
  Serve("", R"("faults": {"login": "cut"},)");
  const auto outcome = Read("SELECT a");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
}

TEST_F(OdbcLogins, AVerifiedCertificateEncryptsTheSession) {
  ServeTls("127.0.0.1", Rule("SELECT ok", kOneInteger));
  const auto outcome = Connect(TlsOptions())->Read(Request("SELECT ok"), sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(tds_->record().All().front().login.encrypted);
}

TEST_F(OdbcLogins, AnUntrustedCertificateIsRefusedWithAnExplanation) {
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

TEST_F(OdbcLogins, ACertificateForAnotherNameIsRefused) {
  ServeTls("sql.example", Rule("SELECT ok", kOneInteger));
  const auto outcome = Connect(TlsOptions())->Read(Request("SELECT ok"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("certificate"), std::string::npos)
      << outcome.error().message;
}

TEST_F(OdbcLogins, ATrustedCertificateIsNotLookedAt) {
  ServeTls("sql.example", Rule("SELECT ok", kOneInteger));
  OdbcServerOptions options = TlsOptions();
  options.login.trust_certificate = true;
  const auto outcome = Connect(options)->Read(Request("SELECT ok"), sink_);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(tds_->record().All().front().login.encrypted);
}

TEST_F(OdbcLogins, AServerThatCannotEncryptIsRefused) {
  Serve(Rule("SELECT ok", kOneInteger));
  OdbcServerOptions options = Options();
  options.login.encryption = SqlServerLogin::Encryption::kRequired;
  const auto outcome = Connect(options)->Read(Request("SELECT ok"), sink_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("Encrypt=false"), std::string::npos)
      << outcome.error().message;
}

}  // namespace
}  // namespace toolpost::db
