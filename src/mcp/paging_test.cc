// Tests of list cursors.
#include "mcp/paging.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/crypto.h"

namespace toolpost::mcp {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

void ExpectUnknown(std::string_view cursor, std::uint64_t limit = kAny) {
  const auto decoded = DecodeCursor("tools", cursor, limit);
  ASSERT_FALSE(decoded.has_value()) << cursor;
  EXPECT_EQ(decoded.error().code, Code::kInvalidArgument);
  EXPECT_EQ(decoded.error().message, "Unknown cursor: ask again without cursor");
}

TEST(Paging, CursorsComeBackAsThePositionTheyWereMadeFrom) {
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{250}, kAny}) {
    const auto decoded = DecodeCursor("tools", EncodeCursor("tools", position), kAny);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, position);
  }
}

TEST(Paging, EmptyCursorIsTheFirstPage) {
  const auto decoded = DecodeCursor("tools", "", 0);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, 0u);
}

TEST(Paging, CursorsAreOpaqueAndSafeInAUrl) {
  const std::string cursor = EncodeCursor("tools", 250);
  EXPECT_EQ(
      cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
      std::string::npos)
      << cursor;
}

TEST(Paging, RefusesCursorsOfAnotherList) {
  ExpectUnknown(EncodeCursor("prompts", 1));
  ExpectUnknown(EncodeCursor("tools2", 1));
  ExpectUnknown(EncodeCursor("tool", 1));
}

TEST(Paging, RefusesWhatItDidNotWrite) {
  ExpectUnknown("nonsense");
  ExpectUnknown("!!!");
  ExpectUnknown("250");
  ExpectUnknown(EncodeCursor("tools", 1) + "=");
  ExpectUnknown(std::string(100'000, 'A'));
  for (const std::string_view text :
       {"tools", "tools:", "tools:-1", "tools:+1", "tools:01", "tools: 1", "tools:1 ", "tools:1x",
        "tools:18446744073709551616", "tools:0x1", ":1", "TOOLS:1"}) {
    ExpectUnknown(base::ToBase64Url(text));
  }
}

TEST(Paging, RefusesPositionsBeyondTheLimit) {
  EXPECT_TRUE(DecodeCursor("tools", EncodeCursor("tools", 7), 7).has_value());
  ExpectUnknown(EncodeCursor("tools", 8), 7);
}

}  // namespace
}  // namespace toolpost::mcp
