// todo/search_tasks.
#include <algorithm>

#include "store/tasks.h"
#include "tools/todo/envelope.h"
#include "tools/todo/task_view.h"

namespace toolpost::tools::todo {
namespace {

struct Args {
  std::string keyword;
  std::int64_t limit = 0;
  std::int64_t offset = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("keyword", &Args::keyword, "Text to find.").MinLength(1).MaxLength(1000),
                      Opt("limit", &Args::limit, "Most tasks.").Positive().Default(50),
                      Opt("offset", &Args::offset, "Tasks to skip.").Min(0).Default(0)};
  }
  std::optional<Error> Problem() const { return TextProblem("keyword", keyword); }
};

}  // namespace

Tool SearchTasksTool(TodoServices services) {
  Tool tool = MakeTodoTool<Args, TaskListView>(
      {.name = "search_tasks",
       .title = "Search tasks",
       .description = "Finds your tasks with a keyword in title or description, newest first.",
       .read_only = true,
       .idempotent = true},
      [services = std::move(services)](
          const Args& args, const CallContext& context) -> Result<Envelope<TaskListView>> {
        const store::TaskQuery query{.keyword = args.keyword,
                                     .limit = std::min(args.limit, kMostTasks),
                                     .offset = args.offset};
        auto page = store::Tasks(*services.store).List(context.principal().user, query);
        if (!page) return StoreFailure(context, page.error(), "search task");
        TaskListView list = ViewOf(*std::move(page), query, services.page_chars);
        std::string summary = Summary(list);
        return Envelope<TaskListView>{.message = std::move(summary), .data = std::move(list)};
      });
  tool.info.page_argument = "offset";
  return tool;
}

}  // namespace toolpost::tools::todo
