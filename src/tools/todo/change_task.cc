// todo/toggle_task_completion and todo/delete_task.
#include "base/strings.h"
#include "store/tasks.h"
#include "tools/todo/envelope.h"
#include "tools/todo/task_view.h"

namespace toolpost::tools::todo {
namespace {

struct Args {
  std::int64_t task_id = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("task_id", &Args::task_id, "Id of the task.").Positive()};
  }
};

}  // namespace

Tool ToggleTaskCompletionTool(TodoServices services) {
  return MakeTodoTool<Args, TaskView>(
      {.name = "toggle_task_completion",
       .title = "Toggle task completion",
       .description = "Marks a pending task as completed, or a completed one as pending."},
      [services = std::move(services)](const Args& args,
                                       const std::string& user) -> Reply<TaskView> {
        auto task = store::Tasks(*services.store).Toggle(user, args.task_id, base::Now());
        if (!task) return StoreFailure(task.error(), "toggle task");
        if (!*task) return NoTask(args.task_id);
        services.changed(user);
        return {(*task)->completed ? "Task marked as completed" : "Task marked as pending",
                ViewOf(**std::move(task))};
      });
}

Tool DeleteTaskTool(TodoServices services) {
  return MakeTodoTool<Args, TaskView>(
      {.name = "delete_task",
       .title = "Delete task",
       .description = "Permanently deletes a task.",
       .destructive = true,
       .idempotent = true},
      [services = std::move(services)](const Args& args,
                                       const std::string& user) -> Reply<TaskView> {
        auto task = store::Tasks(*services.store).Delete(user, args.task_id);
        if (!task) return StoreFailure(task.error(), "delete task");
        if (!*task) return NoTask(args.task_id);
        services.changed(user);
        return {"Task deleted", ViewOf(**std::move(task))};
      });
}

}  // namespace toolpost::tools::todo
