#include "api/front_door.h"

#include <gmock/gmock.h>

#include "api/exchange_fixture.h"
#include "base/json_parse.h"

namespace toolpost::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kMaster = "master-key-of-the-tests";
constexpr double kOneEver = 0.0001;  // the second token comes after hours
constexpr std::string_view kFar = "203.0.113.9";

struct Reply : RecordedExchange {
  void Send(int reply_status, std::string_view content_type, std::string reply_body,
            std::string_view reply_headers) override {
    headers = reply_headers;
    RecordedExchange::Send(reply_status, content_type, std::move(reply_body), reply_headers);
  }
  std::string headers;
};

class FrontDoorTest : public ::testing::Test {
 protected:
  explicit FrontDoorTest(double requests_per_second = 0)
      : door_(std::make_shared<auth::Authenticator>(Options()), requests_per_second,
              [this](const Denial& denial) {
                denials_.push_back(std::string(denial.path) + " " + std::string(denial.address) +
                                   " " + std::string(denial.reason));
              }) {}

  static auth::AuthenticatorOptions Options() {
    auth::AuthenticatorOptions options;
    options.master_key = kMaster;
    options.jwt_keys = auth::FixedKeys(
        {*auth::VerificationKey::FromSecret("a secret of at least thirty-two bytes")});
    options.challenge = R"(resource_metadata="https://mcp.example/.well-known/x")";
    return options;
  }

  // The status of the refusal; 200 when the request was let in.
  int Ask(std::string_view address, const std::vector<net::Header>& headers) {
    net::Request request;
    request.path = "/mcp";
    request.headers = &headers;
    request.remote_address = address;
    reply_ = std::make_unique<Reply>();
    principal_ = door_.Admit(request, *reply_, "Access-Control-Allow-Origin: http://localhost\r\n");
    EXPECT_NE(principal_ != nullptr, reply_->ended);
    return principal_ ? 200 : reply_->status;
  }
  int AskAs(std::string_view address, std::string_view key) {
    return Ask(address, {{"X-API-Key", key}});
  }

  std::vector<std::string> denials_;
  std::unique_ptr<Reply> reply_;
  std::shared_ptr<const Principal> principal_;
  FrontDoor door_;
};

class LimitedFrontDoorTest : public FrontDoorTest {
 protected:
  LimitedFrontDoorTest() : FrontDoorTest(kOneEver) {}
};

TEST_F(FrontDoorTest, CTRL_SEC_1_CVE_2026_32211_CVE_2026_33032_NobodyPassesWithoutACredential) {
  EXPECT_EQ(Ask(kFar, {}), 401);
  EXPECT_THAT(reply_->headers, HasSubstr("WWW-Authenticate: Bearer"));
  EXPECT_THAT(reply_->headers, HasSubstr("resource_metadata=\"https://mcp.example"));
  EXPECT_THAT(reply_->headers, HasSubstr("Access-Control-Allow-Origin: http://localhost\r\n"));
  const auto body = base::ParseJson(reply_->body);
  ASSERT_TRUE(body);
  EXPECT_THAT(std::string(body->at("error").at("message").as_string()), HasSubstr("X-API-Key"));
  EXPECT_EQ(Ask(kFar, {{"Authorization", "Basic dTpw"}}), 401);
  EXPECT_EQ(Ask("127.0.0.1", {}), 401);
  EXPECT_EQ(Ask("::1", {{"X-API-Key", ""}}), 401);
}

TEST_F(FrontDoorTest, CTRL_HTTP_403_WrongKeysGetNoChallengeAndAreNotRepeated) {
  EXPECT_EQ(AskAs(kFar, "planted-wrong-key"), 403);
  EXPECT_THAT(reply_->headers, Not(HasSubstr("WWW-Authenticate")));
  EXPECT_THAT(reply_->body + reply_->headers, Not(HasSubstr("planted")));
  EXPECT_EQ(Ask(kFar, {{"Authorization", "Bearer planted.wrong.token"}}), 401);
  EXPECT_THAT(reply_->headers, HasSubstr("error=\"invalid_token\""));
  EXPECT_THAT(reply_->body + reply_->headers, Not(HasSubstr("planted")));
}

TEST_F(FrontDoorTest, ThePrincipalKnowsWhereItCameFrom) {
  const std::string agent(300, 'a');
  EXPECT_EQ(Ask(kFar, {{"authorization", "bearer master-key-of-the-tests"}, {"user-agent", agent}}),
            200);
  EXPECT_EQ(principal_->id, "master");
  EXPECT_EQ(principal_->user, "");
  EXPECT_TRUE(principal_->authenticated);
  EXPECT_EQ(principal_->address, kFar);
  EXPECT_EQ(principal_->agent, agent.substr(0, 256));
  EXPECT_THAT(denials_, IsEmpty());
}

TEST_F(FrontDoorTest, CTRL_defect_14_EveryRefusalIsReported) {
  Ask(kFar, {});
  AskAs(kFar, "wrong");
  Ask(kFar, {{"X-API-Key", kMaster}, {"X-API-Key", "another"}});
  EXPECT_THAT(denials_,
              ElementsAre("/mcp 203.0.113.9 UNAUTHENTICATED", "/mcp 203.0.113.9 PERMISSION_DENIED",
                          "/mcp 203.0.113.9 UNAUTHENTICATED"));
}

TEST_F(FrontDoorTest, FailedAttemptsOfOneAddressAreLimited) {
  int refused = 0;
  for (int i = 0; i < 50; ++i) refused += AskAs(kFar, "wrong") == 429 ? 1 : 0;
  EXPECT_GE(refused, 1);
  while (AskAs(kFar, "wrong") != 429) {
  }
  EXPECT_THAT(reply_->headers, HasSubstr("Retry-After: "));
  EXPECT_THAT(reply_->headers, HasSubstr("Access-Control-Allow-Origin"));
  EXPECT_THAT(denials_.back(), HasSubstr("RATE_LIMITED"));
  // Others at other addresses are not affected, nor is who has the right key.
  EXPECT_EQ(AskAs("203.0.113.10", "wrong"), 403);
  EXPECT_EQ(AskAs(kFar, kMaster), 200);
}

TEST_F(FrontDoorTest, MissingCredentialsAndLoopbackAreNoFailedAttempts) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(Ask(kFar, {}), 401);
    EXPECT_EQ(AskAs("127.0.0.1", "wrong"), 403);
    EXPECT_EQ(AskAs("::1", "wrong"), 403);
  }
  EXPECT_EQ(AskAs(kFar, "wrong"), 403);
}

TEST_F(LimitedFrontDoorTest, CTRL_SEC_3_AnAddressHasALimitWhateverItPresents) {
  EXPECT_EQ(AskAs(kFar, kMaster), 200);
  EXPECT_EQ(AskAs(kFar, kMaster), 429);
  EXPECT_THAT(reply_->headers, HasSubstr("Retry-After: "));
  EXPECT_THAT(reply_->body, HasSubstr("Too many requests from this address"));
  EXPECT_THAT(denials_, ElementsAre("/mcp 203.0.113.9 RATE_LIMITED"));
  EXPECT_EQ(AskAs("203.0.113.10", kMaster), 200);
}

TEST_F(LimitedFrontDoorTest, LoopbackIsExempt) {
  for (const std::string_view address : {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_EQ(AskAs(address, kMaster), 200) << address;
    EXPECT_EQ(AskAs(address, kMaster), 200) << address;
  }
}

TEST_F(LimitedFrontDoorTest, Ipv6AddressesOfOneNetworkShareALimit) {
  EXPECT_EQ(AskAs("2001:db8:1:2:3:4:5:6", kMaster), 200);
  EXPECT_EQ(AskAs("2001:db8:1:2::7", kMaster), 429);
  EXPECT_EQ(AskAs("2001:db8:1:2:ffff::", kMaster), 429);
  EXPECT_EQ(AskAs("2001:db8:1:3::7", kMaster), 200);
  // Zeros may be left out in the network part too.
  EXPECT_EQ(AskAs("2001:db8::1", kMaster), 200);
  EXPECT_EQ(AskAs("2001:db8::2", kMaster), 429);
  EXPECT_EQ(AskAs("2001:db8:0:0:1:2:3:4", kMaster), 429);
}

TEST_F(LimitedFrontDoorTest, Ipv4AddressesDoNotShareOne) {
  EXPECT_EQ(AskAs("::ffff:203.0.113.1", kMaster), 200);
  EXPECT_EQ(AskAs("::ffff:203.0.113.2", kMaster), 200);
  EXPECT_EQ(AskAs("::ffff:203.0.113.2", kMaster), 429);
}

TEST_F(LimitedFrontDoorTest, TheLimitMayChangeWhileServing) {
  EXPECT_EQ(AskAs(kFar, kMaster), 200);
  EXPECT_EQ(AskAs(kFar, kMaster), 429);
  door_.Configure(0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(AskAs(kFar, kMaster), 200);
}

TEST(FrontDoor, WithoutAuthenticationEverybodyIsTheLocalUser) {
  FrontDoor door(std::make_shared<auth::Authenticator>(auth::AuthenticatorOptions{}), 0, {});
  const std::vector<net::Header> headers = {{"X-API-Key", "whatever"}};
  net::Request request;
  request.headers = &headers;
  request.remote_address = "127.0.0.1";
  Reply reply;
  const auto principal = door.Admit(request, reply, {});
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->user, "local");
  EXPECT_FALSE(principal->authenticated);
  EXPECT_EQ(principal->address, "127.0.0.1");
}

}  // namespace
}  // namespace toolpost::api
