// Rows to JSON.
#include "tools/todo/task_view.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace toolpost::tools::todo {
namespace {

// Of a task besides its texts.
constexpr std::size_t kOtherChars = 200;

// Characters the text takes in JSON, at most.
std::size_t MostChars(std::string_view text) {
  std::size_t chars = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // goes on with a character
    chars += byte < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : 1;
  }
  return chars;
}

std::size_t MostChars(const store::Task& task) {
  return kOtherChars + MostChars(task.title) +
         (task.description ? MostChars(*task.description) : 0);
}

}  // namespace

TaskView ViewOf(store::Task task) {
  return {.id = task.id,
          .title = std::move(task.title),
          .description = std::move(task.description),
          .due_date = std::move(task.due_date),
          .completed = task.completed,
          .created_at = base::ToIso8601(task.created_at),
          .updated_at = base::ToIso8601(task.updated_at)};
}

TaskListView ViewOf(store::TaskPage page, const store::TaskQuery& query, std::size_t most_chars) {
  TaskListView list{.total = page.total, .limit = query.limit, .offset = query.offset};
  list.tasks.reserve(page.tasks.size());
  for (store::Task& task : page.tasks) {
    const std::size_t chars = MostChars(task);
    if (chars > most_chars && !list.tasks.empty()) {
      list.limit = static_cast<std::int64_t>(list.tasks.size());
      break;
    }
    most_chars -= std::min(chars, most_chars);
    list.tasks.push_back(ViewOf(std::move(task)));
  }
  list.has_more = query.offset < page.total &&
                  page.total - query.offset > static_cast<std::int64_t>(list.tasks.size());
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
