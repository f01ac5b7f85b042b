// The list of todo tools.
#include "tools/todo/todo.h"

namespace toolpost::tools::todo {

std::vector<Tool> Tools(const TodoServices& services) {
  std::vector<Tool> tools;
  for (auto* make : {AddTaskTool, ListTasksTool, ToggleTaskCompletionTool, DeleteTaskTool,
                     SearchTasksTool, GetMyUserInfoTool})
    tools.push_back(make(services));
  return tools;
}

}  // namespace toolpost::tools::todo
