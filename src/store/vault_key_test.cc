#include "store/vault_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crypto.h"

namespace toolpost::store {
namespace {

using ::testing::HasSubstr;

KeyMaterial Material(std::string text) { return {std::move(text), "MSSQL_MCP_KEY"}; }

TEST(VaultKey, ThirtyTwoBytesInBase64AreTheKeyItself) {
  const std::string bytes = base::RandomBytes(32);
  const MasterKey key = DeriveMasterKey(Material(base::ToBase64(bytes)), "salt");
  EXPECT_EQ(key.key.view(), bytes);
  EXPECT_EQ(key.id.size(), 16U);
  EXPECT_EQ(key.id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(key.check.size(), 32U);
  EXPECT_EQ(DeriveMasterKey(Material(base::ToBase64(bytes) + "\r\n"), "other").id, key.id);
}

TEST(VaultKey, AnythingElseIsAPassphraseOfTheStore) {
  const auto id = [](const std::string& text, std::string_view salt) {
    return DeriveMasterKey(Material(text), salt).id;
  };
  const std::string text = "a passphrase of 2026";
  EXPECT_EQ(id(text, "salt"), id(text + "\n", "salt"));
  EXPECT_NE(id(text, "salt"), id(text, "pepper"));
  EXPECT_NE(id(text, "salt"), id(text + "!", "salt"));
}

TEST(VaultKey, DB_1_4_6_KnownAndEmptyKeysAreRefused) {
  for (const std::string& text :
       {std::string("******"), std::string("****************"), std::string("changeme"),
        std::string("Change-Me!"), std::string("your-key-here"), std::string("<your_key>"),
        std::string("YOUR_ENCRYPTION_KEY"), std::string("password"), std::string("  secret \n"),
        std::string("aaaaaaaaaaaaaaaaaaaa"), std::string("0123456789"), std::string("x"),
        base::ToBase64(std::string(32, '\0')), base::ToBase64(std::string(32, '\xff'))}) {
    const auto checked = CheckNotWeak(Material(text));
    ASSERT_FALSE(checked) << text;
    EXPECT_THAT(checked.error().message, HasSubstr("MSSQL_MCP_KEY"));
    EXPECT_FALSE(CheckNewKey(Material(text)));
  }
  std::string counting;
  for (char c = 0; c < 32; ++c) counting.push_back(c);
  EXPECT_FALSE(CheckNotWeak(Material(base::ToBase64(counting))));
  EXPECT_TRUE(CheckNotWeak(Material("old but own key")));
}

TEST(VaultKey, NewKeysAreRandomBytesOrGoodPassphrases) {
  for (const std::string& good :
       {base::ToBase64(base::RandomBytes(32)), std::string("correct horse 1 battery"),
        std::string("abcdefghijklmno-"), "x1" + std::string(127, 'y') + std::string(127, 'z'),
        std::string("Schl\xc3\xbcsselw\xc3\xb6rter 42")}) {
    EXPECT_TRUE(CheckNewKey(Material(good))) << good;
  }
  for (const std::string& bad :
       {std::string(), std::string("short1!"), std::string("fifteen-chars-1"),
        "a1" + std::string(255, 'x'), std::string("onlylettersandmore"),
        std::string("1234567890123456!"), std::string("broken \xff utf-8 passphrase 1"),
        std::string("with \x1b escape 123456"),
        base::ToBase64(base::RandomBytes(16)).substr(0, 8)}) {
    const auto checked = CheckNewKey(Material(bad));
    ASSERT_FALSE(checked) << bad;
    EXPECT_EQ(checked.error().code, Code::kInvalidArgument);
    EXPECT_TRUE(bad.empty() || checked.error().message.find(bad) == std::string::npos);
  }
}

// Made with `openssl enc -aes-256-cbc -K (PBKDF2 of "passphrase of old") -iv …`.
constexpr char kLegacyCipherText[] =
    "ENC:BwgJCgsMDQ4PEBESExQVFrOfOaX36O/Cwv8RNioaE/YBPPxd9tSuzyL8fQDxlybh";

TEST(VaultKey, LegacyTextsOpenWithTheirKey) {
  EXPECT_TRUE(IsLegacyText(kLegacyCipherText));
  EXPECT_EQ(*OpenLegacyText(Material("passphrase of old"), kLegacyCipherText),
            "Server=old;Password=pa55");
}

TEST(VaultKey, DB_1_4_7_LegacyTextsAreNeverHandedOutAsTheyAre) {
  const auto opened = OpenLegacyText(Material("another passphrase"), kLegacyCipherText);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("does not open it"));
  for (const std::string_view bad : {"", "ENC:", "ENC:????", "ENC:AAAA", "Server=x", "enc:AAAA"}) {
    EXPECT_FALSE(IsLegacyText(bad)) << bad;
    EXPECT_FALSE(OpenLegacyText(Material("passphrase of old"), bad)) << bad;
  }
}

}  // namespace
}  // namespace toolpost::store
