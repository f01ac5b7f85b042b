#include "tools/shell/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace toolpost::tools::shell {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Environment, PRD_FR_012_4_TheUsualVariablesPass) {
  EXPECT_TRUE(CheckVariables(
      {{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}, {"TZ", "UTC"}, {"NODE_ENV", "test"}, {"CI", "1"}},
      {}));
  EXPECT_TRUE(CheckVariables({{"MY_FLAG", "1"}}, {"MY_FLAG"}));
  EXPECT_THAT(MakeEnvironment({{"LANG", "de"}}, {.private_home = true}), Contains("LANG=de"));
}

TEST(Environment, PRD_FR_012_4_AnyOtherIsNamedAndRefused) {
  for (const char* name : {"LD_PRELOAD",
                           "LD_LIBRARY_PATH",
                           "PATH",
                           "HOME",
                           "IFS",
                           "ENV",
                           "BASH_ENV",
                           "SHELLOPTS",
                           "NODE_OPTIONS",
                           "NODE_PATH",
                           "GIT_SSH_COMMAND",
                           "GIT_EXTERNAL_DIFF",
                           "GIT_CONFIG_COUNT",
                           "GIT_EDITOR",
                           "npm_config_script_shell",
                           "PNPM_HOME",
                           "YARN_RC_FILENAME",
                           "HTTP_PROXY",
                           "https_proxy",
                           "SSH_AUTH_SOCK",
                           "GCONV_PATH",
                           "LOCPATH",
                           "MALLOC_CHECK_",
                           "TMPDIR",
                           "PYTHONPATH",
                           "lang"}) {
    const auto checked = CheckVariables({{name, "x"}}, {});
    ASSERT_FALSE(checked) << name;
    EXPECT_THAT(checked.error().message, HasSubstr(name));
    // What makes programs run other programs is not even an operator's to allow.
    EXPECT_EQ(CheckVariables({{name, "x"}}, {name}).has_value(), std::string_view(name) == "lang");
  }
}

TEST(Environment, MalformedAndOversizedIsRefused) {
  EXPECT_FALSE(CheckVariables({{"", "x"}}, {}));
  EXPECT_FALSE(CheckVariables({{"A=B", "x"}}, {}));
  EXPECT_FALSE(CheckVariables({{"L\u00c4NG", "x"}}, {}));
  EXPECT_FALSE(CheckVariables({{std::string("LANG\0X", 6), "x"}}, {}));
  EXPECT_FALSE(CheckVariables({{"LANG", std::string("a\0b", 3)}}, {}));
  EXPECT_FALSE(CheckVariables({{"LANG", std::string(40'000, 'a')}}, {}));
  Variables many;
  for (int i = 0; i < 65; ++i) many["LC_" + std::to_string(i)] = "x";
  EXPECT_FALSE(CheckVariables(many, {}));
}

TEST(Environment, TheProxyIsNamedWhereThereIsOne) {
  const auto with = MakeEnvironment({}, {.private_home = true, .proxy = true});
  EXPECT_THAT(with, Contains("https_proxy=http://127.0.0.1:3128"));
  EXPECT_THAT(with, Contains("npm_config_proxy=http://127.0.0.1:3128"));
  EXPECT_THAT(with, Contains("GIT_ALLOW_PROTOCOL=file:http:https"));
  const auto without = MakeEnvironment({}, {.private_home = true});
  EXPECT_THAT(without, Contains("GIT_ALLOW_PROTOCOL=file"));
  EXPECT_THAT(without, Not(Contains(HasSubstr("proxy"))));
}

TEST(Environment, NothingOfTheServerIsPassedOn) {
  setenv("TOOLPOST_TEST_SECRET", "x", 1);
  for (const std::string& variable : MakeEnvironment({}, {.private_home = true, .proxy = true}))
    EXPECT_FALSE(variable.starts_with("TOOLPOST")) << variable;
  unsetenv("TOOLPOST_TEST_SECRET");
}

}  // namespace
}  // namespace toolpost::tools::shell
