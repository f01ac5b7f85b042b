#include "base/percent.h"

#include <gtest/gtest.h>

namespace toolpost::base {
namespace {

TEST(Percent, DecodesEscapes) {
  EXPECT_EQ(PercentDecode("a%2Cb%c3%A4+"), "a,bä+");
  EXPECT_EQ(PercentDecode(""), "");
}

TEST(Percent, RefusesBrokenEscapesAndBytes) {
  for (const std::string_view text : {"%", "%4", "a%4", "%zz", "%4g", "%ff", "%c3"})
    EXPECT_FALSE(PercentDecode(text)) << text;
}

TEST(Percent, FormsAreForgiving) {
  EXPECT_EQ(FormDecode("a+b%20c%2B"), "a b c+");
  EXPECT_EQ(FormDecode("100%"), "100%");
  EXPECT_EQ(FormDecode("%4%41%zz"), "%4A%zz");
}

TEST(Percent, FindsTheFirstParameterOfAName) {
  EXPECT_EQ(QueryParameter("batch=1&input=%7B%7D&batch=2", "batch"), "1");
  EXPECT_EQ(QueryParameter("batch=1&input=%7B%7D", "input"), "{}");
  EXPECT_EQ(QueryParameter("a=b=c", "a"), "b=c");
  EXPECT_EQ(QueryParameter("b%61tch=1", "batch"), "1");
  EXPECT_EQ(QueryParameter("input", "input"), "");
  EXPECT_EQ(QueryParameter("&&x=1&", "x"), "1");
  EXPECT_EQ(QueryParameter("xinput=1", "input"), std::nullopt);
  EXPECT_EQ(QueryParameter("", "input"), std::nullopt);
}

}  // namespace
}  // namespace toolpost::base
