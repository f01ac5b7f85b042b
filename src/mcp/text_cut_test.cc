#include "mcp/text_cut.h"

#include <gtest/gtest.h>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

std::size_t JsonLength(std::string_view text) {
  std::string out;
  base::AppendJsonString(out, text);
  return base::CountCodePoints(out) - 2;
}

TEST(PrefixWithinJson, WholeTextThatFits) {
  EXPECT_EQ(PrefixWithinJson("abc", 3), "abc");
  EXPECT_EQ(PrefixWithinJson("", 0), "");
}

TEST(PrefixWithinJson, CountsEscapesAsTheWriterDoes) {
  std::string text;
  for (int c = 1; c < 0x80; ++c) text.push_back(static_cast<char>(c == '\n' ? 'x' : c));
  text += "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  for (std::size_t room = 0; room <= JsonLength(text); ++room) {
    const std::string_view prefix = PrefixWithinJson(text, room);
    EXPECT_LE(JsonLength(prefix), room);
    EXPECT_TRUE(base::IsValidUtf8(prefix));
    if (prefix.size() < text.size()) {
      std::size_t next = prefix.size() + 1;
      while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
      EXPECT_GT(JsonLength(text.substr(0, next)), room);
    }
  }
}

TEST(PrefixWithinJson, EndsAtANearLine) {
  EXPECT_EQ(PrefixWithinJson("aaaa\nbbbb\ncccc", 13), "aaaa\nbbbb\n");
  EXPECT_EQ(PrefixWithinJson("a\nbbbbbbbbbbbbbbbb", 13), "a\nbbbbbbbbbb")
      << "a far line end would waste the room";
}

TEST(HeadAndTail, KeepsBothEnds) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += base::StrCat("line ", i, "\n");
  const std::string cut = HeadAndTail(text, 600);
  EXPECT_LE(base::CountCodePoints(cut), 600u);
  EXPECT_GT(base::CountCodePoints(cut), 500u);
  EXPECT_TRUE(cut.starts_with("line 0\nline 1\n"));
  EXPECT_TRUE(cut.ends_with("line 999\n"));
  const std::size_t marker = cut.find("[... ");
  ASSERT_NE(marker, std::string::npos);
  EXPECT_EQ(cut[marker - 1], '\n');
  const std::string rest = cut.substr(cut.find("...]\n") + 5);
  EXPECT_TRUE(rest.starts_with("line "));
  const std::size_t missing = std::stoul(cut.substr(marker + 5));
  EXPECT_EQ(missing, text.size() - marker - rest.size());
}

TEST(HeadAndTail, OneHugeLineOfWideCharacters) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "\xF0\x9F\x98\x80";
  const std::string cut = HeadAndTail(text, 1000);
  EXPECT_TRUE(base::IsValidUtf8(cut));
  EXPECT_LE(base::CountCodePoints(cut), 1000u);
  EXPECT_GT(base::CountCodePoints(cut), 900u);
}

TEST(HeadAndTail, TinyRoomAndExactFit) {
  EXPECT_EQ(HeadAndTail("abc", 3), "abc");
  EXPECT_EQ(HeadAndTail("abcdef", 3), "abc");
  EXPECT_EQ(HeadAndTail("abcdef", 0), "");
}

}  // namespace
}  // namespace toolpost::mcp
