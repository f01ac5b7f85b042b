// todo://tasks and the prompts.
#include <gmock/gmock.h>

#include "mcp/test_context.h"
#include "tools/todo/todo_fixture.h"

namespace toolpost::tools::todo {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using TodoResourcesTest = TodoTest;
INSTANTIATE_TEST_SUITE_P(Engines, TodoResourcesTest, store::BothEngines(), store::EngineName);

TEST_P(TodoResourcesTest, OffersTasksAsAResourceAndInPrompts) {
  base::SetNowForTest(*base::FromIso8601("2026-07-28T12:00:00Z"));
  Data("add_task", R"({"title":"Late","due_date":"2026-07-27"})");
  Data("add_task", R"({"title":"Soon","due_date":"2026-07-28"})");
  std::map<std::string, PromptHandler> prompts;
  ResourceReader reader;
  ASSERT_TRUE(AddResourceAndPrompts({[&](const ResourceInfo& info, ResourceReader given) {
                                       EXPECT_EQ(info.uri, "todo://tasks");
                                       reader = std::move(given);
                                       return toolpost::Result<void>();
                                     },
                                     [&](const PromptInfo& info, PromptHandler handler) {
                                       prompts[info.name] = std::move(handler);
                                       return toolpost::Result<void>();
                                     }},
                                    services_));
  mcp::TestContext context;
  context.who.user = "ann";
  const auto text = [&](const std::string& prompt) {
    const auto messages = prompts.at(prompt)({}, context);
    EXPECT_TRUE(messages);
    return messages ? std::string(messages->at(0).at("content").at("text").as_string()) : "";
  };
  EXPECT_THAT(text("plan_my_day"),
              AllOf(HasSubstr("2026-07-28"), HasSubstr("\"Late\""), HasSubstr("\"Soon\"")));
  EXPECT_THAT(text("review_overdue"), AllOf(HasSubstr("\"Late\""), Not(HasSubstr("Soon"))));
  EXPECT_THAT(reader("todo://tasks", {}, context)->data, HasSubstr(R"("total":2)"));
  context.who.user = "bob";
  EXPECT_THAT(text("plan_my_day"), HasSubstr("no pending tasks"));
  EXPECT_THAT(reader("todo://tasks", {}, context)->data, HasSubstr(R"("total":0)"));
  context.who.user.clear();
  EXPECT_FALSE(reader("todo://tasks", {}, context));
}

}  // namespace
}  // namespace toolpost::tools::todo
