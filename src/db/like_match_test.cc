#include "db/like_match.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace toolpost::db {
namespace {

bool Like(std::string_view pattern, std::string_view text, char32_t escape = 0) {
  return LikePattern::Like(pattern, escape).Matches(text);
}
bool Glob(std::string_view pattern, std::string_view text) {
  return LikePattern::Glob(pattern).Matches(text);
}

TEST(LikeMatch, KnowsRunsAndSingleCharacters) {
  EXPECT_TRUE(Like("", ""));
  EXPECT_FALSE(Like("", "a"));
  EXPECT_TRUE(Like("%", ""));
  EXPECT_TRUE(Like("%%", "abc"));
  EXPECT_TRUE(Like("a%", "Abc"));
  EXPECT_TRUE(Like("%c", "abc"));
  EXPECT_TRUE(Like("%b%", "abc"));
  EXPECT_FALSE(Like("%d%", "abc"));
  EXPECT_TRUE(Like("a_c", "aéc"));
  EXPECT_FALSE(Like("a_c", "ac"));
  EXPECT_FALSE(Like("ab%ba", "aba"));
  EXPECT_TRUE(Like("a%b%c%d", "axxbyybccd"));
  EXPECT_FALSE(Like("É", "é"));  // only ASCII has two cases here
}

TEST(LikeMatch, EscapesMakeTheNextCharacterPlain) {
  EXPECT_TRUE(Like("100\\%", "100%", '\\'));
  EXPECT_FALSE(Like("100\\%", "1000", '\\'));
  EXPECT_TRUE(Like("a\\\\b", "a\\b", '\\'));
  EXPECT_FALSE(Like("a\\", "a\\", '\\'));
  EXPECT_TRUE(Like("xA", "a", 'x'));
}

TEST(LikeMatch, GlobKnowsSetsAndCase) {
  EXPECT_TRUE(Glob("*.[ch]", "x.h"));
  EXPECT_FALSE(Glob("*.[ch]", "x.H"));
  EXPECT_TRUE(Glob("[^a-c]?", "dz"));
  EXPECT_FALSE(Glob("[^a-c]?", "bz"));
  EXPECT_TRUE(Glob("[]]", "]"));
  EXPECT_TRUE(Glob("[a-]", "-"));
  EXPECT_FALSE(Glob("[a", "a"));
  EXPECT_FALSE(Glob("[", "["));
  EXPECT_TRUE(Glob("[*]", "*"));
}

TEST(LikeMatch, BytesThatAreNotUtf8MatchThemselves) {
  EXPECT_TRUE(Like("\xFF%", "\xFF\xFE"));
  EXPECT_FALSE(Like("\xFF", "\xFE"));
  EXPECT_TRUE(Like("_", "\xC3"));
}

// SQLite's own needs the product of the lengths: minutes for these.
TEST(LikeMatch, TakesLinearTimeOnHostilePatterns) {
  const std::string text(1'000'000, 'a');
  const auto started = std::chrono::steady_clock::now();
  EXPECT_FALSE(Like("%" + std::string(990, 'a') + "b%", text));
  EXPECT_FALSE(Like("%" + std::string(500, '_') + std::string(400, 'a') + "b%a", text));
  std::string many;
  for (int i = 0; i < 300; ++i) many += "%a_";
  EXPECT_FALSE(Like(many + "%b%", text));
  std::string sets;
  for (int i = 0; i < 190; ++i) sets += "[a-z]";
  EXPECT_FALSE(Glob("*" + sets + "[^a]*", text));
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(60));
}

TEST(LikeMatch, BothSearchesAgree) {
  std::uint64_t seed = 7;
  const auto next = [&](std::uint64_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
  };
  int matches = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    std::string piece;
    for (std::uint64_t i = next(300); i-- > 0;) text.push_back("ab"[next(2)]);
    for (std::uint64_t i = 1 + next(9); i-- > 0;) piece.push_back("ab_"[next(3)]);
    bool expected = false;
    for (std::size_t at = 0; at + piece.size() <= text.size() && !expected; ++at) {
      expected = true;
      for (std::size_t i = 0; i < piece.size(); ++i)
        expected = expected && (piece[i] == '_' || piece[i] == text[at + i]);
    }
    // Before it enough of what nearly matches that the naive search gives up.
    EXPECT_EQ(Like("%" + piece + "%", text), expected) << piece << " " << text;
    if (piece.front() == '_') continue;
    const std::string filler(4000, 'c');
    EXPECT_EQ(Like("%" + std::string(60, 'c') + "%" + piece + "%", filler + text), expected);
    matches += expected ? 1 : 0;
  }
  EXPECT_GT(matches, 300);
  EXPECT_LT(matches, 2900);
}

TEST(LikeMatch, EmptyTextIsMatchedByRunsOnAThreadThatHasMatchedNothingBefore) {
  std::thread([] {
    EXPECT_TRUE(LikePattern::Glob("**").Matches(""));
    EXPECT_TRUE(LikePattern::Like("%%%").Matches(""));
    EXPECT_FALSE(LikePattern::Like("%_%").Matches(""));
  }).join();
}

}  // namespace
}  // namespace toolpost::db
