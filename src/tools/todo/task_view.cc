// Rows to JSON.
#include "tools/todo/task_view.h"

#include <utility>

#include "base/strings.h"

namespace toolpost::tools::todo {

TaskView ViewOf(store::Task task) {
  return {.id = task.id,
          .title = std::move(task.title),
          .description = std::move(task.description),
          .due_date = std::move(task.due_date),
          .completed = task.completed,
          .created_at = base::ToIso8601(task.created_at),
          .updated_at = base::ToIso8601(task.updated_at)};
}

TaskListView ViewOf(store::TaskPage page, const store::TaskQuery& query) {
  TaskListView list{.total = page.total, .limit = query.limit, .offset = query.offset};
  list.tasks.reserve(page.tasks.size());
  for (store::Task& task : page.tasks) list.tasks.push_back(ViewOf(std::move(task)));
  list.has_more = query.offset < page.total &&
                  page.total - query.offset > static_cast<std::int64_t>(page.tasks.size());
  return list;
}

std::string Summary(const TaskListView& list) {
  const std::string_view noun = list.total == 1 ? " task" : " tasks";
  if (list.total == static_cast<std::int64_t>(list.tasks.size()))
    return base::StrCat(list.total, noun, " found");
  if (list.tasks.empty()) return base::StrCat("None of ", list.total, noun, " at this offset");
  return base::StrCat(list.offset + 1, " to ",
                      list.offset + static_cast<std::int64_t>(list.tasks.size()), " of ",
                      list.total, noun);
}

}  // namespace toolpost::tools::todo
