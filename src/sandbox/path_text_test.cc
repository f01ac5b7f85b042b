#include "sandbox/path_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/strings.h"

namespace toolpost::sandbox {
namespace {

TEST(PathText, EveryNameSurvivesTheWayOutAndBack) {
  std::mt19937 random(7);
  const std::string alphabet = "ax\\\\\\\\x5c9eff/\x80\xE9\xC3\xA9\xFF\xE2\x82\xAC ";
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(1 + random() % 12, ' ');
    for (char& c : bytes) c = alphabet[random() % alphabet.size()];
    const std::string text = EncodePath(bytes);
    EXPECT_TRUE(base::IsValidUtf8(text));
    const auto back = DecodePath(text);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, bytes) << text;
  }
}

TEST(PathText, OrdinaryNamesAreUnchanged) {
  for (const char* name : {"a.txt", "caf\xC3\xA9", "back\\slash", "\\x", "\\x41", "\\x2f", "\\xE9",
                           "\\xzz", "C:\\x00", "end\\"}) {
    EXPECT_EQ(EncodePath(name), name);
    EXPECT_EQ(*DecodePath(name), name);
  }
  EXPECT_EQ(EncodePath("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(EncodePath("\\xe9"), "\\x5cxe9");
}

TEST(PathText, RefusesWhatIsNoPath) {
  for (const std::string& bad :
       {std::string(), std::string(kMaxPath + 1, 'a'), std::string("a\0b", 3),
        std::string("caf\xE9"), std::string(kMaxComponent + 1, 'a'),
        "x/" + std::string(kMaxComponent + 1, 'a') + "/y"}) {
    const auto decoded = DecodePath(bad);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().code, Code::kInvalidArgument);
  }
  EXPECT_TRUE(DecodePath(std::string(kMaxComponent, 'a')));
  // 255 bytes, each written as four characters.
  std::string escaped;
  for (std::size_t i = 0; i < kMaxComponent; ++i) escaped += "\\xff";
  EXPECT_TRUE(DecodePath(escaped));
}

TEST(PathText, NormalForm) {
  const std::pair<const char*, const char*> rows[] = {
      {"", ""},        {".", ""},         {"/", ""},        {"a", "a"},     {"a/./b//c/", "a/b/c"},
      {"a/../b", "b"}, {"a/b/../..", ""}, {"/x/../y", "y"}, {"...", "..."}, {"..a/b..", "..a/b.."}};
  for (const auto& [path, normal] : rows) EXPECT_EQ(NormalizePath(path), normal) << path;
  for (const char* climbing : {"..", "../a", "a/../..", "/..", "a/../../a"})
    EXPECT_FALSE(NormalizePath(climbing)) << climbing;
}

TEST(PathText, WithinIsByComponents) {
  EXPECT_TRUE(IsWithin("/a/b", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/"));
  EXPECT_TRUE(IsWithin("x", ""));
  EXPECT_FALSE(IsWithin("/ab", "/a"));
  EXPECT_FALSE(IsWithin("/", "/a"));
  EXPECT_EQ(JoinPath("", "a"), "a");
  EXPECT_EQ(JoinPath("a", ""), "a");
  EXPECT_EQ(JoinPath("/", "a"), "/a");
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
}

}  // namespace
}  // namespace toolpost::sandbox
