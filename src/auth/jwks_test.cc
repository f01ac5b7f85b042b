// The key source against a real issuer on loopback.
#include "auth/jwks.h"

#include <gtest/gtest.h>

#include "auth/jwt.h"
#include "auth/vectors_fixture.h"
#include "base/json_write.h"
#include "net/testing.h"

namespace toolpost::auth {
namespace {

using net::testing::kDeadline;
using testing::Accepted;
using testing::FixedClock;
using testing::Jwk;
using testing::kIssuedAt;
using testing::Text;

constexpr std::chrono::milliseconds kLong = kDeadline;

// Serves what the test puts into it, by path.
class Issuer {
 public:
  Issuer()
      : server_([this](const net::Request& request, std::shared_ptr<net::Exchange> exchange) {
          const std::lock_guard lock(mutex_);
          asked_.emplace_back(request.path);
          if (held_) {
            waiting_.push_back(std::move(exchange));
            arrived_.Raise();
            return;
          }
          const auto found = documents_.find(std::string(request.path));
          if (found == documents_.end()) return exchange->Send(404, "", "");
          exchange->Send(200, "application/json", found->second);
        }) {}

  std::string url(std::string_view path = {}) const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + std::string(path);
  }
  void Put(std::string path, std::string document) {
    const std::lock_guard lock(mutex_);
    documents_[std::move(path)] = std::move(document);
  }
  void PutKeys(JsonArray keys) {
    Put("/jwks", base::ToJson(JsonObject{{"keys", std::move(keys)}}));
  }
  void Remove(const std::string& path) {
    const std::lock_guard lock(mutex_);
    documents_.erase(path);
  }
  void Hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  bool AwaitRequest() { return arrived_.Wait(); }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  void Release() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> documents_;
  std::vector<std::string> asked_;
  bool held_ = false;
  std::vector<std::shared_ptr<net::Exchange>> waiting_;
  net::testing::Event arrived_;
  net::testing::TestServer server_;
};

JwksOptions At(const std::string& url) {
  JwksOptions options;
  options.url = url;
  options.addresses.loopback = true;
  options.refresh_every = std::chrono::hours(1);
  return options;
}

Code CodeOf(const Result<std::vector<VerificationKey>>& result) {
  return result ? Code::kInputRequired : result.error().code;
}

TEST(Jwks, FetchesAheadAndVerifiesRealTokens) {
  const FixedClock clock;
  Issuer issuer;
  issuer.PutKeys({Jwk("RS256", "RS256-1"), Jwk("ES256", "ES256-1"), Jwk("EdDSA", "EdDSA-1")});
  const auto keys = Jwks::Open(At(issuer.url("/jwks"))).value();
  ASSERT_TRUE(keys->AwaitFetches(1, kLong));
  const JwtRules rules{.issuer = "https://issuer.example", .audience = "https://mcp.example/mcp"};
  for (const char* algorithm : {"RS256", "ES256", "EdDSA"}) {
    const auto claims = VerifyJwt(Text(Accepted(algorithm), "token"), *keys, rules);
    ASSERT_TRUE(claims.has_value()) << claims.error().message;
  }
  EXPECT_TRUE(keys->Candidates("")->empty()) << "a token without kid is ambiguous";
  EXPECT_EQ(issuer.asked().size(), 1U);
}

TEST(Jwks, ATokenWithoutKidFitsASingleKey) {
  const FixedClock clock;
  Issuer issuer;
  issuer.PutKeys({Jwk("EdDSA", "only")});
  const auto keys = Jwks::Open(At(issuer.url("/jwks"))).value();
  ASSERT_TRUE(keys->AwaitFetches(1, kLong));
  EXPECT_EQ(keys->Candidates("")->size(), 1U);
}

TEST(Jwks, AnUnknownKidFetchesAtMostEvery30Seconds) {
  FixedClock clock;
  Issuer issuer;
  issuer.PutKeys({Jwk("ES256", "old")});
  const auto keys = Jwks::Open(At(issuer.url("/jwks"))).value();
  ASSERT_TRUE(keys->AwaitFetches(1, kLong));
  issuer.PutKeys({Jwk("ES256", "old"), Jwk("EdDSA", "new")});
  EXPECT_TRUE(keys->Candidates("new")->empty()) << "fetched less than 30 s ago";
  EXPECT_EQ(keys->Candidates("old")->size(), 1U);
  clock.Set(kIssuedAt + 29);
  EXPECT_TRUE(keys->Candidates("new")->empty());
  clock.Set(kIssuedAt + 30);
  EXPECT_EQ(CodeOf(keys->Candidates("new")), Code::kUnavailable) << "asking now";
  ASSERT_TRUE(keys->AwaitFetches(2, kLong));
  EXPECT_EQ(keys->Candidates("new")->size(), 1U);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(keys->Candidates("junk" + std::to_string(i))->empty());
  EXPECT_EQ(issuer.asked().size(), 2U);
}

TEST(Jwks, KeepsItsKeysForADayWhenTheIssuerFails) {
  FixedClock clock;
  Issuer issuer;
  issuer.PutKeys({Jwk("ES256", "k")});
  const auto keys = Jwks::Open(At(issuer.url("/jwks"))).value();
  ASSERT_TRUE(keys->AwaitFetches(1, kLong));
  issuer.Put("/jwks", "<html>down</html>");
  clock.Set(kIssuedAt + 60);
  EXPECT_EQ(CodeOf(keys->Candidates("other")), Code::kUnavailable);
  ASSERT_TRUE(keys->AwaitFetches(2, kLong));
  EXPECT_EQ(keys->Candidates("k")->size(), 1U);
  clock.Set(kIssuedAt + 86'400 - 1);
  EXPECT_EQ(keys->Candidates("k")->size(), 1U);
  clock.Set(kIssuedAt + 86'400);
  EXPECT_EQ(CodeOf(keys->Candidates("k")), Code::kUnavailable);
}

TEST(Jwks, RetiredKeysAreForgotten) {
  FixedClock clock;
  Issuer issuer;
  issuer.PutKeys({Jwk("ES256", "old")});
  const auto keys = Jwks::Open(At(issuer.url("/jwks"))).value();
  ASSERT_TRUE(keys->AwaitFetches(1, kLong));
  issuer.PutKeys({Jwk("EdDSA", "new")});
  clock.Set(kIssuedAt + 30);
  EXPECT_EQ(CodeOf(keys->Candidates("new")), Code::kUnavailable);
  ASSERT_TRUE(keys->AwaitFetches(2, kLong));
  EXPECT_TRUE(keys->Candidates("old")->empty());
}

TEST(Jwks, NeverWaitsForTheIssuer) {
  Issuer issuer;
  issuer.Hold();
  const auto keys = Jwks::Open(At(issuer.url("/jwks"))).value();
  ASSERT_TRUE(issuer.AwaitRequest());
  EXPECT_EQ(CodeOf(keys->Candidates("k")), Code::kUnavailable);
  EXPECT_FALSE(keys->AwaitFetches(1, std::chrono::milliseconds(1)));
  issuer.Release();
}

TEST(Jwks, ClosingCancelsAFetchUnderWay) {
  Issuer issuer;
  issuer.Hold();
  JwksOptions options = At(issuer.url("/jwks"));
  options.fetch_timeout = std::chrono::hours(1);
  auto keys = Jwks::Open(options).value();
  ASSERT_TRUE(issuer.AwaitRequest());
  keys.reset();
  issuer.Release();
}

TEST(Jwks, FindsTheKeysThroughTheIssuer) {
  const FixedClock clock;
  for (const char* path :
       {"/.well-known/oauth-authorization-server/realm", "/.well-known/openid-configuration/realm",
        "/realm/.well-known/openid-configuration"}) {
    Issuer issuer;
    issuer.PutKeys({Jwk("ES256", "k")});
    issuer.Put(path, base::ToJson(JsonObject{{"issuer", issuer.url("/realm")},
                                             {"jwks_uri", issuer.url("/jwks")}}));
    JwksOptions options = At({});
    options.issuer = issuer.url("/realm");
    const auto keys = Jwks::Open(options).value();
    ASSERT_TRUE(keys->AwaitFetches(1, kLong));
    EXPECT_EQ(keys->Candidates("k")->size(), 1U) << path;
  }
}

TEST(Jwks, MetadataOfAnotherIssuerOrToAForbiddenAddressGivesNoKeys) {
  const FixedClock clock;
  Issuer issuer;
  issuer.PutKeys({Jwk("ES256", "k")});
  for (const auto& [name, uri] :
       {std::pair<std::string, std::string>{"https://evil.example", issuer.url("/jwks")},
        {issuer.url(), "http://169.254.169.254/jwks"},
        {issuer.url(), "file:///etc/passwd"},
        {issuer.url(), "http://10.0.0.1/jwks"}}) {
    issuer.Put("/.well-known/openid-configuration",
               base::ToJson(JsonObject{{"issuer", name}, {"jwks_uri", uri}}));
    JwksOptions options = At({});
    options.issuer = issuer.url();
    const auto keys = Jwks::Open(options).value();
    ASSERT_TRUE(keys->AwaitFetches(1, kLong));
    EXPECT_EQ(CodeOf(keys->Candidates("k")), Code::kUnavailable) << uri;
  }
}

TEST(Jwks, LoopbackOnlyWhenAllowed) {
  Issuer issuer;
  issuer.PutKeys({Jwk("ES256", "k")});
  JwksOptions options = At(issuer.url("/jwks"));
  options.addresses = {};
  const auto keys = Jwks::Open(options).value();
  ASSERT_TRUE(keys->AwaitFetches(1, kLong));
  EXPECT_EQ(CodeOf(keys->Candidates("k")), Code::kUnavailable);
  EXPECT_TRUE(issuer.asked().empty());
}

TEST(Jwks, RefusesUrlsThatCannotWork) {
  for (const char* url : {"", "x", "http://issuer.example/jwks", "http://10.0.0.1/jwks",
                          "ftp://issuer.example/", "https://user:pw@issuer.example/"}) {
    EXPECT_FALSE(Jwks::Open(At(url)).has_value()) << url;
  }
  JwksOptions options;
  options.issuer = "https://issuer.example/?query";
  EXPECT_FALSE(Jwks::Open(options).has_value());
}

}  // namespace
}  // namespace toolpost::auth
