#include <gmock/gmock.h>

#include <set>

#include "base/json_write.h"
#include "db/postgres_fixture.h"
#include "store/tasks.h"
#include "tools/todo/todo_fixture.h"

namespace toolpost::tools::todo {
namespace {

using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Engines, TodoTest, store::BothEngines(), store::EngineName);

TEST_P(TodoTest, TODO_validation_user_id_TODO_authorization_no_cross_user_access_OverSharing) {
  constexpr std::string_view kRefusal =
      "user_id must not be given: it is the one you signed in with";
  Refuses("add_task", R"({"title":"a","user_id":"bob"})", kRefusal);
  Refuses("list_tasks", R"({"user_id":"bob"})", kRefusal);
  Refuses("toggle_task_completion", R"({"task_id":1,"user_id":"bob"})", kRefusal);
  Refuses("delete_task", R"({"task_id":1,"user_id":"bob"})", kRefusal);
  Refuses("search_tasks", R"({"keyword":"a","user_id":"bob"})", kRefusal);
  Refuses("get_my_user_info", R"({"user_id":"bob"})", kRefusal);
  Refuses("add_task", R"({"title":"a","colour":"red"})", "colour is not a parameter of this tool");
}

TEST_P(TodoTest, TODO_validation_task_id_TODO_mapping_invalid_task_id_TODO_mapping_task_not_found) {
  for (const std::string_view tool : {"toggle_task_completion", "delete_task"}) {
    Refuses(tool, "{}", "task_id is required");
    for (const std::string_view bad :
         {"0", "-3", "1.5", "\"1\"", "true", "[]", "{}", "1e30", "-1e30", "9223372036854775808"}) {
      Refuses(tool, base::StrCat(R"({"task_id":)", bad, "}"), "task_id must be a positive integer");
    }
    Refuses(tool, R"({"task_id":7})", "Task not found with id 7");
    Refuses(tool, R"({"task_id":9223372036854775807})",
            "Task not found with id 9223372036854775807");
  }
}

TEST_P(TodoTest, TODO_validation_title_TODO_mapping_empty_title_TODO_mapping_title_too_long) {
  Refuses("add_task", R"({"title":""})", "title is required and cannot be empty");
  Refuses("add_task", R"({"title":" \t\n"})", "title is required and cannot be empty");
  Refuses("add_task", "{\"title\":\"\u00A0\u3000\"}", "title is required and cannot be empty");
  Refuses("add_task", base::StrCat(R"({"title":")", std::string(201, 'x'), R"("})"),
          "title exceeds maximum length of 200 characters");
}

TEST_P(TodoTest, TODO_validation_description_TODO_failure_out_of_range) {
  Refuses("add_task",
          base::StrCat(R"({"title":"a","description":")", std::string(1001, 'x'), R"("})"),
          "description exceeds maximum of 1000");
  const std::string longest(1000, 'x');
  EXPECT_EQ(Data("add_task", base::StrCat(R"({"title":"a","description":")", longest, R"("})"))
                .at("description"),
            Json(longest));
}

TEST_P(TodoTest, TODO_validation_due_date_TODO_failure_invalid_format) {
  for (const std::string_view bad :
       {R"("tomorrow")", R"("2026-02-30")", R"("2025-02-29")", R"("2026-13-01")", R"("2026-00-10")",
        R"("2026-1-1")", R"("2026-01-01T00:00:00Z")", R"("")", "20260101"}) {
    Refuses("add_task", base::StrCat(R"({"title":"a","due_date":)", bad, "}"),
            "due_date must be in YYYY-MM-DD format");
  }
  EXPECT_EQ(Data("add_task", R"({"title":"a","due_date":"2024-02-29"})").at("due_date"),
            "2024-02-29");
}

TEST_P(TodoTest, TODO_validation_status_TODO_validation_sort_by_TODO_validation_sort_order) {
  Refuses("list_tasks", R"({"status":"done"})",
          R"(status must be one of: "all", "pending", "completed")");
  Refuses("list_tasks", R"({"sort_by":"id"})", R"(sort_by must be one of: "created_at", "title")");
  Refuses("list_tasks", R"({"sort_order":"up"})", R"(sort_order must be one of: "asc", "desc")");
}

TEST_P(TodoTest, TODO_validation_limit_TODO_validation_offset) {
  for (const std::string_view tool : {"list_tasks", "search_tasks"}) {
    const std::string_view rest = tool == "search_tasks" ? R"(,"keyword":"a"})" : "}";
    for (const std::string_view bad : {"0", "-1", "2.5", "\"5\"", "1e30", "9223372036854775808"}) {
      Refuses(tool, base::StrCat(R"({"limit":)", bad, rest), "limit must be a positive integer");
    }
    for (const std::string_view bad : {"-1", "0.5", "\"5\"", "1e30", "9223372036854775808"}) {
      Refuses(tool, base::StrCat(R"({"offset":)", bad, rest),
              "offset must be a non-negative integer");
    }
  }
  Refuses("list_tasks", R"({"offset":1e30,"limit":1e30})", "limit must be a positive integer");
  EXPECT_EQ(Data("list_tasks", "{}").at("limit"), 50);
  EXPECT_EQ(Data("list_tasks", "{}").at("offset"), 0);
}

TEST_P(TodoTest, TODO_validation_keyword) {
  Refuses("search_tasks", "{}", "keyword is required");
  Refuses("search_tasks", R"({"keyword":""})", "keyword is required");
}

TEST_P(TodoTest, TODO_failure_missing_required_param_TODO_failure_invalid_type) {
  Refuses("add_task", "{}", "title is required");
  Refuses("add_task", R"({"title":5})", "title must be a string");
  Refuses("add_task", R"({"title":"a","description":5})", "description must be a string");
  Refuses("search_tasks", R"({"keyword":7})", "keyword must be a string");
  // What is missing comes first, then the order of the table.
  Refuses("add_task", R"({"description":5,"due_date":5})", "title is required");
  Refuses("add_task", R"({"title":5,"due_date":5})", "title must be a string");
}

TEST_P(TodoTest,
       TODO_category_validation_error_TODO_category_not_found_TODO_category_unauthorized) {
  const auto meta = [&](std::string_view tool, std::string_view arguments, std::string_view user) {
    const JsonObject result = Result(tool, arguments, user);
    return base::ToJson(result.at("_meta"));
  };
  EXPECT_THAT(meta("add_task", "{}", "ann"), HasSubstr(R"("VALIDATION_ERROR","httpStatus":400)"));
  EXPECT_THAT(meta("delete_task", R"({"task_id":9})", "ann"),
              HasSubstr(R"("NOT_FOUND","httpStatus":404)"));
  EXPECT_THAT(meta("list_tasks", "{}", ""), HasSubstr(R"("UNAUTHORIZED","httpStatus":401)"));
}

TEST_P(TodoTest, TODO_category_forbidden_TODO_message_consistent_format_AlsoWhenTheGateRefuses) {
  const std::string id = base::ToJson(Data("add_task", R"({"title":"a"})").at("id"));
  told_.clear();
  credential_ = std::make_shared<Credential>();
  credential_->grants.scopes = {"read"};
  const std::string one = R"({"task_id":)" + id + "}";
  for (const auto& [tool, arguments] :
       {std::pair<std::string_view, std::string>("add_task", R"({"title":"x"})"),
        {"toggle_task_completion", one},
        {"delete_task", one}}) {
    const JsonObject refused = Envelope(tool, arguments);
    EXPECT_EQ(refused.at("status"), "error");
    EXPECT_THAT(std::string(refused.at("message").as_string()), HasSubstr("scope \"write\""));
    EXPECT_TRUE(refused.at("data").is_null());
    EXPECT_EQ(base::ToJson(Result(tool, arguments).at("_meta").at("code")), "\"FORBIDDEN\"");
    EXPECT_EQ(Result(tool, arguments).at("_meta").at("httpStatus"), 403);
  }
  EXPECT_EQ(Data("list_tasks", "{}").at("total"), 1);
  credential_->revoked = true;
  Envelope("list_tasks", "{}");
  EXPECT_EQ(Result("list_tasks", "{}").at("_meta").at("code"), "UNAUTHORIZED");
  EXPECT_EQ(Result("list_tasks", "{}").at("_meta").at("httpStatus"), 401);
  EXPECT_TRUE(told_.empty());
}

TEST_P(TodoTest, TODO_category_validation_error_ForTextThatNoDatabaseStores) {
  Refuses("add_task", R"({"title":"a\u0000b"})", "title must be a string without null characters");
  Refuses("add_task", R"({"title":"\u0000"})", "title must be a string without null characters");
  Refuses("add_task", R"({"title":"a","description":"\u0000"})",
          "description must be a string without null characters");
  Refuses("search_tasks", R"({"keyword":"a\u0000"})",
          "keyword must be a string without null characters");
  EXPECT_EQ(Data("list_tasks", "{}").at("total"), 0);
}

TEST_P(TodoTest, TellsOfEachChangeAndOfNothingElse) {
  const std::string id =
      R"({"task_id":)" + base::ToJson(Data("add_task", R"({"title":"a"})", "ann").at("id")) + "}";
  EXPECT_EQ(told_, std::vector<std::string>({"ann"}));
  Data("list_tasks", "{}", "ann");
  Data("search_tasks", R"({"keyword":"a"})", "ann");
  Envelope("add_task", R"({"title":""})", "ann");
  Envelope("toggle_task_completion", id, "bob");
  Envelope("delete_task", id, "bob");
  EXPECT_EQ(told_.size(), 1u);
  Data("toggle_task_completion", id, "ann");
  Data("add_task", R"({"title":"b"})", "bob");
  Data("delete_task", id, "ann");
  EXPECT_EQ(told_, std::vector<std::string>({"ann", "ann", "bob", "ann"}));
  Envelope("delete_task", id, "ann");
  EXPECT_EQ(told_.size(), 4u);
}

TEST_P(TodoTest, TODO_failure_missing_user_id_ComesAfterTheParameters) {
  EXPECT_EQ(Message("add_task", "{}", ""), "title is required");
  EXPECT_EQ(Message("list_tasks", R"({"limit":1e30})", ""), "limit must be a positive integer");
  EXPECT_EQ(Message("add_task", R"({"title":"a","due_date":"2026-13-01"})", ""),
            "due_date must be in YYYY-MM-DD format");
  for (const std::string_view call :
       {R"(add_task{"title":"a"})", "list_tasks{}", R"(toggle_task_completion{"task_id":1})",
        R"(delete_task{"task_id":1})", R"(search_tasks{"keyword":"a"})", "get_my_user_info{}"}) {
    const std::size_t arguments = call.find('{');
    EXPECT_EQ(Message(call.substr(0, arguments), call.substr(arguments), ""),
              "user_id is required");
  }
}

TEST_P(TodoTest, TODO_validation_title_IsTrimmedAndLengthsCountCharacters) {
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "\u00E4";
  EXPECT_EQ(Data("add_task", R"({"title":")" + wide + R"("})").at("title"), Json(wide));
  EXPECT_EQ(Data("add_task", R"({"title":"  Milk \t"})").at("title"), "Milk");
  const JsonObject task = Data("add_task", R"({"title":"a","description":null})");
  EXPECT_TRUE(task.at("description").is_null());
  EXPECT_TRUE(task.at("due_date").is_null());
  EXPECT_EQ(task.at("completed"), false);
}

TEST_P(TodoTest, TODO_stateless_fresh_data_TasksLiveFromAddToDelete) {
  base::SetNowForTest(*base::FromIso8601("2026-07-28T12:00:00Z"));
  const JsonObject added =
      Data("add_task", R"({"title":"Milk","description":"two","due_date":"2028-02-29"})");
  EXPECT_EQ(added.at("created_at"), "2026-07-28T12:00:00.000Z");
  const std::string id = R"({"task_id":)" + base::ToJson(added.at("id")) + "}";
  EXPECT_EQ(Data("toggle_task_completion", id).at("completed"), true);
  EXPECT_EQ(Data("list_tasks", R"({"status":"completed"})").at("total"), 1);
  EXPECT_EQ(Data("list_tasks", R"({"status":"pending"})").at("total"), 0);
  EXPECT_EQ(Message("toggle_task_completion", id), "Task marked as pending");
  EXPECT_EQ(Data("search_tasks", R"({"keyword":"MILK"})").at("total"), 1);
  EXPECT_EQ(Data("delete_task", id).at("title"), "Milk");
  EXPECT_EQ(Data("list_tasks", "{}").at("total"), 0);
}

TEST_P(TodoTest, TODO_validation_limit_ListsSayHowManyThereAreAndWhetherThereIsMore) {
  for (int i = 0; i < 3; ++i) Data("add_task", R"({"title":"t"})");
  const JsonObject first = Data("list_tasks", R"({"limit":2})");
  EXPECT_EQ(first.at("tasks").as_array().size(), 2u);
  EXPECT_EQ(first.at("total"), 3);
  EXPECT_EQ(first.at("has_more"), true);
  const JsonObject last = Data("list_tasks", R"({"limit":2,"offset":2})");
  EXPECT_EQ(last.at("has_more"), false);
  EXPECT_EQ(Data("list_tasks", R"({"limit":999999,"offset":50})").at("has_more"), false);
}

// More than fits in an answer is for the next page, and the envelope is never cut.
TEST_P(TodoTest, TODO_validation_limit_TODO_message_consistent_format_PagesFitIntoAnAnswer) {
  constexpr int kTasks = 50;
  const std::string description(1000, '"');
  for (int i = 0; i < kTasks; ++i) {
    ASSERT_TRUE(store::Tasks(*store_).Add(
        "ann", {.title = base::StrCat("t", i), .description = description}, base::Now()));
  }
  for (const std::string_view call :
       {R"(list_tasks{"limit":100)", R"(search_tasks{"keyword":"t")"}) {
    const std::size_t arguments = call.find('{');
    std::set<std::int64_t> seen;
    bool more = true;
    for (int pages = 0; more; ++pages) {
      ASSERT_LT(pages, kTasks);
      const JsonObject result =
          Result(call.substr(0, arguments),
                 base::StrCat(call.substr(arguments), R"(,"offset":)", seen.size(), "}"));
      const JsonObject& envelope = result.at("structuredContent").as_object();
      EXPECT_EQ(envelope.size(), 3u);
      const JsonObject& page = envelope.at("data").as_object();
      const JsonArray& tasks = page.at("tasks").as_array();
      ASSERT_FALSE(tasks.empty());
      for (const Json& task : tasks) seen.insert(task.at("id").as_int64());
      more = page.at("has_more").as_bool();
      if (more) {
        EXPECT_EQ(page.at("limit"), static_cast<std::int64_t>(tasks.size()));
      }
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kTasks)) << call;
  }
}

TEST_P(TodoTest, TODO_authorization_ownership_verification_TasksOfOthersAnswerAsMissingOnes) {
  const std::string id = base::ToJson(Data("add_task", R"({"title":"mine"})", "ann").at("id"));
  for (const std::string_view tool : {"toggle_task_completion", "delete_task"}) {
    EXPECT_EQ(Message(tool, R"({"task_id":)" + id + "}", "bob"), "Task not found with id " + id);
  }
  EXPECT_EQ(Data("list_tasks", "{}", "bob").at("total"), 0);
  EXPECT_EQ(Data("search_tasks", R"({"keyword":"mine"})", "bob").at("total"), 0);
  EXPECT_EQ(Data("list_tasks", "{}", "ann").at("total"), 1);
}

TEST_P(TodoTest, TODO_authorization_user_id_source_UserInfoIsOfWhoeverAsks) {
  services_.users->Seen("ann", "Ann", "ann@example.com");
  services_.users->Seen("bob");
  const JsonObject ann = Data("get_my_user_info", "{}", "ann");
  EXPECT_EQ(ann.at("user_id"), "ann");
  EXPECT_EQ(ann.at("email"), "ann@example.com");
  EXPECT_TRUE(Data("get_my_user_info", "{}", "bob").at("name").is_null());
  EXPECT_EQ(Data("get_my_user_info", "{}", "local").at("name"), "Local user");
}

TEST_P(TodoTest, TODO_category_internal_error_TODO_mapping_db_connection_error_AndRecovery) {
  if (!IsPostgres()) GTEST_SKIP() << "a file does not go away";
  ASSERT_EQ(Message("add_task", R"({"title":"a"})"), "Task added");
  db::PostgresServer::Get().Stop();
  EXPECT_EQ(Message("add_task", R"({"title":"b"})"), "Failed to add task: service unavailable");
  EXPECT_EQ(Message("list_tasks", "{}"), "Failed to list task: service unavailable");
  EXPECT_EQ(Message("toggle_task_completion", R"({"task_id":1})"),
            "Failed to toggle task: service unavailable");
  EXPECT_EQ(Message("delete_task", R"({"task_id":1})"),
            "Failed to delete task: service unavailable");
  EXPECT_EQ(Message("search_tasks", R"({"keyword":"a"})"),
            "Failed to search task: service unavailable");
  EXPECT_EQ(Message("get_my_user_info", "{}"), "Failed to get user info: service unavailable");
  db::PostgresServer::Get().Start();
  EXPECT_EQ(Message("add_task", R"({"title":"c"})"), "Task added");
  EXPECT_EQ(Data("list_tasks", "{}").at("total"), 2);
}

// Doors that speak errors of their own get the reason and its code.
TEST_P(TodoTest, FailuresAreErrorsForDoorsWithoutEnvelopes) {
  const auto error = [&](std::string_view method, std::string_view params,
                         std::string_view user = "ann") {
    const Json told = Ask(method, params, user).at("error");
    return base::StrCat(base::ToJson(told.at("code")), " ",
                        std::string_view(told.at("message").as_string()));
  };
  EXPECT_EQ(error("delete_task", R"({"task_id":9})"),
            "-32603 Failed to execute tool delete_task: Task not found with id 9");
  EXPECT_EQ(error("list_tasks", "{}", ""),
            "-32603 Failed to execute tool list_tasks: user_id is required");
  EXPECT_EQ(error("add_task", R"({"title":" "})"), "-32602 title is required and cannot be empty");
  EXPECT_EQ(error("add_task", R"({"title":"a","due_date":"2026-02-30"})"),
            "-32602 due_date must be in YYYY-MM-DD format");
  EXPECT_EQ(error("list_tasks", R"({"limit":1e30})"), "-32602 limit must be a positive integer");
  EXPECT_EQ(base::ToJson(
                Ask("add_task", R"({"title":"a","due_date":"2026-02-30"})").at("error").at("data")),
            R"([{"path":"/due_date","rule":"format","expected":"must be in YYYY-MM-DD format"}])");
}

TEST_P(TodoTest, PRD_NFR_026_FailuresAreCountedByTheirCode) {
  Envelope("delete_task", R"({"task_id":9})");
  Envelope("delete_task", R"({"task_id":9})", "");
  Envelope("delete_task", "{}");
  std::vector<std::string_view> names;
  for (const auto& [tool, reading] : core_->registry.ReadCounters()) {
    for (const auto& failure : reading.failures) names.push_back(failure.ending.name());
  }
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("NOT_FOUND", "UNAUTHENTICATED", "INVALID_ARGUMENT"));
}

}  // namespace
}  // namespace toolpost::tools::todo
