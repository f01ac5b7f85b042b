// todo/add_task.

#include "store/tasks.h"
#include "tools/todo/envelope.h"
#include "tools/todo/task_view.h"
#include "tools/todo/text.h"

namespace toolpost::tools::todo {
namespace {

struct Args {
  std::string title;
  std::optional<std::string> description;
  std::optional<std::string> due_date;
  static constexpr auto Fields() {
    return std::tuple{
        Req("title", &Args::title, "What to do.").MinLength(1).MaxLength(200),
        Opt("description", &Args::description, "Details.").MaxLength(1000),
        Opt("due_date", &Args::due_date, "YYYY-MM-DD.").Pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")};
  }
  std::optional<Error> Problem() const {
    if (Trimmed(title).empty())
      return InvalidArgument("title", "minLength", "is required and cannot be empty");
    if (auto problem = TextProblem("title", title)) return problem;
    if (auto problem = TextProblem("description", description.value_or(""))) return problem;
    if (due_date && !IsCalendarDate(*due_date))
      return InvalidArgument("due_date", "format", "must be in YYYY-MM-DD format");
    return std::nullopt;
  }
};

}  // namespace

Tool AddTaskTool(TodoServices services) {
  return MakeTodoTool<Args, TaskView>(
      {.name = "add_task", .title = "Add task", .description = "Creates a new todo task."},
      [services = std::move(services)](const Args& args,
                                       const CallContext& context) -> Result<Envelope<TaskView>> {
        const std::string& user = context.principal().user;
        auto task = store::Tasks(*services.store)
                        .Add(user,
                             {.title = std::string(Trimmed(args.title)),
                              .description = args.description,
                              .due_date = args.due_date},
                             base::Now());
        if (!task) return StoreFailure(context, task.error(), "add task");
        services.changed(user);
        return Envelope<TaskView>{.message = "Task added", .data = ViewOf(*std::move(task))};
      });
}

}  // namespace toolpost::tools::todo
