#include "auth/api_key.h"

#include <gtest/gtest.h>

#include <set>

#include "base/crypto.h"

namespace toolpost::auth {
namespace {

TEST(ApiKey, MadeKeysHaveTheFormAndAreUnique) {
  std::set<std::string> ids;
  std::set<std::string> texts;
  for (int i = 0; i < 1'000; ++i) {
    const NewApiKey key = MakeApiKey();
    EXPECT_EQ(key.text.size(), 67U);
    EXPECT_EQ(key.id.size(), 12U);
    EXPECT_EQ(key.text.substr(0, 17), "mcp_" + key.id + "_");
    EXPECT_EQ(ApiKeyId(key.text), key.id);
    EXPECT_EQ(key.digest.size(), 32U);
    EXPECT_EQ(key.digest, ApiKeyDigest(key.text));
    EXPECT_TRUE(ids.insert(key.id).second);
    EXPECT_TRUE(texts.insert(key.text).second);
  }
}

TEST(ApiKey, AFixedKeyHasAFixedCheck) {
  // CRC-32 of "mcp_0123456789AB_AAA…" in base62, computed independently (zlib).
  const std::string body = "mcp_0123456789AB_" + std::string(43, 'A');
  EXPECT_EQ(ApiKeyId(body + "_0rLjid"), "0123456789AB");
}

TEST(ApiKey, EverySingleTypingErrorIsNoticed) {
  const NewApiKey key = MakeApiKey();
  for (std::size_t i = 0; i < key.text.size(); ++i) {
    for (const char c : std::string_view("aZ0_-. \n")) {
      if (key.text[i] == c) continue;
      std::string changed = key.text;
      changed[i] = c;
      EXPECT_FALSE(ApiKeyId(changed).has_value()) << i << c;
    }
    std::string shorter = key.text;
    shorter.erase(i, 1);
    EXPECT_FALSE(ApiKeyId(shorter).has_value());
    if (i + 1 < key.text.size() && key.text[i] != key.text[i + 1]) {
      std::string swapped = key.text;
      std::swap(swapped[i], swapped[i + 1]);
      EXPECT_FALSE(ApiKeyId(swapped).has_value()) << i;
    }
  }
}

TEST(ApiKey, OtherTextsAreNoKeys) {
  const NewApiKey key = MakeApiKey();
  for (const std::string& text :
       {std::string(), std::string("mcp_"), key.id, key.text + "x", key.text + "\n", " " + key.text,
        "MCP_" + key.text.substr(4), std::string(67, '_'), std::string(67, '\0'),
        std::string(1 << 20, 'a')}) {
    EXPECT_FALSE(ApiKeyId(text).has_value());
  }
}

TEST(ApiKey, TheIdIsFoundByItsPlace) {
  const NewApiKey key = MakeApiKey();
  EXPECT_EQ(ApiKeyIdPart(key.text), key.id);
  for (const std::string& text : {std::string(), key.id, key.text + "x", key.text.substr(1),
                                  "MCP_" + key.text.substr(4), std::string(1 << 20, 'a')}) {
    EXPECT_EQ(ApiKeyIdPart(text), "");
  }
}

TEST(ApiKey, TheDigestIsSha256OfTheWholeText) {
  EXPECT_EQ(base::ToHex(ApiKeyDigest("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace toolpost::auth
