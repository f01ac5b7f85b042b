// todo://tasks, plan_my_day and review_overdue: the same tasks for clients with resources and
// prompts.
#include "base/clock.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "store/tasks.h"
#include "tools/todo/task_view.h"
#include "tools/todo/todo.h"

namespace toolpost::tools::todo {
namespace {

constexpr std::int64_t kMostInAPrompt = 200;
// What gives the same by another name.
constexpr std::string_view kTool = "todo/list_tasks";

std::string Today() { return base::ToIso8601(base::Now()).substr(0, 10); }

Result<TaskListView> PendingTasks(const TodoServices& services, const CallContext& context,
                                  std::optional<std::string> due_before) {
  const std::string& user = context.principal().user;
  if (user.empty()) return Error{Code::kUnauthenticated, "user_id is required", {}};
  const store::TaskQuery query{
      .completed = false, .due_before = std::move(due_before), .limit = kMostInAPrompt};
  ASSIGN_OR_RETURN(auto page, store::Tasks(*services.store).List(user, query));
  return ViewOf(std::move(page), query, services.page_chars);
}

// One line each. What a person wrote is quoted, so that it reads as data.
std::string Lines(const TaskListView& list) {
  std::string lines;
  for (const TaskView& task : list.tasks) {
    lines.append("- ");
    base::AppendPiece(lines, task.id);
    lines.append(": ");
    base::AppendJsonString(lines, task.title);
    if (task.due_date) lines.append(" due ").append(*task.due_date);
    if (task.description) {
      lines.append(" (");
      base::AppendJsonString(lines, *task.description);
      lines.append(")");
    }
    lines.push_back('\n');
  }
  if (list.has_more) lines.append("- and more: list_tasks shows them\n");
  return lines;
}

JsonArray Message(const std::string& text) {
  return {JsonObject{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}};
}

Result<JsonArray> PlanMyDay(const TodoServices& services, const CallContext& context) {
  ASSIGN_OR_RETURN(const TaskListView list, PendingTasks(services, context, {}));
  if (list.tasks.empty())
    return Message("I have no pending tasks. Ask me what I want to get done today.");
  return Message(base::StrCat(
      "Today is ", Today(),
      ". Plan my day from my pending tasks: what to do first and why, what can wait. Mark what I "
      "finish with toggle_task_completion.\n\n",
      Lines(list)));
}

Result<JsonArray> ReviewOverdue(const TodoServices& services, const CallContext& context) {
  ASSIGN_OR_RETURN(const TaskListView list, PendingTasks(services, context, Today()));
  if (list.tasks.empty()) return Message("None of my tasks is overdue. Say so in one sentence.");
  return Message(base::StrCat(
      "Today is ", Today(),
      ". These tasks of mine are overdue. Go through them with me: done (toggle_task_completion), "
      "no longer needed (delete_task, after asking me), or still to do.\n\n",
      Lines(list)));
}

}  // namespace

Result<void> AddResourceAndPrompts(const TodoHost& host, const TodoServices& services) {
  ResourceInfo tasks;
  tasks.uri = kTasksUri;
  tasks.name = "tasks";
  tasks.title = "My pending tasks";
  tasks.description = "Your pending tasks, newest first.";
  tasks.mime_type = "application/json";
  tasks.tool = kTool;
  RETURN_IF_ERROR(host.add_resource(
      tasks,
      [services](std::string_view, const UriVariables&,
                 CallContext& context) -> Result<ResourceContents> {
        ASSIGN_OR_RETURN(const TaskListView list, PendingTasks(services, context, {}));
        return ResourceContents{.mime_type = {}, .data = base::ToJson(Encode(list))};
      }));
  PromptInfo plan;
  plan.name = "plan_my_day";
  plan.title = "Plan my day";
  plan.description = "Turns your pending tasks into a plan for today.";
  plan.tool = kTool;
  RETURN_IF_ERROR(host.add_prompt(plan, [services](const auto&, CallContext& context) {
    return PlanMyDay(services, context);
  }));
  PromptInfo overdue;
  overdue.name = "review_overdue";
  overdue.title = "Review overdue tasks";
  overdue.description = "Goes through the tasks whose due date has passed.";
  overdue.tool = kTool;
  return host.add_prompt(overdue, [services](const auto&, CallContext& context) {
    return ReviewOverdue(services, context);
  });
}

}  // namespace toolpost::tools::todo
