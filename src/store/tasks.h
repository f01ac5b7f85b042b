// Todo tasks, each belonging to one user.
//
// Every statement names the user; on PostgreSQL the table's row-level security does so once more
// (Sql::QueryAs), so that a statement that forgot would still see nothing of others. One statement
// per call, nothing is cached.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "store/store.h"

namespace toolpost::store {

struct Task {
  std::int64_t id = 0;  // given by the store
  std::string title;
  std::optional<std::string> description;
  std::optional<std::string> due_date;  // YYYY-MM-DD
  bool completed = false;
  base::WallTime created_at{};
  base::WallTime updated_at{};

  bool operator==(const Task&) const = default;
};

struct TaskQuery {
  std::optional<bool> completed;          // absent: both
  std::optional<std::string> keyword;     // in title or description, whatever the case
  std::optional<std::string> due_before;  // YYYY-MM-DD, exclusive
  std::int64_t limit = 50;
  std::int64_t offset = 0;
  bool by_title = false;  // whatever its case; else by time of creation
  bool ascending = false;
};

struct TaskPage {
  std::vector<Task> tasks;
  std::int64_t total = 0;  // of all pages
};

// Thread-safe; borrows a connection for each call. `user` is never empty. Errors are those of
// Store::With.
class Tasks {
 public:
  explicit Tasks(Store& store) : store_(store) {}

  // The task with its id. `now` becomes both times.
  Result<Task> Add(std::string_view user, const Task& task, base::WallTime now);
  Result<TaskPage> List(std::string_view user, const TaskQuery& query);
  // The task as it is afterwards; nothing if the user has none with this id.
  Result<std::optional<Task>> Toggle(std::string_view user, std::int64_t id, base::WallTime now);
  // The task as it was.
  Result<std::optional<Task>> Delete(std::string_view user, std::int64_t id);

 private:
  Store& store_;
};

}  // namespace toolpost::store
