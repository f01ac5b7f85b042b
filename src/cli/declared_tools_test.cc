#include "cli/declared_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/json_write.h"
#include "base/log.h"

namespace toolpost::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DeclaredToolsTest : public ::testing::Test {
 protected:
  DeclaredToolsTest() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    // The sample database.
    tools_.Use(*tools::database::MakeServices({}, [] { return false; }));
  }
  void Declare(const std::string& name, const std::string& statement) {
    config::Config::DeclaredTool& tool = config_.declared_tools[name];
    tool.description = "A tool of the test.";
    tool.statement = statement;
    tool.where = "toolpost.toml:1";
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const Json& tool : server_.ListTools()) names.emplace_back(tool.at("name").as_string());
    return names;
  }
  std::string Rows(std::string_view tool) {
    const auto output = server_.Call(tool, {});
    if (!output) return output.error().message;
    return output->is_error ? "error" : base::ToJson(output->structured.at("rows"));
  }

  Server server_;
  config::Config config_;
  DeclaredTools tools_;
};

TEST_F(DeclaredToolsTest, FollowTheConfiguration) {
  std::atomic<int> changes{0};
  const auto end = server_.Subscribe([&](const Event& event) {
    changes +=
        event.kind == EventKind::kToolRegistered || event.kind == EventKind::kToolUnregistered ? 1
                                                                                               : 0;
  });
  Declare("customers", "SELECT count(*) FROM customers");
  Declare("shop/orders", "SELECT count(*) FROM orders");
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_THAT(Names(), ElementsAre("custom/customers", "shop/orders"));
  EXPECT_EQ(Rows("custom/customers"), "[[12]]");
  EXPECT_EQ(changes, 2);
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_EQ(changes, 2);  // nothing new, nobody told
  config_.declared_tools.at("customers").where = "toolpost.toml:9";
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_EQ(changes, 2);
  Declare("customers", "SELECT 7");
  config_.declared_tools.erase("shop/orders");
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_THAT(Names(), ElementsAre("custom/customers"));
  EXPECT_EQ(Rows("custom/customers"), "[[7]]");
  config_.declared_tools.clear();
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_THAT(Names(), IsEmpty());
  end();
}

TEST_F(DeclaredToolsTest, ATakenNameChangesNothing) {
  Declare("a", "SELECT 1");
  ASSERT_TRUE(tools_.Apply(server_, config_));
  Tool taken;
  taken.info.name = "system/info";
  taken.input_schema = JsonObject{{"type", "object"}};
  taken.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Text("x");
  };
  ASSERT_TRUE(server_.AddTool(taken));
  Declare("a", "SELECT 2");
  Declare("system/info", "SELECT 3");
  const Result<void> applied = tools_.Apply(server_, config_);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message,
              HasSubstr("toolpost.toml:1: tool.system/info: another tool"));
  EXPECT_EQ(Rows("custom/a"), "[[1]]");
  EXPECT_THAT(Names(), ElementsAre("custom/a", "system/info"));
}

TEST_F(DeclaredToolsTest, ANameDeclaredTwiceChangesNothing) {
  Declare("a", "SELECT 1");
  ASSERT_TRUE(tools_.Apply(server_, config_));
  config_.declared_tools.clear();
  Declare("b", "SELECT 2");
  Declare("x", "SELECT 3");
  for (const char* same : {"custom/x", "custom_x/y"}) {
    Declare(same, "SELECT 4");
    if (std::string_view(same).ends_with("y")) Declare("custom/x_y", "SELECT 5");
    const Result<void> applied = tools_.Apply(server_, config_);
    ASSERT_FALSE(applied);
    EXPECT_THAT(applied.error().message, HasSubstr("another declared tool has this name"));
    EXPECT_THAT(Names(), ElementsAre("custom/a"));
    config_.declared_tools.erase(same);
  }
  config_.declared_tools.erase("custom/x_y");
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_THAT(Names(), ElementsAre("custom/b", "custom/x"));
  config_.declared_tools.erase("x");
  Declare("custom/x", "SELECT 6");
  ASSERT_TRUE(tools_.Apply(server_, config_)) << "the same tool in another spelling";
  EXPECT_EQ(Rows("custom/x"), "[[6]]");
}

TEST_F(DeclaredToolsTest, StatementsTakeTheParametersThatAreDeclared) {
  const auto problem = [&](const std::string& url, const std::string& statement,
                           const std::vector<std::string>& parameters) {
    config_.connections["shop"].url = url;
    config_.declared_tools.clear();
    Declare("a", statement);
    for (const std::string& name : parameters) {
      config_.declared_tools.at("a").parameters.emplace_back().name = name;
      config_.declared_tools.at("a").parameters.back().type = "string";
    }
    const Result<void> fits = tools_.Apply(server_, config_);
    return fits ? "none" : fits.error().message;
  };
  for (const char* url : {"sqlite:x.db", "postgresql://h/d"}) {
    EXPECT_EQ(problem(url, "SELECT ':no', \":no\", :a /* :no */, :b, :a -- :no", {"a", "b"}),
              "none");
    EXPECT_THAT(problem(url, "SELECT :a", {"a", "b"}),
                AllOf(HasSubstr("toolpost.toml:1: tool.a: "),
                      HasSubstr("parameter b is not used: write :b")));
    EXPECT_THAT(problem(url, "SELECT :a, :b", {"a"}), HasSubstr(":b, which"));
    EXPECT_THAT(problem(url, "SELECT :b", {}), HasSubstr(":b, which"));
  }
  EXPECT_EQ(problem("sqlite:x.db", "SELECT @a, $b, [:no], `:no`, x$no", {"a", "b"}), "none");
  EXPECT_THAT(problem("sqlite:x.db", "SELECT ?", {}), HasSubstr("the statement uses ?, which"));
  EXPECT_EQ(problem("postgresql://h/d", "SELECT $$ :no $$, x::text, :a", {"a"}), "none");
}

TEST_F(DeclaredToolsTest, OnlyReads) {
  Declare("clear", "DELETE FROM customers");
  ASSERT_TRUE(tools_.Apply(server_, config_));
  EXPECT_EQ(Rows("custom/clear"), "error");
}

}  // namespace
}  // namespace toolpost::cli
