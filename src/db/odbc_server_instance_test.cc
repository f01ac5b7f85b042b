// Named instances: a browser service says at which port they are.
#include "base/strings.h"
#include "db/odbc_server_fixture.h"
#include "tds_server/browser.h"

namespace toolpost::db {
namespace {

using tds_server::Browser;

class OdbcInstances : public OdbcServerTest {
 protected:
  void SetUp() override { Serve(Rule("SELECT ok", kOneInteger), "", address_); }
  void Browse(Browser::Options options) {
    options.address = address_;
    auto browser = Browser::Start(std::move(options));
    ASSERT_TRUE(browser) << browser.error().message;
    browser_ = *std::move(browser);
  }
  // Reads from what a connection string leads to.
  Result<SqlServerOutcome> ReadFrom(std::string_view server, int login_seconds = 60) {
    OdbcServerOptions options = Options();
    options.login = *ParseSqlServerLogin(base::StrCat(
        "Server=", server,
        ";Database=shop;User Id=sa;Password=\"p;w=d'\"\" {ö}}\";Encrypt=no;Connect Timeout=",
        login_seconds));
    return Connect(options)->Read(Request("SELECT ok"), sink_);
  }

  const std::string address_ = tds_server::OwnLoopbackAddress();
  std::unique_ptr<Browser> browser_;
};

TEST_F(OdbcInstances, TheBrowserLeadsToAnInstance) {
  Browse({.instances = {{"OTHER", 1}, {"EXPRESS", tds_->port()}}});
  const auto outcome = ReadFrom(address_ + "\\Express");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.rows, std::vector<std::string>{"1"});
  EXPECT_EQ(browser_->requests(), 1);
}

TEST_F(OdbcInstances, APortIsTakenAtItsWord) {
  const auto outcome = ReadFrom(base::StrCat(address_, "\\EXPRESS,", tds_->port()));
  ASSERT_TRUE(outcome) << outcome.error().message;
}

TEST_F(OdbcInstances, ALostRequestIsRepeated) {
  Browse({.instances = {{"EXPRESS", tds_->port()}}, .unanswered = 1});
  const auto outcome = ReadFrom(address_ + "\\EXPRESS");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(browser_->requests(), 2);
}

TEST_F(OdbcInstances, WhatIsNoAnswerIsPassedOver) {
  const std::string other = "\x05\x40\x01ServerName;A;InstanceName;OTHER;tcp;1;;";
  Browse({.instances = {{"EXPRESS", tds_->port()}},
          .noise = {"", "\x05", "\x05;;", other, other.substr(0, 30), "\x04" + other.substr(1),
                    std::string(1'400, ';'), std::string(1'400, '\xff')}});
  const auto outcome = ReadFrom(address_ + "\\EXPRESS");
  ASSERT_TRUE(outcome) << outcome.error().message;
}

constexpr std::string_view kNotFound =
    "The instance of the SQL Server was not found: no SQL Server Browser told its port. Check the "
    "name of the instance, start the browser service and open UDP port 1434; or give the port in "
    "place of the instance (Server=host,port)";

// FreeTDS would ask sixteen times, a second each.
TEST_F(OdbcInstances, AnInstanceThatTheBrowserDoesNotKnowIsAskedForUntilTheLoginTimesOut) {
  Browse({.instances = {{"OTHER", tds_->port()}}});
  const auto outcome = ReadFrom(address_ + "\\EXPRESS", 1);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(outcome.error().message, kNotFound);
  EXPECT_GE(browser_->requests(), 1);
  EXPECT_LE(browser_->requests(), 3);
}

TEST_F(OdbcInstances, AHostWithoutABrowserIsExplained) {
  const auto outcome = ReadFrom(address_ + "\\EXPRESS");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_EQ(outcome.error().message, kNotFound);
}

TEST_F(OdbcInstances, AnInstanceWithoutTcpIsExplained) {
  Browse({.instances = {{"EXPRESS", 0}}});
  const auto outcome = ReadFrom(address_ + "\\EXPRESS");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("takes no TCP"), std::string::npos);
}

TEST_F(OdbcInstances, AHostThatIsNoneIsExplained) {
  const auto outcome = ReadFrom("no-such-host.invalid\\EXPRESS");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kUnavailable);
  EXPECT_NE(outcome.error().message.find("no host has its name"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::db
