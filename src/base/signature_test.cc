#include "base/signature.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/source_directory_fixture.h"
#include "base/strings.h"

namespace toolpost::base {
namespace {

const JsonObject& Vectors() {
  static const Json* const kVectors = [] {
    return new Json(ParseJson(VectorFile("jwt.json")).value());
  }();
  return kVectors->get_object();
}

std::string Text(const Json& object, std::string_view name) {
  return std::string(object.at(name).get_string());
}

std::string Decoded(const Json& jwk, std::string_view name) {
  return FromBase64Url(Text(jwk, name)).value();
}

Result<SignatureKey> FromParts(std::string_view algorithm, const Json& jwk) {
  if (algorithm == "RS256") return SignatureKey::FromRsa(Decoded(jwk, "n"), Decoded(jwk, "e"));
  if (algorithm == "ES256") return SignatureKey::FromP256(Decoded(jwk, "x"), Decoded(jwk, "y"));
  return SignatureKey::FromEd25519(Decoded(jwk, "x"));
}

struct Signed {
  std::string data;
  std::string signature;
};

Signed SplitToken(const std::string& token) {
  const std::size_t dot = token.rfind('.');
  return {token.substr(0, dot), FromBase64Url(token.substr(dot + 1)).value()};
}

TEST(Signature, VerifiesWhatNodeSignedWithEveryFormOfTheKey) {
  for (const auto& [algorithm, vector] : Vectors().at("accepted").get_object()) {
    const Signed token = SplitToken(Text(vector, "token"));
    for (auto key : {SignatureKey::FromPem(Text(vector, "pem")),
                     SignatureKey::FromPem(Text(vector, "certificate")),
                     FromParts(algorithm, vector.at("jwk"))}) {
      ASSERT_TRUE(key.has_value()) << algorithm << ": " << key.error().message;
      EXPECT_EQ(NameOf(key->algorithm()), algorithm);
      EXPECT_TRUE(key->Verify(token.data, token.signature)) << algorithm;
    }
  }
}

TEST(Signature, RefusesEveryChangedBitAndLength) {
  for (const auto& [algorithm, vector] : Vectors().at("accepted").get_object()) {
    const Signed token = SplitToken(Text(vector, "token"));
    const auto key = SignatureKey::FromPem(Text(vector, "pem"));
    ASSERT_TRUE(key.has_value());
    EXPECT_FALSE(key->Verify(token.data + "x", token.signature));
    EXPECT_FALSE(key->Verify(token.data, ""));
    EXPECT_FALSE(key->Verify(token.data, token.signature + '\0'));
    EXPECT_FALSE(key->Verify(token.data, '\0' + token.signature));
    EXPECT_FALSE(key->Verify(token.data, token.signature.substr(1)));
    for (std::size_t bit = 0; bit < token.signature.size() * 8; bit += 5) {
      std::string changed = token.signature;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      EXPECT_FALSE(key->Verify(token.data, changed)) << algorithm << " bit " << bit;
    }
  }
}

TEST(Signature, EcdsaNumbersOutsideTheRangeAreRefused) {
  const Json& vector = Vectors().at("accepted").at("ES256");
  const Signed token = SplitToken(Text(vector, "token"));
  const auto key = SignatureKey::FromPem(Text(vector, "pem"));
  const std::string zero(32, '\0');
  const std::string all_ones(32, '\xFF');
  // The order of the group: the first number that is out of range.
  const std::string order = FromBase64("/////wAAAAD//////////7zm+q2nF56E87nKwvxjJVE=").value();
  const std::string r = token.signature.substr(0, 32);
  const std::string s = token.signature.substr(32);
  for (const std::string& bad : {zero, all_ones, order}) {
    EXPECT_FALSE(key->Verify(token.data, bad + s));
    EXPECT_FALSE(key->Verify(token.data, r + bad));
    EXPECT_FALSE(key->Verify(token.data, bad + bad));
  }
}

TEST(Signature, HmacNeedsThirtyTwoBytesAndTheRightSecret) {
  EXPECT_FALSE(SignatureKey::FromSecret("").has_value());
  EXPECT_FALSE(SignatureKey::FromSecret(std::string(31, 'x')).has_value());
  const std::string secret(32, 'x');
  const auto key = SignatureKey::FromSecret(secret);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(key->algorithm(), SignatureAlgorithm::kHs256);
  const Sha256Digest digest = HmacSha256(secret, "data");
  const std::string signature(digest.begin(), digest.end());
  EXPECT_TRUE(key->Verify("data", signature));
  EXPECT_FALSE(key->Verify("datb", signature));
  EXPECT_FALSE(key->Verify("data", signature.substr(0, 31)));
  EXPECT_FALSE(key->Verify("data", ""));
  EXPECT_FALSE(SignatureKey::FromSecret(std::string(32, 'y'))->Verify("data", signature));
}

TEST(Signature, RefusesKeysItHasNoAlgorithmFor) {
  for (const auto& [name, vector] : Vectors().at("refused").get_object()) {
    const auto key = SignatureKey::FromPem(Text(vector, "pem"));
    ASSERT_FALSE(key.has_value()) << name;
    EXPECT_EQ(key.error().code, Code::kInvalidArgument);
  }
  const Json& small = Vectors().at("refused").at("RSA of 1024 bits").at("jwk");
  EXPECT_FALSE(SignatureKey::FromRsa(Decoded(small, "n"), Decoded(small, "e")).has_value());
}

TEST(Signature, RefusesPemThatIsNotOnePublicKey) {
  const Json& accepted = Vectors().at("accepted");
  const std::string pem = Text(accepted.at("RS256"), "pem");
  const std::string begin = "-----BEGIN ";
  const std::string cases[] = {
      "",
      "not PEM",
      pem + Text(accepted.at("ES256"), "pem"),
      begin + "PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      begin + "ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
      begin + "RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
      begin + "PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
      begin + "CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      begin +
          "PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: "
          "AES-128-CBC,00000000000000000000000000000000\n\n" +
          pem.substr(27),
      pem.substr(0, pem.size() / 2),
      pem + std::string(65'536, '\n'),
  };
  for (const std::string& text : cases) {
    EXPECT_FALSE(SignatureKey::FromPem(text).has_value()) << text.substr(0, 60);
  }
  EXPECT_NE(SignatureKey::FromPem(cases[3]).error().message.find("private key"), std::string::npos);
}

TEST(Signature, RefusesParametersThatAreNoKey) {
  const std::string n = Decoded(Vectors().at("accepted").at("RS256").at("jwk"), "n");
  const std::string exponent("\x01\x00\x01", 3);
  const std::string x = Decoded(Vectors().at("accepted").at("ES256").at("jwk"), "x");
  const std::string y = Decoded(Vectors().at("accepted").at("ES256").at("jwk"), "y");
  EXPECT_FALSE(SignatureKey::FromRsa("", exponent).has_value());
  EXPECT_FALSE(SignatureKey::FromRsa(n, "").has_value());
  EXPECT_FALSE(SignatureKey::FromRsa(n, std::string(1, '\x01')).has_value());
  EXPECT_FALSE(SignatureKey::FromRsa(n, std::string(1, '\x04')).has_value());
  EXPECT_FALSE(SignatureKey::FromRsa(n, std::string(9, '\x03')).has_value());
  EXPECT_FALSE(SignatureKey::FromRsa(std::string(1025, '\x7F'), exponent).has_value());
  EXPECT_FALSE(SignatureKey::FromP256(x, x).has_value()) << "not on the curve";
  EXPECT_FALSE(SignatureKey::FromP256(std::string(32, '\0'), std::string(32, '\0')).has_value());
  EXPECT_FALSE(SignatureKey::FromP256(x.substr(1), y).has_value());
  EXPECT_FALSE(SignatureKey::FromP256('\0' + x, y).has_value());
  EXPECT_FALSE(SignatureKey::FromEd25519("").has_value());
  EXPECT_FALSE(SignatureKey::FromEd25519(std::string(33, 'x')).has_value());
}

}  // namespace
}  // namespace toolpost::base
