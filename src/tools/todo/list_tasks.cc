// todo/list_tasks.
#include <algorithm>

#include "store/tasks.h"
#include "tools/todo/envelope.h"
#include "tools/todo/task_view.h"

namespace toolpost::tools::todo {
namespace {

struct Args {
  std::string status;
  std::int64_t limit = 0;
  std::int64_t offset = 0;
  std::string sort_by;
  std::string sort_order;
  static constexpr auto Fields() {
    return std::tuple{
        Opt("status", &Args::status, "Which tasks.")
            .OneOf({"all", "pending", "completed"})
            .Default("all"),
        Opt("limit", &Args::limit, "Most tasks.").Positive().Default(50),
        Opt("offset", &Args::offset, "Tasks to skip.").Min(0).Default(0),
        Opt("sort_by", &Args::sort_by, "Order.")
            .OneOf({"created_at", "title"})
            .Default("created_at"),
        Opt("sort_order", &Args::sort_order, "Direction.").OneOf({"asc", "desc"}).Default("desc")};
  }
};

store::TaskQuery QueryOf(const Args& args) {
  store::TaskQuery query{.limit = std::min(args.limit, kMostTasks),
                         .offset = args.offset,
                         .by_title = args.sort_by == "title",
                         .ascending = args.sort_order == "asc"};
  if (args.status != "all") query.completed = args.status == "completed";
  return query;
}

}  // namespace

Tool ListTasksTool(TodoServices services) {
  Tool tool = MakeTodoTool<Args, TaskListView>(
      {.name = "list_tasks",
       .title = "List tasks",
       .description = "Returns your tasks, newest first unless sorted otherwise.",
       .read_only = true,
       .idempotent = true},
      [services = std::move(services)](
          const Args& args, const CallContext& context) -> Result<Envelope<TaskListView>> {
        const store::TaskQuery query = QueryOf(args);
        auto page = store::Tasks(*services.store).List(context.principal().user, query);
        if (!page) return StoreFailure(context, page.error(), "list task");
        TaskListView list = ViewOf(*std::move(page), query, services.page_chars);
        std::string summary = Summary(list);
        return Envelope<TaskListView>{.message = std::move(summary), .data = std::move(list)};
      });
  tool.info.page_argument = "offset";
  return tool;
}

}  // namespace toolpost::tools::todo
