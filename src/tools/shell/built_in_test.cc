#include "tools/shell/built_in.h"

#include <gtest/gtest.h>

namespace toolpost::tools::shell {
namespace {

std::string Said(const std::vector<std::string>& arguments) {
  return BuiltInOutput(arguments, "/place");
}

TEST(BuiltIn, PwdSaysWhere) { EXPECT_EQ(Said({"pwd"}), "/place\n"); }

TEST(BuiltIn, EchoWritesItsArguments) {
  EXPECT_EQ(Said({"echo"}), "\n");
  EXPECT_EQ(Said({"echo", "a", "b  c"}), "a b  c\n");
  EXPECT_EQ(Said({"echo", "-n", "a"}), "a");
  EXPECT_EQ(Said({"echo", "-x", "-n"}), "-x -n\n");
  EXPECT_EQ(Said({"echo", "a\\tb"}), "a\\tb\n");
}

TEST(BuiltIn, EchoKnowsEscapesWhenAsked) {
  EXPECT_EQ(Said({"echo", "-e", "a\\tb\\n\\x41\\0101\\q"}), "a\tb\nAA\\q\n");
  EXPECT_EQ(Said({"echo", "-ne", "a\\cb", "c"}), "a");
  EXPECT_EQ(Said({"echo", "-eE", "\\t"}), "\\t\n");
  EXPECT_EQ(Said({"echo", "-e", "\\"}), "\\\n");
}

}  // namespace
}  // namespace toolpost::tools::shell
