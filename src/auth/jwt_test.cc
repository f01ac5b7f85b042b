#include "auth/jwt.h"

#include <gtest/gtest.h>

#include "auth/vectors_fixture.h"
#include "base/crypto.h"
#include "base/json_write.h"

namespace toolpost::auth {
namespace {

using testing::Accepted;
using testing::FixedClock;
using testing::Jwk;
using testing::kIssuedAt;
using testing::Text;

const std::string kSecret = "a shared secret of at least 32 bytes";
const JwtRules kNoParties;

std::shared_ptr<KeySource> SecretKeys() {
  return FixedKeys({VerificationKey::FromSecret(kSecret).value()});
}

std::string Signed(std::string_view header, std::string_view payload,
                   std::string_view secret = kSecret) {
  const std::string part = base::ToBase64Url(header) + "." + base::ToBase64Url(payload);
  const auto digest = base::HmacSha256(secret, part);
  return part + "." +
         base::ToBase64Url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

JsonObject GoodClaims() { return {{"sub", "user"}, {"exp", kIssuedAt + 600}}; }

std::string TokenWith(const JsonObject& claims) {
  return Signed(R"({"alg":"HS256"})", base::ToJson(claims));
}

// The message of the refusal, or "accepted".
std::string Outcome(std::string_view token, KeySource& keys, const JwtRules& rules = kNoParties) {
  const auto claims = VerifyJwt(token, keys, rules);
  if (claims) return "accepted";
  EXPECT_EQ(claims.error().code, Code::kUnauthenticated);
  return claims.error().message;
}

std::string OutcomeOf(const JsonObject& claims, const JwtRules& rules = kNoParties) {
  return Outcome(TokenWith(claims), *SecretKeys(), rules);
}

TEST(Jwt, AcceptsWhatNodeSigned) {
  const FixedClock clock;
  const JwtRules rules{.issuer = "https://issuer.example", .audience = "https://mcp.example/mcp"};
  for (const std::string algorithm : {"RS256", "ES256", "EdDSA"}) {
    const std::string token = Text(Accepted(algorithm), "token");
    const auto by_jwk =
        FixedKeys({VerificationKey::FromJwk(Jwk(algorithm, algorithm + "-1")).value()});
    const auto by_pem =
        FixedKeys({VerificationKey::FromPem(Text(Accepted(algorithm), "pem")).value()});
    for (const auto& keys : {by_jwk, by_pem}) {
      const auto claims = VerifyJwt(token, *keys, rules);
      ASSERT_TRUE(claims.has_value()) << algorithm << ": " << claims.error().message;
      EXPECT_EQ(claims->subject, "user-1");
      EXPECT_EQ(claims->scopes, (std::vector<std::string>{"read", "write"}));
      EXPECT_EQ(claims->expires, base::WallTime(std::chrono::seconds(kIssuedAt + 3600)));
      EXPECT_EQ(claims->all.at("iss").get_string(), "https://issuer.example");
    }
  }
}

TEST(Jwt, AlgorithmConfusionIsRefused) {
  const FixedClock clock;
  const std::string pem = Text(Accepted("RS256"), "pem");
  const auto rsa = FixedKeys({VerificationKey::FromPem(pem).value()});
  const std::string payload = base::ToJson(GoodClaims());
  // The public key as an HMAC secret, which a verifier that believes `alg` would accept.
  EXPECT_NE(Outcome(Signed(R"({"alg":"HS256"})", payload, pem), *rsa), "accepted");
  EXPECT_NE(Outcome(Signed(R"({"alg":"RS256"})", payload, pem), *rsa), "accepted");
  for (const char* alg : {R"("none")", R"("None")", R"("NONE")", R"("nOnE")", R"("")", R"("hs256")",
                          R"("HS384")", R"("HS512")", R"("RS256")", R"("PS256")", R"("ES256")",
                          R"("HS256 ")", "null", "1", R"(["HS256"])", "true"}) {
    const std::string header = std::string(R"({"alg":)") + alg + "}";
    EXPECT_NE(Outcome(Signed(header, payload), *SecretKeys()), "accepted") << alg;
    EXPECT_NE(
        Outcome(base::ToBase64Url(header) + "." + base::ToBase64Url(payload) + ".", *SecretKeys()),
        "accepted")
        << alg;
  }
  EXPECT_NE(Outcome(Signed("{}", payload), *SecretKeys()), "accepted");
  // Both kinds of key configured: each token meets only the key of its own algorithm.
  const auto both = FixedKeys(
      {VerificationKey::FromPem(pem).value(), VerificationKey::FromSecret(kSecret).value()});
  EXPECT_EQ(Outcome(Signed(R"({"alg":"HS256"})", payload), *both), "accepted");
  EXPECT_NE(Outcome(Signed(R"({"alg":"HS256"})", payload, pem), *both), "accepted");
  EXPECT_EQ(Outcome(Text(Accepted("RS256"), "token"), *both), "accepted");
  EXPECT_NE(Outcome(Text(Accepted("ES256"), "token"), *both), "accepted");
}

TEST(Jwt, HeadersThatChangeTheRulesAreRefusedOrIgnored) {
  const FixedClock clock;
  const std::string payload = base::ToJson(GoodClaims());
  struct Case {
    const char* members;
    bool accepted;
  };
  for (const Case& c : {Case{R"("typ":"JWT")", true},
                        {R"("typ":"jwt")", true},
                        {R"("typ":"at+jwt")", true},
                        {R"("typ":"application/at+jwt")", true},
                        {R"("typ":"JWE")", false},
                        {R"("typ":"dpop+jwt")", false},
                        {R"("typ":"")", false},
                        {R"("typ":1)", false},
                        {R"("crit":["exp"])", false},
                        {R"("crit":[])", false},
                        {R"("crit":null)", false},
                        {R"("crit":["b64"],"b64":false)", false},
                        {R"("kid":"../../dev/null")", true},
                        {R"("kid":"' OR 1=1 --")", true},
                        {R"("kid":7)", false},
                        {R"("kid":null)", false},
                        {R"("jku":"http://127.0.0.1/keys")", true},
                        {R"("x5u":"http://127.0.0.1/c")", true},
                        {R"("jwk":{"kty":"oct","k":"AAAA"})", true},
                        {R"("x5c":["AAAA"])", true},
                        {R"("alg":"none")", false}}) {
    const std::string header = std::string(R"({"alg":"HS256",)") + c.members + "}";
    EXPECT_EQ(Outcome(Signed(header, payload), *SecretKeys()) == "accepted", c.accepted)
        << c.members;
  }
  // A key that comes with the token is not used.
  EXPECT_NE(Outcome(Signed(R"({"alg":"HS256","jwk":{"kty":"oct","k":"YXR0YWNrZXI"}})", payload,
                           "attacker"),
                    *SecretKeys()),
            "accepted");
}

TEST(Jwt, MalformedTokensAreRefused) {
  const FixedClock clock;
  const std::string good = TokenWith(GoodClaims());
  ASSERT_EQ(Outcome(good, *SecretKeys()), "accepted");
  const std::size_t first = good.find('.');
  const std::size_t second = good.rfind('.');
  const std::string header = good.substr(0, first);
  const std::string payload = good.substr(first + 1, second - first - 1);
  const std::string signature = good.substr(second + 1);
  for (const std::string& bad : {std::string(),
                                 std::string("."),
                                 std::string(".."),
                                 std::string("..."),
                                 header,
                                 header + "." + payload,
                                 good + ".",
                                 "." + good,
                                 good + "=",
                                 good + "A",
                                 good + " ",
                                 " " + good,
                                 good + "\n",
                                 good.substr(0, good.size() - 1),
                                 header + "=." + payload + "." + signature,
                                 header + ".." + signature,
                                 "." + payload + "." + signature,
                                 header + "." + payload + ".",
                                 header + "." + payload + "x." + signature,
                                 good + "." + signature,
                                 std::string(100'000, 'A'),
                                 std::string(100'000, '.')}) {
    EXPECT_NE(Outcome(bad, *SecretKeys()), "accepted") << bad.substr(0, 80);
  }
  for (const char* text :
       {"", "null", "[]", "\"x\"", "{", "{}x", R"({"sub":"a","sub":"b","exp":1800000600})",
        "\xEF\xBB\xBF{}", R"({"sub":"a","exp":1800000600,"exp":1800000600})",
        "{\"sub\":\"\xFF\",\"exp\":1800000600}"}) {
    EXPECT_NE(Outcome(Signed(R"({"alg":"HS256"})", text), *SecretKeys()), "accepted") << text;
    EXPECT_NE(Outcome(Signed(text, R"({"sub":"a","exp":1800000600})"), *SecretKeys()), "accepted")
        << text;
  }
  EXPECT_NE(
      Outcome(Signed(R"({"alg":"none","alg":"HS256"})", base::ToJson(GoodClaims())), *SecretKeys()),
      "accepted");
}

TEST(Jwt, SegmentsAreLimitedTo8KiB) {
  const FixedClock clock;
  JsonObject claims = GoodClaims();
  claims["pad"] = std::string(6'000, 'x');
  EXPECT_EQ(OutcomeOf(claims), "accepted");
  claims["pad"] = std::string(6'200, 'x');
  EXPECT_EQ(OutcomeOf(claims), "A part of the token is longer than 8 KiB.");
}

TEST(Jwt, EveryBitOfTheSignedPartCounts) {
  const FixedClock clock;
  const std::string good = TokenWith(GoodClaims());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == 'A' ? 'B' : 'A';
    EXPECT_NE(Outcome(bad, *SecretKeys()), "accepted") << i;
  }
}

TEST(Jwt, TimesDecide) {
  const FixedClock clock;
  const auto with = [](std::initializer_list<std::pair<const char*, Json>> changes) {
    JsonObject claims = GoodClaims();
    for (const auto& [name, value] : changes) claims[name] = value;
    return OutcomeOf(claims);
  };
  const std::string expired = "The token has expired.";
  EXPECT_EQ(with({{"exp", kIssuedAt + 1}}), "accepted");
  EXPECT_EQ(with({{"exp", kIssuedAt}}), expired);
  EXPECT_EQ(with({{"exp", kIssuedAt - 1}}), expired);
  EXPECT_EQ(with({{"exp", 0}}), expired);
  EXPECT_EQ(with({{"nbf", kIssuedAt + 60}}), "accepted");
  EXPECT_EQ(with({{"nbf", kIssuedAt + 61}}), "The token is not valid yet.");
  EXPECT_EQ(with({{"iat", kIssuedAt + 60}}), "accepted");
  EXPECT_EQ(with({{"iat", kIssuedAt + 61}}), "The token was issued in the future.");
  const std::string too_long = "The token is valid for longer than this server accepts.";
  EXPECT_EQ(with({{"exp", kIssuedAt + 86'400}}), "accepted");
  EXPECT_EQ(with({{"exp", kIssuedAt + 86'401}}), too_long);
  EXPECT_EQ(with({{"exp", kIssuedAt + 100}, {"iat", kIssuedAt - 86'300}}), "accepted");
  EXPECT_EQ(with({{"exp", kIssuedAt + 100}, {"iat", kIssuedAt - 86'301}}), too_long);
  for (const char* name : {"exp", "nbf", "iat"}) {
    for (const Json& value :
         {Json("1800000600"), Json(1800000600.5), Json(1.8e9), Json(nullptr), Json(true), Json(-1),
          Json(std::numeric_limits<std::int64_t>::max()),
          Json(std::numeric_limits<std::uint64_t>::max()),
          Json(std::numeric_limits<std::int64_t>::min()), Json(JsonArray{kIssuedAt + 600})}) {
      EXPECT_NE(with({{name, value}}), "accepted") << name << " " << value;
    }
  }
  JsonObject eternal = GoodClaims();
  eternal.erase("exp");
  EXPECT_EQ(OutcomeOf(eternal), "The token has no exp.");
}

TEST(Jwt, ALimitOfZeroAcceptsAnyLife) {
  const FixedClock clock;
  JsonObject claims = GoodClaims();
  claims["exp"] = 253'402'300'799;
  const JwtRules rules{.longest_life = std::chrono::seconds(0)};
  const auto result = VerifyJwt(TokenWith(claims), *SecretKeys(), rules);
  ASSERT_TRUE(result.has_value());
  EXPECT_GT(result->expires, base::Now());
}

TEST(Jwt, TokenPassthrough_IssuerAndAudienceMustMatchExactly) {
  const FixedClock clock;
  const JwtRules rules{.issuer = "https://i.example", .audience = "https://mcp.example/mcp"};
  JsonObject claims = GoodClaims();
  claims["iss"] = rules.issuer;
  claims["aud"] = rules.audience;
  EXPECT_EQ(OutcomeOf(claims, rules), "accepted");
  claims["aud"] = JsonArray{1, "x", "https://mcp.example/mcp"};
  EXPECT_EQ(OutcomeOf(claims, rules), "accepted");
  for (const Json& audience :
       {Json(), Json(""), Json("https://mcp.example/mcp/"), Json("https://mcp.example"),
        Json("https://MCP.example/mcp"), Json(JsonArray{}), Json(JsonArray{"x"}),
        Json(JsonArray{JsonArray{"https://mcp.example/mcp"}}),
        Json(JsonObject{{"https://mcp.example/mcp", 1}})}) {
    JsonObject changed = claims;
    changed["aud"] = audience;
    EXPECT_EQ(OutcomeOf(changed, rules), "The token was not issued for this server.") << audience;
  }
  for (const Json& issuer : {Json(), Json(""), Json("https://i.example/"),
                             Json("https://I.example"), Json(JsonArray{"https://i.example"})}) {
    JsonObject changed = claims;
    changed["iss"] = issuer;
    EXPECT_NE(OutcomeOf(changed, rules), "accepted") << issuer;
  }
  claims.erase("aud");
  EXPECT_NE(OutcomeOf(claims, rules), "accepted");
}

TEST(Jwt, SubjectsAreShortPrintableStrings) {
  const FixedClock clock;
  for (const Json& subject :
       {Json("a"), Json("auth0|x y"), Json("\xC3\xA4"), Json(std::string(255, 's'))}) {
    JsonObject claims = GoodClaims();
    claims["sub"] = subject;
    EXPECT_EQ(OutcomeOf(claims), "accepted") << subject;
  }
  for (const Json& subject : {Json(), Json(""), Json(7), Json("a\nb"), Json("\x7F"),
                              Json(std::string(256, 's')), Json(JsonArray{"a"})}) {
    JsonObject claims = GoodClaims();
    claims["sub"] = subject;
    EXPECT_NE(OutcomeOf(claims), "accepted") << subject;
  }
  JsonObject nobody = GoodClaims();
  nobody.erase("sub");
  EXPECT_NE(OutcomeOf(nobody), "accepted");
}

TEST(Jwt, ReadsScopesInTheirThreeForms) {
  const FixedClock clock;
  struct Case {
    JsonObject claims;
    std::vector<std::string> scopes;
  };
  for (const Case& c : {Case{{}, {}},
                        {{{"scope", "read write"}}, {"read", "write"}},
                        {{{"scope", "  a  b "}}, {"a", "b"}},
                        {{{"scope", ""}}, {}},
                        {{{"scp", "a b"}}, {"a", "b"}},
                        {{{"scp", JsonArray{"a", "b c"}}}, {"a", "b", "c"}},
                        {{{"scope", "a"}, {"scp", "b"}}, {"a"}}}) {
    JsonObject claims = GoodClaims();
    for (const auto& [name, value] : c.claims) claims[name] = value;
    const auto result = VerifyJwt(TokenWith(claims), *SecretKeys(), kNoParties);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(result->scopes, c.scopes);
  }
  for (const JsonObject& bad : {JsonObject{{"scope", JsonArray{"a"}}},
                                {{"scope", 1}},
                                {{"scp", JsonArray{1}}},
                                {{"scp", nullptr}}}) {
    JsonObject claims = GoodClaims();
    for (const auto& [name, value] : bad) claims[name] = value;
    EXPECT_NE(OutcomeOf(claims), "accepted") << bad;
  }
}

TEST(Jwt, UnknownKeysAndSourcesThatCannotSayAreToldApart) {
  const FixedClock clock;
  class Busy final : public KeySource {
   public:
    Result<std::vector<VerificationKey>> Candidates(std::string_view) override {
      return Error::Unavailable("later");
    }
  } busy;
  const std::string token = TokenWith(GoodClaims());
  const auto later = VerifyJwt(token, busy, kNoParties);
  ASSERT_FALSE(later.has_value());
  EXPECT_EQ(later.error().code, Code::kUnavailable);
  EXPECT_NE(Outcome(token, *FixedKeys({})).find("does not know"), std::string::npos);
}

TEST(Jwt, OnlyAFewCandidatesAreTried) {
  const FixedClock clock;
  std::vector<VerificationKey> keys(8, VerificationKey::FromSecret(std::string(32, 'x')).value());
  keys.push_back(VerificationKey::FromSecret(kSecret).value());
  EXPECT_NE(Outcome(TokenWith(GoodClaims()), *FixedKeys(keys)), "accepted");
  keys.erase(keys.begin());
  EXPECT_EQ(Outcome(TokenWith(GoodClaims()), *FixedKeys(keys)), "accepted");
}

TEST(Jwt, MessagesNeverRepeatTheToken) {
  const FixedClock clock;
  JsonObject claims = GoodClaims();
  claims["sub"] = "planted\nsecret";
  claims["iss"] = "planted";
  for (const std::string& token : {TokenWith(claims), std::string("planted.planted.planted"),
                                   Signed(R"({"alg":"planted","typ":"planted"})", "{}")}) {
    EXPECT_EQ(Outcome(token, *SecretKeys(), {.issuer = "x"}).find("planted"), std::string::npos);
  }
}

TEST(Jwt, LooksLikeJwtCountsTheDots) {
  EXPECT_TRUE(LooksLikeJwt("a.b.c"));
  EXPECT_TRUE(LooksLikeJwt(".."));
  for (const char* text : {"", "a", "a.b", "a.b.c.d", "mcp_abc"})
    EXPECT_FALSE(LooksLikeJwt(text)) << text;
}

}  // namespace
}  // namespace toolpost::auth
