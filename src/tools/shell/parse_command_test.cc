#include "tools/shell/parse_command.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace toolpost::tools::shell {
namespace {

std::string SyntaxRefusal(std::string_view command) {
  const auto parsed = ParseCommand(command);
  return parsed ? "" : parsed.error().message;
}

TEST(ParseCommand, PRD_FR_013_3_ChainingIsNamedWithItsPosition) {
  EXPECT_EQ(SyntaxRefusal("ls; id"),
            "Blocked, command chaining: \";\" at position 3. Run one command per call, or quote it "
            "if it is text.");
  EXPECT_EQ(
      SyntaxRefusal("ls && id"),
      "Blocked, command chaining: \"&&\" at position 4. Run one command per call, or quote it "
      "if it is text.");
  EXPECT_EQ(SyntaxRefusal("ls || id"),
            "Blocked, command chaining: \"||\" at position 4. Run one command per call; only pipes "
            "(|) may join commands.");
}

TEST(ParseCommand, PRD_FR_013_4_BackgroundIsNamedWithItsPosition) {
  EXPECT_EQ(SyntaxRefusal("ls &"),
            "Blocked, background execution: \"&\" at position 4. Every command runs to its end; "
            "quote the & if it is text.");
}

TEST(ParseCommand, PRD_FR_013_5_DeviceWritesAreNamedWithTheirPosition) {
  EXPECT_EQ(SyntaxRefusal("echo x >/dev/sda"),
            "Blocked, device write: \">/dev/\" at position 8. Nothing need be thrown away: stdout "
            "and stderr come back separately.");
}

TEST(ParseCommand, PositionsCountCharactersNotBytes) {
  EXPECT_NE(SyntaxRefusal("echo \u00fc\u4e2d ;").find("position 9"), std::string::npos);
}

TEST(ParseCommand, MarksOnlyUnquotedWildcards) {
  const auto parsed = ParseCommand("ls *.c '*.h' \\? a\"?\"[x]");
  ASSERT_TRUE(parsed);
  const auto& words = parsed->front().words;
  EXPECT_EQ(words[1].wildcards, std::vector<std::uint32_t>{0});
  EXPECT_TRUE(words[2].wildcards.empty());
  EXPECT_TRUE(words[3].wildcards.empty());
  EXPECT_EQ(words[4].wildcards, std::vector<std::uint32_t>{2});
  EXPECT_EQ(words[4].position, 17u);
}

TEST(ParseCommand, LimitsRefuseInsteadOfGivingUp) {
  std::string stages = "ls";
  for (int i = 0; i < 7; ++i) stages += " | cat";
  EXPECT_TRUE(ParseCommand(stages));
  EXPECT_FALSE(ParseCommand(stages + " | cat"));
  for (int i = 0; i < 50; ++i) stages += "|cat";
  EXPECT_FALSE(ParseCommand(stages));
  std::string arguments = "ls";
  for (int i = 1; i < 4096; ++i) arguments += " a";
  EXPECT_TRUE(ParseCommand(arguments));
  EXPECT_FALSE(ParseCommand(arguments + " a"));
  const auto large = ParseCommand("ls " + std::string(1 << 20, 'a'));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::kTooLarge);
  EXPECT_FALSE(ParseCommand("ls \xff"));
}

TEST(ParseCommand, StepsGrowWithTheLengthOnly) {
  for (const std::string_view piece :
       {"a", "a ", "'a'", "\"\\\"\"", "\\a", "*", "@", "@{", "[", "2>&1 ", "\u4e2d", "'"}) {
    const auto steps = [&](std::size_t count) {
      std::string text = "ls ";
      for (std::size_t i = 0; i < count; ++i) text.append(piece);
      std::size_t taken = 0;
      (void)ParseCommand(text, &taken);
      return taken;
    };
    EXPECT_LE(steps(4000), 2 * steps(2000) + 16) << piece;
  }
}

}  // namespace
}  // namespace toolpost::tools::shell
