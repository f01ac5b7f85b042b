// Tests that secrets stay secret: no message, listing or difference repeats one.
#include <gmock/gmock.h>

#include "config/options.h"
#include "config/testing.h"
#include "config/value.h"

namespace toolpost::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kPlanted[] = "pLaNtEd-7f3a9c7be1d24586-0rQd93kf";

class Secrets : public LoadTest {
 protected:
  static std::vector<const Option*> All() {
    std::vector<const Option*> secrets;
    for (const Option& option : Options()) {
      if (option.secret) secrets.push_back(&option);
    }
    return secrets;
  }
  static std::string ValueFor(const Option& option) {
    if (option.key == "store.url" || option.key == "database.url")
      return std::string("postgresql://") + kPlanted;
    if (option.key == "mssql.connection_string") return std::string("Server=") + kPlanted;
    return option.key == "telemetry.headers" ? std::string("key=") + kPlanted : kPlanted;
  }
};

TEST_F(Secrets, AreTheOnesThatOpenSomething) {
  std::vector<std::string_view> keys;
  for (const Option* option : All()) keys.push_back(option->key);
  EXPECT_THAT(keys, ElementsAre("auth.master_key", "auth.jwt_secret", "store.url", "vault.key",
                                "database.url", "mssql.connection_string", "telemetry.headers"));
}

TEST_F(Secrets, ListingsAndDifferencesOnlySayThatTheyAreSet) {
  const Config before = Loaded();
  for (const Option* option : All()) {
    sources_.environment = {{"HOME", "/h"}, {option->environment, ValueFor(*option)}};
    const Config config = Loaded();
    EXPECT_THAT(RenderEffective(config), Not(HasSubstr(kPlanted)));
    EXPECT_THAT(RenderEffective(config),
                HasSubstr("\n# " + std::string(option->key) + " = (set)  # environment " +
                          option->environment + "\n"));
    EXPECT_THAT(RenderEffective(before), HasSubstr("\n" + std::string(option->key) + " = \"\"  #"));
    sources_.environment[option->environment] = ValueFor(*option) + "2";
    const auto changes = Diff(config, Loaded());
    ASSERT_EQ(changes.size(), 1u) << option->key;
    EXPECT_EQ(changes[0].before, "(set)");
    EXPECT_EQ(changes[0].after, "(set)");
  }
}

TEST_F(Secrets, AreReadFromTheWellKnownVariables) {
  sources_.environment["MSSQL_MCP_API_KEY"] = kPlanted;
  sources_.environment["MSSQL_MCP_KEY"] = std::string(kPlanted) + "2";
  EXPECT_EQ(Loaded().auth.master_key, kPlanted);
  EXPECT_EQ(Loaded().vault.key, std::string(kPlanted) + "2");
}

TEST_F(Secrets, WhatListingsShowIsNotTakenForOne) {
  for (const Option* option : All()) {
    Config config;
    const auto assigned = Assign(*option, Text{"(set)"}, config);
    ASSERT_FALSE(assigned) << option->key;
    EXPECT_THAT(assigned.error().message, HasSubstr("not (set) itself"));
  }
}

TEST_F(Secrets, NoMessageRepeatsThem) {
  const std::string p = kPlanted;
  const std::vector<std::string> values = {
      "\"" + p + "${x y}" + p + "\"",  // not a variable
      "\"${" + p + "}\"",
      "\"" + p + "${\"",
      "[\"" + p + "\"]",
      p,  // no quotes
      "\"" + p,
      "'" + p + "' '" + p + "'",
      "\"" + p + "\\u0000\"",
      "{ " + p + " = 1 }",
      "7319973199731997",
      "\"changeme " + p + "\"",
  };
  for (const Option* option : All()) {
    for (const std::string& value : values) {
      const std::string error =
          LoadError("c.toml", std::string(option->key) + " = " + value + "\n");
      EXPECT_THAT(error, Not(HasSubstr(p))) << value;
      EXPECT_THAT(error, Not(HasSubstr("7319973199731997"))) << value;
    }
  }
}

TEST_F(Secrets, NoMessageAboutJsonRepeatsThem) {
  const std::string p = kPlanted;
  for (const std::string& value :
       {"\"" + p, "[\"" + p + "\"]", "{\"" + p + "\":1}", "\"" + p + "\" \"" + p + "\"", p,
        std::string("7319973199731997"), std::string("73199731997319973199.5")}) {
    const std::string error = LoadError("c.json", "{\"auth\":{\"master_key\":" + value + "}}");
    EXPECT_THAT(error, Not(HasSubstr(p))) << value;
    EXPECT_THAT(error, Not(HasSubstr("73199"))) << value;
  }
}

TEST_F(Secrets, AFileOthersCanReadIsWarnedAbout) {
  const auto path = Write("c.toml", std::string("auth.master_key = \"") + kPlanted + "\"\n");
  sources_.config_file = path.string();
  EXPECT_THAT(Loaded().warnings, IsEmpty());
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  EXPECT_THAT(
      Loaded().warnings,
      ElementsAre(HasSubstr("c.toml:1: auth.master_key is in a file other users can read")));
  EXPECT_THAT(Loaded().warnings, ElementsAre(Not(HasSubstr(kPlanted))));
  sources_.environment["MY_KEY"] = kPlanted;
  Write("c.toml", "auth.master_key = \"${MY_KEY}\"\n");
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  EXPECT_THAT(Loaded().warnings, IsEmpty());
  EXPECT_EQ(Loaded().auth.master_key, kPlanted);
}

TEST_F(Secrets, AFlagIsWarnedAbout) {
  sources_.flags = {{"auth-master-key", kPlanted}};
  EXPECT_THAT(Loaded().warnings,
              ElementsAre("flag --auth-master-key is visible to other users of this machine; give "
                          "the secret in TOOLPOST_AUTH_MASTER_KEY"));
}

}  // namespace
}  // namespace toolpost::config
