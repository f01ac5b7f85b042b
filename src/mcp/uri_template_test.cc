// Tests of URI template matching.
#include "mcp/uri_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace toolpost::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

UriTemplate Parsed(std::string_view text) {
  auto parsed = UriTemplate::Parse(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return *std::move(parsed);
}

std::optional<UriVariables> Match(std::string_view pattern, std::string_view uri) {
  return Parsed(pattern).Match(uri);
}

void ExpectBad(std::string_view text, std::string_view why) {
  const auto parsed = UriTemplate::Parse(text);
  ASSERT_FALSE(parsed.has_value()) << text;
  EXPECT_EQ(parsed.error().code, Code::kInvalidArgument);
  EXPECT_THAT(parsed.error().message, HasSubstr(why));
}

TEST(UriTemplate, MatchesOneSegment) {
  const auto match = Match("test://template/{id}/data", "test://template/123/data");
  ASSERT_TRUE(match);
  EXPECT_EQ(*match, (UriVariables{{"id", "123"}}));
}

TEST(UriTemplate, SimpleVariablesStopAtASlash) {
  EXPECT_FALSE(Match("a://{x}", "a://b/c"));
  EXPECT_FALSE(Match("a://{x}/d", "a://b/c/d"));
}

TEST(UriTemplate, ReservedVariablesCrossSlashes) {
  const auto match = Match("file:///{+path}", "file:///etc/a/b.txt");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->at("path"), "etc/a/b.txt");
}

TEST(UriTemplate, MatchIsAnchoredAtBothEnds) {
  EXPECT_FALSE(Match("a://{x}/data", "a://1/data/more"));
  EXPECT_FALSE(Match("a://{x}/data", "xa://1/data"));
  EXPECT_FALSE(Match("a://{x}/data", "a://1/dat"));
  EXPECT_FALSE(Match("a://{x}/data", ""));
}

TEST(UriTemplate, VariablesAreNeverEmpty) {
  EXPECT_FALSE(Match("a://{x}/data", "a:///data"));
  EXPECT_FALSE(Match("a://{+x}", "a://"));
}

TEST(UriTemplate, LiteralsAreNotPatterns) {
  EXPECT_FALSE(Match("a://x.y/{v}", "a://xzy/1"));
  EXPECT_TRUE(Match("a://[x]*(y)/{v}", "a://[x]*(y)/1"));
}

TEST(UriTemplate, EarlierVariableIsTheLongerWhenSeveralSplitsFit) {
  const auto match = Match("a://{x}-{y}", "a://1-2-3");
  ASSERT_TRUE(match);
  EXPECT_EQ(*match, (UriVariables{{"x", "1-2"}, {"y", "3"}}));
}

TEST(UriTemplate, FindsTheOnlySplitThatFits) {
  const auto match = Match("a://{+x}x{y}", "a://1x2/3x4");
  ASSERT_TRUE(match);
  EXPECT_EQ(*match, (UriVariables{{"x", "1x2/3"}, {"y", "4"}}));
  const auto other = Match("a://{x}/b/{+y}", "a://q/b/b/r");
  ASSERT_TRUE(other);
  EXPECT_EQ(*other, (UriVariables{{"x", "q"}, {"y", "b/r"}}));
}

TEST(UriTemplate, DecodesPercentEscapes) {
  const auto match = Match("a://{x}", "a://caf%C3%A9%20%2Fbar%25");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->at("x"), "caf\xC3\xA9 /bar%");
}

TEST(UriTemplate, BrokenEscapesDoNotMatch) {
  for (const std::string_view uri :
       {"a://%", "a://%4", "a://%zz", "a://%C3", "a://%00", "a://1%2"}) {
    EXPECT_FALSE(Match("a://{x}", uri)) << uri;
  }
}

TEST(UriTemplate, ReportsVariablesInOrder) {
  EXPECT_THAT(Parsed("a://{z}/{+b.c_1}").variables(), ElementsAre("z", "b.c_1"));
}

TEST(UriTemplate, RefusesBadTemplates) {
  ExpectBad("", "no {variable}");
  ExpectBad("a://plain", "no {variable}");
  ExpectBad("a://{x", "'{' without '}'");
  ExpectBad("a://{x{y}}", "'{' without '}'");
  ExpectBad("a://x}", "'}' without '{'");
  ExpectBad("a://{}", "{} is not supported");
  ExpectBad("a://{+}", "{+} is not supported");
  ExpectBad("a://{?q}", "{?q} is not supported");
  ExpectBad("a://{/p}", "not supported");
  ExpectBad("a://{#f}", "not supported");
  ExpectBad("a://{a,b}", "not supported");
  ExpectBad("a://{a*}", "not supported");
  ExpectBad("a://{a:3}", "not supported");
  ExpectBad("a://{x}/{x}", "x appears twice");
  ExpectBad("a://{x}{y}", "put a literal between {x} and {y}");
  ExpectBad("a://{x}" + std::string(UriTemplate::kMaxTemplate, 'a'), "longer than");
  std::string many = "a:";
  for (std::size_t i = 0; i <= UriTemplate::kMaxVariables; ++i) {
    many += "/{v" + std::to_string(i) + "}";
  }
  ExpectBad(many, "more than 32 variables");
}

TEST(UriTemplate, CVE_2026_0621_HostileUriTakesLinearTime) {
  // 31 variables around the same letter over a long run of it: exponential for a backtracking
  // matcher.
  std::string pattern = "a://{+v0}";
  for (int i = 1; i < 31; ++i) pattern += "a{+v" + std::to_string(i) + "}";
  const UriTemplate parsed = Parsed(pattern + "b");
  EXPECT_FALSE(parsed.Match("a://" + std::string(UriTemplate::kMaxUri - 5, 'a') + "c"));
  EXPECT_FALSE(parsed.Match("a://" + std::string(50, 'a') + "b"));
  EXPECT_TRUE(parsed.Match("a://" + std::string(UriTemplate::kMaxUri - 5, 'a') + "b"));
}

TEST(UriTemplate, OverlongUriDoesNotMatch) {
  const std::string uri = "a://" + std::string(UriTemplate::kMaxUri - 4, 'x');
  EXPECT_TRUE(Match("a://{x}", uri));
  EXPECT_FALSE(Match("a://{x}", uri + "x"));
}

}  // namespace
}  // namespace toolpost::mcp
