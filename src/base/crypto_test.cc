#include "base/crypto.h"

#include <gtest/gtest.h>

#include <set>

namespace toolpost::base {
namespace {

std::string Hex(const Sha256Digest& digest) {
  return ToHex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

TEST(Crypto, RandomValuesHaveTheirLengthAndDiffer) {
  EXPECT_EQ(RandomBytes(0), "");
  EXPECT_EQ(RandomBytes(1'000).size(), 1'000U);
  EXPECT_EQ(RandomHex(16).size(), 32U);
  EXPECT_EQ(RandomHex(16).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(RandomHex(16), RandomHex(16));
}

TEST(Crypto, UuidsAreVersion4AndUnique) {
  std::set<std::string> seen;
  for (int i = 0; i < 1'000; ++i) {
    const std::string uuid = RandomUuid();
    ASSERT_EQ(uuid.size(), 36U);
    for (const std::size_t dash : {8, 13, 18, 23}) EXPECT_EQ(uuid[dash], '-');
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string_view("89ab").find(uuid[19]), std::string_view::npos);
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(Crypto, Sha256OfKnownTexts) {
  EXPECT_EQ(Hex(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Crypto, HmacSha256OfKnownTexts) {
  EXPECT_EQ(Hex(HmacSha256("Jefe", "what do ya want for nothing?")),  // RFC 4231, case 2
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(HmacSha256(std::string(131, '\xaa'),
                           "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(Hex(HmacSha256("", "")),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(Crypto, ComparesInConstantTime) {
  EXPECT_TRUE(EqualConstantTime("secret", "secret"));
  EXPECT_TRUE(EqualConstantTime("", ""));
  EXPECT_FALSE(EqualConstantTime("secret", "secreT"));
  EXPECT_FALSE(EqualConstantTime("secret", "secret2"));
}

TEST(Crypto, HexIsLowerCase) { EXPECT_EQ(ToHex(std::string_view("\x00\xAB\xff", 3)), "00abff"); }

TEST(Crypto, Base64OfRfc4648) {
  const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"},
                                                         {"\xfb\xff", "+/8="}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(ToBase64(bytes), text);
    EXPECT_EQ(FromBase64(text), bytes);
  }
}

TEST(Crypto, Base64RoundTripsRandomBytes) {
  for (std::size_t size = 0; size < 100; ++size) {
    const std::string bytes = RandomBytes(size);
    EXPECT_EQ(FromBase64(ToBase64(bytes)), bytes);
    EXPECT_EQ(FromBase64Url(ToBase64Url(bytes)), bytes);
  }
}

TEST(Crypto, Base64RefusesWhatIsNotCanonical) {
  for (const std::string_view bad : {"Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n",
                                     "====", "=", "Zg==Zg==", "-_8=", "A===", "Zm9v====", "Z=g="}) {
    EXPECT_FALSE(FromBase64(bad)) << bad;
  }
  EXPECT_FALSE(FromBase64(std::string_view("Zm9\0", 4)));
}

TEST(Crypto, Base64UrlHasItsOwnAlphabetAndNoPadding) {
  EXPECT_EQ(ToBase64Url("\xfb\xff"), "-_8");
  EXPECT_EQ(FromBase64Url("-_8"), "\xfb\xff");
  for (const std::string_view bad : {"-_8=", "+/8", "Z", "Zh", "Zm9v\n", " "}) {
    EXPECT_FALSE(FromBase64Url(bad)) << bad;
  }
}

}  // namespace
}  // namespace toolpost::base
