#include "base/cipher.h"

#include <gtest/gtest.h>

#include "base/crypto.h"

namespace toolpost::base {
namespace {

std::string Unhex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

SecretKey Key(std::string_view hex) { return *SecretKey::From(Unhex(hex)); }

// Test case 16 of the GCM specification.
TEST(Cipher, GcmOfTheSpecification) {
  const SecretKey key = Key("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
  const std::string nonce = Unhex("cafebabefacedbaddecaf888");
  const std::string bound = Unhex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
  const std::string text = Unhex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
  const std::string sealed = SealAes256Gcm(key, nonce, text, bound);
  EXPECT_EQ(ToHex(sealed),
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
            "76fc6ece0f4e1768cddf8853bb2d551b");
  EXPECT_EQ(OpenAes256Gcm(key, nonce, sealed, bound), text);
}

TEST(Cipher, GcmRefusesEveryChange) {
  const SecretKey key = *SecretKey::From(RandomBytes(32));
  const std::string nonce = RandomBytes(kGcmNonceBytes);
  const std::string sealed = SealAes256Gcm(key, nonce, "secret", "bound");
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    std::string changed = sealed;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(OpenAes256Gcm(key, nonce, changed, "bound")) << bit;
  }
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_FALSE(OpenAes256Gcm(key, nonce, sealed.substr(0, size), "bound")) << size;
  }
  EXPECT_FALSE(OpenAes256Gcm(key, nonce, sealed, "Bound"));
  EXPECT_FALSE(OpenAes256Gcm(key, RandomBytes(kGcmNonceBytes), sealed, "bound"));
  EXPECT_FALSE(OpenAes256Gcm(key, "short", sealed, "bound"));
  EXPECT_FALSE(OpenAes256Gcm(*SecretKey::From(RandomBytes(32)), nonce, sealed, "bound"));
}

TEST(Cipher, GcmOfNothing) {
  const SecretKey key;
  const std::string nonce(kGcmNonceBytes, '\0');
  const std::string sealed = SealAes256Gcm(key, nonce, "", "");
  EXPECT_EQ(ToHex(sealed), "530f8afbc74536b9a963b4f1c4cb738b");  // test case 13
  EXPECT_EQ(OpenAes256Gcm(key, nonce, sealed, ""), "");
}

// Made with `openssl enc -aes-256-cbc`.
TEST(Cipher, CbcReadsWhatTheCommandLineWrote) {
  const SecretKey key = Key(std::string(64, '1'));
  const std::string iv = Unhex("000102030405060708090a0b0c0d0e0f");
  const std::string ciphertext =
      Unhex("5f219c312f5f8a3623ceacfefb1393a853b07bb720695a2a2a9f95f91fcca2dc");
  EXPECT_EQ(OpenAes256Cbc(key, iv, ciphertext), "Server=db;Password=old");
  EXPECT_FALSE(OpenAes256Cbc(key, iv, ""));
  EXPECT_FALSE(OpenAes256Cbc(key, iv, ciphertext.substr(1)));
  EXPECT_FALSE(OpenAes256Cbc(key, iv.substr(1), ciphertext));
  EXPECT_FALSE(OpenAes256Cbc(key, iv, ciphertext.substr(0, 16)));
}

// Python's hashlib gives the same.
TEST(Cipher, KeysFromPassphrases) {
  EXPECT_EQ(ToHex(Scrypt("pleaseletmein", "SodiumChloride").view()),
            "f72cbc204bdcfc3ff5b115d8508aec1566ff0ef3f658388601a3933078ef7ac8");
  EXPECT_EQ(ToHex(Pbkdf2Sha256("passwd", "salt", 1).view()),  // RFC 7914, section 11
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc");
  EXPECT_EQ(ToHex(Pbkdf2Sha256("passphrase of old", "mssqlMCP.Salt", 10'000).view()),
            "6d3398fdbad0504cfd1c3145bc51961f82495ada4735e53d830b1f739b22807f");
}

TEST(Cipher, KeysHaveTheirSizeAndAreWiped) {
  EXPECT_FALSE(SecretKey::From(""));
  EXPECT_FALSE(SecretKey::From(std::string(31, 'x')));
  EXPECT_FALSE(SecretKey::From(std::string(33, 'x')));
  alignas(SecretKey) unsigned char place[sizeof(SecretKey)];
  auto* const key = new (place) SecretKey(*SecretKey::From(std::string(32, 'x')));
  EXPECT_EQ(key->view(), std::string(32, 'x'));
  key->~SecretKey();
  EXPECT_EQ(std::string(reinterpret_cast<char*>(place), sizeof place).find('x'), std::string::npos);
}

TEST(Cipher, WipedStringsAreEmpty) {
  std::string secret(100, 'x');
  const char* const data = secret.data();
  Wipe(secret);
  EXPECT_EQ(secret, "");
  EXPECT_EQ(data[0], '\0');
}

}  // namespace
}  // namespace toolpost::base
