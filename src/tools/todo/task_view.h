// Tasks as the tools show them.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "store/tasks.h"
#include "toolpost/schema.h"

namespace toolpost::tools::todo {

struct TaskView {
  std::int64_t id = 0;
  std::string title;
  std::optional<std::string> description;
  std::optional<std::string> due_date;
  bool completed = false;
  std::string created_at;
  std::string updated_at;
  static constexpr auto Fields() {
    return std::tuple{Req("id", &TaskView::id),
                      Req("title", &TaskView::title),
                      Req("description", &TaskView::description),
                      Req("due_date", &TaskView::due_date),
                      Req("completed", &TaskView::completed),
                      Req("created_at", &TaskView::created_at),
                      Req("updated_at", &TaskView::updated_at)};
  }
};

struct TaskListView {
  std::vector<TaskView> tasks;
  std::int64_t total = 0;
  std::int64_t limit = 0;
  std::int64_t offset = 0;
  bool has_more = false;
  static constexpr auto Fields() {
    return std::tuple{Req("tasks", &TaskListView::tasks), Req("total", &TaskListView::total),
                      Req("limit", &TaskListView::limit), Req("offset", &TaskListView::offset),
                      Req("has_more", &TaskListView::has_more)};
  }
};

// More tasks than this are several pages, whatever limit was asked for.
inline constexpr std::int64_t kMostTasks = 1000;

TaskView ViewOf(store::Task task);
// The first tasks of the page that together take at most `most_chars` as JSON, but at least one:
// the rest is for the next page, and `limit` says how many these are.
TaskListView ViewOf(store::TaskPage page, const store::TaskQuery& query, std::size_t most_chars);
// "3 tasks found", "1 to 50 of 120 tasks".
std::string Summary(const TaskListView& list);

}  // namespace toolpost::tools::todo
