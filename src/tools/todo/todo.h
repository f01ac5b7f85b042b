// The task tools of the todo document: each works for the user of its caller and for nobody else.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"
#include "store/users.h"
#include "toolpost/server.h"
#include "toolpost/tool.h"

namespace toolpost::tools::todo {

struct TodoServices {
  std::shared_ptr<store::Store> store;
  std::shared_ptr<store::Users> users;
  std::size_t page_chars = 32'000;  // most characters of the tasks in one answer
  // Called after each change of a user's tasks, on the thread of the call.
  std::function<void(const std::string& user)> changed = [](const std::string&) {};
};
inline constexpr std::string_view kTasksUri = "todo://tasks";

Tool AddTaskTool(TodoServices services);
Tool ListTasksTool(TodoServices services);
Tool ToggleTaskCompletionTool(TodoServices services);
Tool DeleteTaskTool(TodoServices services);
Tool SearchTasksTool(TodoServices services);
Tool GetMyUserInfoTool(TodoServices services);

// All of them.
std::vector<Tool> Tools(const TodoServices& services);
// The part of a server that offers resources and prompts.
struct TodoHost {
  std::function<Result<void>(ResourceInfo, ResourceReader)> add_resource;
  std::function<Result<void>(PromptInfo, PromptHandler)> add_prompt;
};
// The resource kTasksUri and the prompts `plan_my_day` and `review_overdue`.
Result<void> AddResourceAndPrompts(const TodoHost& host, const TodoServices& services);

}  // namespace toolpost::tools::todo
