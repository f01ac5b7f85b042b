// Envelopes of failures, and the sentences of the validation table.
#include "tools/todo/envelope.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/error_table.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::tools::todo {
namespace {

// In the order of the document's table.
constexpr std::array<std::string_view, 11> kParameters = {
    "user_id", "task_id", "title",   "description", "due_date", "status",
    "limit",   "offset",  "sort_by", "sort_order",  "keyword"};

Output Failure(std::string_view category, int http_status, std::string_view message) {
  Output output =
      Output::Structured(JsonObject{{"status", "error"}, {"message", message}, {"data", nullptr}});
  output.is_error = true;
  output.meta = {{"code", category}, {"httpStatus", http_status}};
  return output;
}

std::string_view NameIn(std::string_view path) {
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  return path.substr(0, path.find('/'));
}

std::string_view TypeOf(std::string_view name) {
  if (name == "task_id" || name == "limit") return "a positive integer";
  if (name == "offset") return "a non-negative integer";
  if (name == "status") return R"(one of: "all", "pending", "completed")";
  if (name == "sort_by") return R"(one of: "created_at", "title")";
  if (name == "sort_order") return R"(one of: "asc", "desc")";
  return "a string";
}

std::string Sentence(const Violation& violation) {
  const std::string_view name = NameIn(violation.path);
  if (violation.rule == "additionalProperties" || violation.rule == "unevaluatedProperties") {
    if (name == "user_id") return "user_id must not be given: it is the one you signed in with";
    return base::StrCat(name, " is not a parameter of this tool");
  }
  if (violation.rule == "required") return base::StrCat(name, " is required");
  if (violation.rule == "minLength") {
    return name == "title" ? "title is required and cannot be empty"
                           : base::StrCat(name, " is required");
  }
  if (violation.rule == "maxLength") {
    return name == "title" ? "title exceeds maximum length of 200 characters"
                           : base::StrCat(name, " exceeds maximum of 1000");
  }
  if (name == "due_date") return "due_date must be in YYYY-MM-DD format";
  return base::StrCat(name, " must be ", TypeOf(name));
}

}  // namespace

ToolInfo InfoOf(const TodoInfo& todo) {
  ToolInfo info;
  info.name = base::StrCat("todo/", todo.name);
  info.wire = todo.name;
  info.title = todo.title;
  info.description = todo.description;
  info.hints = {.read_only = todo.read_only,
                .destructive = todo.destructive,
                .idempotent = todo.idempotent,
                .open_world = false};
  return info;
}

Output ValidationFailure(std::string_view message) {
  return Failure("VALIDATION_ERROR", 400, message);
}

Output NoTask(std::int64_t id) {
  return Failure("NOT_FOUND", 404, base::StrCat("Task not found with id ", id));
}

Output NoUser() { return Failure("UNAUTHORIZED", 401, "user_id is required"); }

Output StoreFailure(const Error& error, std::string_view what) {
  const bool away = error.code == Code::kUnavailable || error.code == Code::kTimeout;
  return Failure(
      "INTERNAL_ERROR", 500,
      base::StrCat("Failed to ", what, away ? ": service unavailable" : ": please try again"));
}

Output RenderFailure(const Error& error) {
  const base::ErrorForms& forms = base::FormsOf(error.code);
  // The document has one number for each category.
  const bool internal = forms.todo_category == "INTERNAL_ERROR";
  return Failure(forms.todo_category, internal ? 500 : forms.http_status, error.message);
}

Output RenderViolations(const std::vector<Violation>& violations) {
  const auto rank = [](const Violation& violation) {
    const auto row = std::ranges::find(kParameters, NameIn(violation.path));
    return std::pair(violation.rule != "required", row - kParameters.begin());
  };
  const auto first = std::ranges::min_element(violations, {}, rank);
  return ValidationFailure(Sentence(*first));
}

Output RenderMisfits(const JsonObject& arguments) {
  std::vector<Violation> misfits;
  for (const auto& argument : arguments) {
    if (argument.value().is_number() && !fields::ToInteger(argument.value()))
      misfits.push_back({base::StrCat("/", argument.key()), "type", ""});
  }
  return misfits.empty() ? ValidationFailure("The arguments are not valid")
                         : RenderViolations(misfits);
}

std::string TextProblem(std::string_view name, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return {};
  return base::StrCat(name, " must be a string without null characters");
}

}  // namespace toolpost::tools::todo
