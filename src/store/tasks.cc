// The table toolpost_tasks.
#include "store/tasks.h"

#include <span>

#include "base/strings.h"
#include "store/columns.h"
#include "store/fold_case.h"

namespace toolpost::store {
namespace {

using db::Row;
using db::Sql;
using db::Value;

constexpr std::string_view kColumns =
    "id, title, description, due_date, completed, created_at, updated_at";

Value FromText(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

std::optional<std::string> TakeText(Value& value) {
  auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? std::optional(std::move(*text)) : std::nullopt;
}

// Takes the texts out of the columns kColumns.
Task ToTask(std::span<Value> row) {
  return {.id = db::IntegerOr(row[0], 0),
          .title = TakeText(row[1]).value_or(""),
          .description = TakeText(row[2]),
          .due_date = TakeText(row[3]),
          .completed = db::IntegerOr(row[4], 0) != 0,
          .created_at = ToTime(row[5]),
          .updated_at = ToTime(row[6])};
}

// Wildcards of LIKE are ordinary characters of a keyword.
std::string Pattern(std::string_view keyword) {
  std::string pattern = "%";
  for (const char c : FoldCase(keyword)) {
    if (c == '%' || c == '_' || c == '\\') pattern.push_back('\\');
    pattern.push_back(c);
  }
  return pattern.append("%");
}

std::string ConditionOf(const TaskQuery& query, std::vector<Value>& parameters) {
  std::string condition = "user_id = $1";
  const auto parameter = [&](Value value) {
    parameters.push_back(std::move(value));
    return base::StrCat("$", parameters.size());
  };
  if (query.completed)
    condition += base::StrCat(" AND completed = ", parameter(std::int64_t{*query.completed}));
  if (query.due_before) condition += base::StrCat(" AND due_date < ", parameter(*query.due_before));
  if (query.keyword) {
    const std::string pattern = parameter(Pattern(*query.keyword));
    condition += base::StrCat(" AND (folded_title LIKE ", pattern,
                              " ESCAPE '\\' OR folded_description LIKE ", pattern, " ESCAPE '\\')");
  }
  return condition;
}

// The page and, in the first column of each row, how many tasks there are in all; a page beyond the
// last is one row with nothing else.
std::string PageStatement(const TaskQuery& query, std::vector<Value>& parameters) {
  const std::string condition = ConditionOf(query, parameters);
  const std::string_view direction = query.ascending ? " ASC" : " DESC";
  const std::string_view key = query.by_title ? "folded_title" : "created_at";
  parameters.emplace_back(query.limit);
  parameters.emplace_back(query.offset);
  return base::StrCat(
      "SELECT matches.total, page.* FROM (SELECT count(*) AS total FROM toolpost_tasks WHERE ",
      condition, ") AS matches LEFT JOIN (SELECT ", kColumns,
      query.by_title ? ", folded_title" : "", " FROM toolpost_tasks WHERE ", condition,
      " ORDER BY ", key, direction, ", id", direction, " LIMIT $", parameters.size() - 1,
      " OFFSET $", parameters.size(), ") AS page ON 1 = 1 ORDER BY page.", key, direction,
      ", page.id", direction);
}

Result<std::vector<Row>> RunAs(Store& store, std::string_view user, std::string_view statement,
                               const std::vector<Value>& parameters) {
  std::vector<Row> rows;
  RETURN_IF_ERROR(store.With([&](Sql& sql) -> Result<void> {
    ASSIGN_OR_RETURN(rows, sql.QueryAs(user, statement, parameters));
    return {};
  }));
  return rows;
}

Result<std::optional<Task>> ChangeOne(Store& store, std::string_view user,
                                      std::string_view statement,
                                      const std::vector<Value>& parameters) {
  std::optional<Task> task;
  if (!store.Exists()) return task;
  ASSIGN_OR_RETURN(auto rows, RunAs(store, user, statement, parameters));
  if (!rows.empty()) task = ToTask(rows.front());
  return task;
}

}  // namespace

Result<Task> Tasks::Add(std::string_view user, const Task& task, base::WallTime now) {
  const std::optional<std::string> folded =
      task.description ? std::optional(FoldCase(*task.description)) : std::nullopt;
  ASSIGN_OR_RETURN(
      auto rows,
      RunAs(store_, user,
            base::StrCat("INSERT INTO toolpost_tasks (user_id, title, description, due_date, "
                         "completed, created_at, updated_at, folded_title, folded_description) "
                         "VALUES ($1, $2, $3, $4, 0, $5, $5, $6, $7) RETURNING ",
                         kColumns),
            {std::string(user), task.title, FromText(task.description), FromText(task.due_date),
             FromTime(now), FoldCase(task.title), FromText(folded)}));
  if (rows.empty()) return Error::Internal("The new task did not come back");
  return ToTask(rows.front());
}

Result<TaskPage> Tasks::List(std::string_view user, const TaskQuery& query) {
  TaskPage page;
  if (!store_.Exists()) return page;
  std::vector<Value> parameters = {std::string(user)};
  const std::string statement = PageStatement(query, parameters);
  ASSIGN_OR_RETURN(auto rows, RunAs(store_, user, statement, parameters));
  page.tasks.reserve(rows.size());
  for (Row& row : rows) {
    page.total = db::IntegerOr(row[0], 0);
    if (db::IsNull(row[1])) break;
    page.tasks.push_back(ToTask(std::span(row).subspan(1)));
  }
  return page;
}

Result<std::optional<Task>> Tasks::Toggle(std::string_view user, std::int64_t id,
                                          base::WallTime now) {
  return ChangeOne(store_, user,
                   base::StrCat("UPDATE toolpost_tasks SET completed = 1 - completed, updated_at = "
                                "$3 WHERE user_id = $1 AND id = $2 RETURNING ",
                                kColumns),
                   {std::string(user), id, FromTime(now)});
}

Result<std::optional<Task>> Tasks::Delete(std::string_view user, std::int64_t id) {
  return ChangeOne(
      store_, user,
      base::StrCat("DELETE FROM toolpost_tasks WHERE user_id = $1 AND id = $2 RETURNING ",
                   kColumns),
      {std::string(user), id});
}

}  // namespace toolpost::store
