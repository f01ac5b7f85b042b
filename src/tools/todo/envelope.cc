// Envelopes of failures, and the sentences of the validation table.
#include "tools/todo/envelope.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error_table.h"
#include "base/log.h"
#include "base/strings.h"

namespace toolpost::tools::todo {
namespace {

// In the order of the document's table.
constexpr std::array<std::string_view, 11> kParameters = {
    "user_id", "task_id", "title",   "description", "due_date", "status",
    "limit",   "offset",  "sort_by", "sort_order",  "keyword"};

Output Failure(Code code, std::string_view message) {
  const base::ErrorForms& forms = base::FormsOf(code);
  // The document has one number for each category.
  const bool internal = forms.todo_category == "INTERNAL_ERROR";
  Output output =
      Output::Structured(JsonObject{{"status", "error"}, {"message", message}, {"data", nullptr}});
  output.is_error = true;
  output.meta = {{"code", forms.todo_category}, {"httpStatus", internal ? 500 : forms.http_status}};
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

// Of several, the one the document's table has first.
std::size_t RowOf(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kParameters, name) - kParameters.begin());
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

Error InvalidArgument(std::string_view name, std::string_view rule, std::string_view expected) {
  return Error::InvalidParams(
      base::StrCat(name, " ", expected),
      JsonArray{
          JsonObject{{"path", base::StrCat("/", name)}, {"rule", rule}, {"expected", expected}}});
}

Error Misfit(const JsonObject& arguments) {
  std::string_view first;
  for (const auto& argument : arguments) {
    const bool fits = !argument.value().is_number() || fields::ToInteger(argument.value());
    if (!fits && (first.empty() || RowOf(argument.key()) < RowOf(first))) first = argument.key();
  }
  if (first.empty()) return Error::InvalidParams("The arguments are not valid");
  return InvalidArgument(first, "type", base::StrCat("must be ", TypeOf(first)));
}

Error NoTask(std::int64_t id) {
  return Error::NotFound(base::StrCat("Task not found with id ", id));
}

Error NoUser() { return {Code::kUnauthenticated, "user_id is required", {}}; }

Error StoreFailure(const CallContext& context, const Error& reason, std::string_view what) {
  base::Log(base::Severity::kWarning, "todo store failed",
            {{"request_id", context.request_id()}, {"action", what}, {"detail", reason.message}});
  if (reason.code == Code::kUnavailable || reason.code == Code::kTimeout)
    return Error::Unavailable(base::StrCat("Failed to ", what, ": service unavailable"));
  return Error::Internal(base::StrCat("Failed to ", what, ": please try again"));
}

Output RenderFailure(const Error& error) { return Failure(error.code, error.message); }

Output RenderViolations(const std::vector<Violation>& violations) {
  const auto rank = [](const Violation& violation) {
    return std::pair(violation.rule != "required", RowOf(NameIn(violation.path)));
  };
  const auto first = std::ranges::min_element(violations, {}, rank);
  return Failure(Code::kInvalidArgument, Sentence(*first));
}

std::optional<Error> TextProblem(std::string_view name, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return std::nullopt;
  return InvalidArgument(name, "pattern", "must be a string without null characters");
}

}  // namespace toolpost::tools::todo
