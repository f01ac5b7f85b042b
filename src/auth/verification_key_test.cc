#include "auth/verification_key.h"

#include <gtest/gtest.h>

#include "auth/vectors_fixture.h"

namespace toolpost::auth {
namespace {

using testing::Accepted;
using testing::Jwk;
using testing::Text;
using testing::Vectors;

TEST(VerificationKey, ReadsEveryKindOfJwk) {
  for (const char* algorithm : {"RS256", "ES256", "EdDSA"}) {
    JsonObject jwk = Jwk(algorithm, "k");
    for (int form = 0; form < 2; ++form) {
      const auto key = VerificationKey::FromJwk(jwk);
      ASSERT_TRUE(key.has_value()) << algorithm << key.error().message;
      EXPECT_EQ(base::NameOf(key->algorithm()), algorithm);
      EXPECT_EQ(key->key_id(), "k");
      jwk["use"] = "sig";
      jwk["alg"] = algorithm;
      jwk["key_ops"] = JsonArray{"verify"};
      jwk["x5c"] = JsonArray{"ignored"};
    }
  }
}

TEST(VerificationKey, RefusesJwksThatAreNotForVerifyingOrNotSound) {
  using Change = std::pair<const char*, Json>;
  for (const auto& [name, value] : {Change{"use", "enc"},
                                    {"use", 1},
                                    {"use", ""},
                                    {"alg", "RS512"},
                                    {"alg", "PS256"},
                                    {"alg", "HS256"},
                                    {"alg", nullptr},
                                    {"kid", ""},
                                    {"kid", 1},
                                    {"kid", Json(std::string(257, 'k'))},
                                    {"key_ops", JsonArray{"encrypt"}},
                                    {"key_ops", "verify"},
                                    {"d", "AAAA"},
                                    {"k", "AAAA"},
                                    {"kty", "oct"},
                                    {"kty", "EC"},
                                    {"kty", 7},
                                    {"n", ""},
                                    {"n", "AQAB"},
                                    {"n", "===="},
                                    {"n", nullptr},
                                    {"n", Json(std::string(5'000, 'A'))},
                                    {"e", "AQ"},
                                    {"e", "AQAB="},
                                    {"e", "AQ AB"}}) {
    JsonObject jwk = Jwk("RS256", "k");
    jwk[name] = value;
    EXPECT_FALSE(VerificationKey::FromJwk(jwk).has_value()) << name << " " << value;
  }
  for (const char* name : {"crv", "x", "y", "kty"}) {
    JsonObject jwk = Jwk("ES256", "k");
    jwk.erase(name);
    EXPECT_FALSE(VerificationKey::FromJwk(jwk).has_value()) << name;
  }
  JsonObject swapped = Jwk("ES256", "k");
  std::swap(swapped["x"], swapped["y"]);
  EXPECT_FALSE(VerificationKey::FromJwk(swapped).has_value());
  EXPECT_FALSE(VerificationKey::FromJwk({}).has_value());
  for (const auto& [name, vector] : Vectors().at("refused").get_object()) {
    const Json* jwk = vector.get_object().if_contains("jwk");
    if (jwk != nullptr) {
      EXPECT_FALSE(VerificationKey::FromJwk(jwk->get_object()).has_value()) << name;
    }
  }
}

TEST(VerificationKey, FixedKeysGoByKid) {
  const auto named = VerificationKey::FromJwk(Jwk("ES256", "a")).value();
  const auto unnamed = VerificationKey::FromPem(Text(Accepted("RS256"), "pem")).value();
  const auto keys = FixedKeys({named, unnamed});
  EXPECT_EQ(keys->Candidates("a")->size(), 2U);
  ASSERT_EQ(keys->Candidates("b")->size(), 1U);
  EXPECT_EQ(keys->Candidates("b")->front().algorithm(), Algorithm::kRs256);
  EXPECT_EQ(keys->Candidates("")->size(), 1U);
}

}  // namespace
}  // namespace toolpost::auth
