#include "auth/authenticator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "auth/api_key.h"
#include "auth/policy.h"
#include "base/json_write.h"

namespace toolpost::auth {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMaster = "master-key-of-the-tests";
constexpr std::string_view kSharedSecret = "a secret of at least thirty-two bytes";

Presented Token(std::string_view token) {
  Presented presented;
  presented.kind = Presented::Kind::kToken;
  presented.token = token;
  return presented;
}

std::string Jwt(const JsonObject& claims, std::string_view secret = kSharedSecret) {
  const std::string head = base::ToBase64Url(R"({"alg":"HS256","typ":"JWT"})");
  const std::string signed_part = head + "." + base::ToBase64Url(base::ToJson(claims));
  const base::Sha256Digest code = base::HmacSha256(secret, signed_part);
  return signed_part + "." +
         base::ToBase64Url({reinterpret_cast<const char*>(code.data()), code.size()});
}

std::int64_t InSeconds(std::int64_t seconds) {
  return std::chrono::duration_cast<std::chrono::seconds>(base::Now().time_since_epoch()).count() +
         seconds;
}

class AuthenticatorTest : public ::testing::Test {
 protected:
  AuthenticatorTest() {
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_auth_XXXXXX").string();
    directory_ = mkdtemp(name.data());
    store_ = std::make_shared<store::Store>(store::StoreOptions{{}, directory_});
    ring_ = std::make_shared<KeyRing>(store_);
    EXPECT_TRUE(ring_->Start());
  }
  ~AuthenticatorTest() override {
    ring_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  AuthenticatorOptions Options() {
    AuthenticatorOptions options;
    options.master_key = kMaster;
    options.ring = ring_;
    options.jwt_keys = FixedKeys({*VerificationKey::FromSecret(kSharedSecret)});
    return options;
  }

  std::string AddKey(store::ApiKey key) {
    const NewApiKey made = MakeApiKey();
    key.id = made.id;
    key.digest = made.digest;
    if (key.key_type.empty()) key.key_type = "user";
    if (key.user_id.empty()) key.user_id = "ann";
    key.created_at = base::Now();
    EXPECT_TRUE(store::ApiKeys(*store_).Add(key));
    EXPECT_TRUE(ring_->Refresh());
    last_id_ = made.id;
    return made.text;
  }

  std::string directory_;
  std::string last_id_;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<KeyRing> ring_;
};

TEST_F(AuthenticatorTest, D24_WithoutConfigurationEverybodyIsTheLocalUser) {
  AuthenticatorOptions options;
  options.local_token = "the-local-token";
  Authenticator authenticator(options);
  EXPECT_FALSE(authenticator.configured());
  const Verdict nobody = authenticator.Check({});
  EXPECT_EQ(nobody.kind, Verdict::Kind::kAccepted);
  EXPECT_EQ(nobody.principal.id, "local");
  EXPECT_EQ(nobody.principal.credential, nullptr);
  EXPECT_FALSE(nobody.principal.authenticated);
  EXPECT_FALSE(authenticator.Check(Token("something else")).principal.authenticated);
  const Verdict local = authenticator.Check(Token("the-local-token"));
  EXPECT_TRUE(local.principal.authenticated);
  EXPECT_EQ(local.principal.id, "local");
}

TEST_F(AuthenticatorTest, CTRL_HTTP_401_MissingAndMalformedCredentials) {
  Authenticator authenticator(Options());
  const Verdict missing = authenticator.Check({});
  EXPECT_EQ(missing.kind, Verdict::Kind::kMissing);
  EXPECT_EQ(missing.http_status, 401);
  EXPECT_THAT(missing.challenge, HasSubstr("Bearer"));
  Presented malformed;
  malformed.kind = Presented::Kind::kMalformed;
  malformed.reason = "why";
  EXPECT_EQ(authenticator.Check(malformed).http_status, 401);
  EXPECT_EQ(authenticator.Check(malformed).message, "why");
}

TEST_F(AuthenticatorTest, CTRL_HTTP_403_UnknownKeys) {
  Authenticator authenticator(Options());
  for (const std::string& token : {std::string("no such key"), MakeApiKey().text,
                                   std::string(kMaster) + "x", std::string(kMaster.substr(1))}) {
    const Verdict verdict = authenticator.Check(Token(token));
    EXPECT_EQ(verdict.kind, Verdict::Kind::kInvalid);
    EXPECT_EQ(verdict.http_status, 403);
    EXPECT_EQ(verdict.message.find(token), std::string::npos);
  }
}

TEST_F(AuthenticatorTest, D12_TheMasterKeyMayDoEverythingAndHasNoUser) {
  Authenticator authenticator(Options());
  const Verdict verdict = authenticator.Check(Token(kMaster));
  ASSERT_EQ(verdict.kind, Verdict::Kind::kAccepted);
  EXPECT_EQ(verdict.principal.id, "master");
  EXPECT_EQ(verdict.principal.user, "");
  EXPECT_TRUE(verdict.principal.authenticated);
  EXPECT_EQ(verdict.principal.credential->grants.scopes, AllScopes());
}

TEST_F(AuthenticatorTest, D14_TheMasterKeyIsComparedFirstWhateverItLooksLike) {
  AuthenticatorOptions options = Options();
  options.master_key = "looks.like.ajwt-but-is-the-master";
  EXPECT_EQ(Authenticator(options).Check(Token(options.master_key)).principal.id, "master");
}

TEST_F(AuthenticatorTest, StoredKeysAreTheirUsers) {
  Authenticator authenticator(Options());
  const std::string text = AddKey({.user_id = "ann", .scopes = {"read"}});
  const Verdict verdict = authenticator.Check(Token(text));
  ASSERT_EQ(verdict.kind, Verdict::Kind::kAccepted);
  EXPECT_EQ(verdict.principal.id, "key:" + last_id_);
  EXPECT_EQ(verdict.principal.user, "ann");
  EXPECT_EQ(verdict.principal.credential->grants.scopes, std::vector<std::string>{"read"});
}

TEST_F(AuthenticatorTest, CTRL_defect_01_OnlyAdminKeysAreAdministrators) {
  Authenticator authenticator(Options());
  for (const char* type : {"user", "application", "service", "Admin", "anything"}) {
    const Verdict verdict =
        authenticator.Check(Token(AddKey({.key_type = type, .scopes = {"read"}})));
    EXPECT_EQ(verdict.principal.credential->grants.scopes, std::vector<std::string>{"read"})
        << type;
  }
  const Verdict admin = authenticator.Check(Token(AddKey({.key_type = "admin"})));
  EXPECT_EQ(admin.principal.credential->grants.scopes, AllScopes());
}

TEST_F(AuthenticatorTest, CTRL_defect_04_05_WhatIsStoredIsNoCredential) {
  Authenticator authenticator(Options());
  AddKey({});
  const auto key = *store::ApiKeys(*store_).Find(last_id_);
  ASSERT_TRUE(key);
  for (const std::string& stolen :
       {key->digest, base::ToHex(key->digest), base::ToBase64(key->digest), key->id,
        "mcp_" + key->id + "_" + base::ToBase64Url(key->digest)}) {
    EXPECT_NE(authenticator.Check(Token(stolen)).kind, Verdict::Kind::kAccepted);
  }
}

TEST_F(AuthenticatorTest, RevokedDeletedAndExpiredKeysAreRefused) {
  Authenticator authenticator(Options());
  store::ApiKeys keys(*store_);
  const std::string revoked = AddKey({});
  const Verdict before = authenticator.Check(Token(revoked));
  ASSERT_EQ(before.kind, Verdict::Kind::kAccepted);
  ASSERT_TRUE(*keys.Revoke(last_id_, base::Now()));
  ASSERT_TRUE(ring_->Refresh());
  EXPECT_EQ(authenticator.Check(Token(revoked)).http_status, 403);
  EXPECT_TRUE(before.principal.credential->revoked) << "open connections must notice";

  const std::string deleted = AddKey({});
  const Verdict alive = authenticator.Check(Token(deleted));
  ASSERT_TRUE(*keys.Delete(last_id_));
  ASSERT_TRUE(ring_->Refresh());
  EXPECT_EQ(authenticator.Check(Token(deleted)).http_status, 403);
  EXPECT_TRUE(alive.principal.credential->revoked);

  const std::string expiring = AddKey({.expires_at = base::Now() + std::chrono::hours(1)});
  EXPECT_EQ(authenticator.Check(Token(expiring)).kind, Verdict::Kind::kAccepted);
  base::SetNowForTest(base::Now() + std::chrono::hours(2));
  EXPECT_EQ(authenticator.Check(Token(expiring)).http_status, 403);
  base::SetNowForTest({});
}

TEST_F(AuthenticatorTest, AChangeByAnotherProcessIsSeenWithoutAsking) {
  Authenticator authenticator(Options());
  const std::string text = AddKey({});
  ASSERT_EQ(authenticator.Check(Token(text)).kind, Verdict::Kind::kAccepted);
  store::Store other(store::StoreOptions{{}, directory_});
  ASSERT_TRUE(*store::ApiKeys(other).Revoke(last_id_, base::Now()));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (authenticator.Check(Token(text)).kind == Verdict::Kind::kAccepted &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(authenticator.Check(Token(text)).http_status, 403);
}

TEST_F(AuthenticatorTest, TokensAreTheirSubjectsWithTheirScopes) {
  Authenticator authenticator(Options());
  const Verdict verdict = authenticator.Check(Token(
      Jwt({{"sub", "bob"}, {"exp", InSeconds(600)}, {"scope", "read other toolset:file write"}})));
  ASSERT_EQ(verdict.kind, Verdict::Kind::kAccepted) << verdict.message;
  EXPECT_EQ(verdict.principal.user, "bob");
  const Grants& grants = verdict.principal.credential->grants;
  EXPECT_EQ(grants.scopes, (std::vector<std::string>{"read", "write"}));
  EXPECT_EQ(grants.toolsets, std::vector<std::string>{"file"});
}

TEST_F(AuthenticatorTest, D14_BadTokensGet401WithAChallenge) {
  AuthenticatorOptions options = Options();
  options.challenge = "resource_metadata=\"https://mcp.example/meta\"";
  Authenticator authenticator(options);
  for (const std::string& token :
       {Jwt({{"sub", "bob"}, {"exp", InSeconds(-10)}}),
        Jwt({{"sub", "bob"}, {"exp", InSeconds(600)}}, "another secret of more than thirty-two"),
        std::string("a.b.c")}) {
    const Verdict verdict = authenticator.Check(Token(token));
    EXPECT_EQ(verdict.http_status, 401);
    EXPECT_THAT(verdict.challenge, HasSubstr("invalid_token"));
    EXPECT_EQ(verdict.message.find(token), std::string::npos);
  }
}

TEST_F(AuthenticatorTest, AVerifiedTokenIsNotAcceptedBeyondItsEnd) {
  Authenticator authenticator(Options());
  const std::string token = Jwt({{"sub", "bob"}, {"exp", InSeconds(600)}});
  EXPECT_EQ(authenticator.Check(Token(token)).kind, Verdict::Kind::kAccepted);
  EXPECT_EQ(authenticator.Check(Token(token)).kind, Verdict::Kind::kAccepted);
  base::SetNowForTest(base::Now() + std::chrono::seconds(601));
  EXPECT_EQ(authenticator.Check(Token(token)).http_status, 401);
  base::SetNowForTest({});
}

TEST_F(AuthenticatorTest, StepUpChallengesAreForTokensOnly) {
  Authenticator authenticator(Options());
  const Verdict token = authenticator.Check(Token(Jwt({{"sub", "bob"}, {"exp", InSeconds(600)}})));
  EXPECT_THAT(authenticator.StepUpChallenge(token.principal, "write"),
              ::testing::AllOf(HasSubstr("insufficient_scope"), HasSubstr("write")));
  const Verdict key = authenticator.Check(Token(AddKey({})));
  EXPECT_EQ(authenticator.StepUpChallenge(key.principal, "write"), "");
}

TEST_F(AuthenticatorTest, TheMethodDecidesWhichKindsAreAccepted) {
  AuthenticatorOptions options = Options();
  options.accept_keys = false;
  const std::string key = AddKey({});
  const std::string token = Jwt({{"sub", "bob"}, {"exp", InSeconds(600)}});
  EXPECT_NE(Authenticator(options).Check(Token(key)).kind, Verdict::Kind::kAccepted);
  EXPECT_NE(Authenticator(options).Check(Token(kMaster)).kind, Verdict::Kind::kAccepted);
  EXPECT_EQ(Authenticator(options).Check(Token(token)).kind, Verdict::Kind::kAccepted);
  options.accept_keys = true;
  options.accept_jwts = false;
  EXPECT_EQ(Authenticator(options).Check(Token(key)).kind, Verdict::Kind::kAccepted);
  EXPECT_EQ(Authenticator(options).Check(Token(token)).http_status, 401);
}

}  // namespace
}  // namespace toolpost::auth
