// Tests of variable expansion.
#include "config/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace toolpost::config {
namespace {

using ::testing::HasSubstr;

const std::map<std::string, std::string, std::less<>> kEnvironment = {
    {"A", "one"}, {"B_2", "two"}, {"EMPTY", ""}, {"NESTED", "${A}"}};

std::string Expanded(std::string_view text) {
  const auto expanded = Expand(text, kEnvironment);
  EXPECT_TRUE(expanded.has_value()) << text;
  return expanded ? expanded->text : "";
}

TEST(Expand, PutsVariablesIn) {
  EXPECT_EQ(Expanded("${A}"), "one");
  EXPECT_EQ(Expanded("x${A}y${B_2}z"), "xoneytwoz");
  EXPECT_EQ(Expanded("${A}${A}"), "oneone");
  EXPECT_EQ(Expanded("${EMPTY}"), "");
}

TEST(Expand, DefaultsStandInForMissingAndEmptyVariables) {
  EXPECT_EQ(Expanded("${NONE:-d}"), "d");
  EXPECT_EQ(Expanded("${EMPTY:-d}"), "d");
  EXPECT_EQ(Expanded("${A:-d}"), "one");
  EXPECT_EQ(Expanded("${NONE:-}"), "");
  EXPECT_EQ(Expanded("${NONE:-http://x:-y}"), "http://x:-y");
}

TEST(Expand, LeavesEverythingElseAlone) {
  for (const std::string_view text : {"", "plain", "$A", "$", "$$", "a}b", "{A}", "costs 5$"}) {
    const auto expanded = Expand(text, kEnvironment);
    ASSERT_TRUE(expanded);
    EXPECT_EQ(expanded->text, text);
    EXPECT_FALSE(expanded->changed);
  }
}

TEST(Expand, DoubledDollarIsAPlainOne) {
  EXPECT_EQ(Expanded("$${A}"), "${A}");
  EXPECT_EQ(Expanded("$$${A}"), "$${A}");
  EXPECT_EQ(Expanded("$${A}${A}"), "${A}one");
  EXPECT_FALSE(Expand("$${A}", kEnvironment)->changed);
}

TEST(Expand, WhatWasPutInIsNotExpandedAgain) { EXPECT_EQ(Expanded("${NESTED}"), "${A}"); }

TEST(Expand, RefusesMissingVariablesAndBrokenText) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"${NONE}", "the variable NONE, which is not set; set it or write ${NONE:-default}"},
      {"${A", "without \"}\""},
      {"${}", "write ${NAME}"},
      {"${1A}", "write ${NAME}"},
      {"${A B}", "write ${NAME}"},
      {"${A:+x}", "write ${NAME}"},
      {"${:-x}", "write ${NAME}"}};
  for (const auto& [text, message] : cases) {
    const auto expanded = Expand(text, kEnvironment);
    ASSERT_FALSE(expanded.has_value()) << text;
    EXPECT_EQ(expanded.error().code, Code::kInvalidArgument);
    EXPECT_THAT(expanded.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace toolpost::config
