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
                                       const CallContext& context) -> Result<Envelope<TaskView>> {
        const std::string& user = context.principal().user;
        auto task = store::Tasks(*services.store).Toggle(user, args.task_id, base::Now());
        if (!task) return StoreFailure(context, task.error(), "toggle task");
        if (!*task) return NoTask(args.task_id);
        services.changed(user);
        return Envelope<TaskView>{
            .message = (*task)->completed ? "Task marked as completed" : "Task marked as pending",
            .data = ViewOf(**std::move(task))};
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
                                       const CallContext& context) -> Result<Envelope<TaskView>> {
        const std::string& user = context.principal().user;
        auto task = store::Tasks(*services.store).Delete(user, args.task_id);
        if (!task) return StoreFailure(context, task.error(), "delete task");
        if (!*task) return NoTask(args.task_id);
        services.changed(user);
        return Envelope<TaskView>{.message = "Task deleted", .data = ViewOf(**std::move(task))};
      });
}

}  // namespace toolpost::tools::todo
