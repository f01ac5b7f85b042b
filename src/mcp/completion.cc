// Completion requests and results.
#include "mcp/completion.h"

#include <algorithm>
#include <cstdint>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

Error Missing(std::string_view what, std::string_view kind) {
  return Error::InvalidParams(base::StrCat("completion/complete needs ", what, ", ", kind));
}

Result<const JsonObject*> ObjectMember(const JsonObject& params, std::string_view name,
                                       std::string_view kind) {
  const Json* value = params.if_contains(name);
  if (value == nullptr || !value->is_object()) return Missing(name, kind);
  return &value->get_object();
}

Result<std::string_view> StringMember(const JsonObject& object, std::string_view name,
                                      std::string_view path) {
  const Json* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return Missing(path, "a string");
  return std::string_view(value->get_string());
}

Result<void> ReadKnown(const JsonObject& params, CompletionRequest& request) {
  const Json* context = params.if_contains("context");
  if (context == nullptr) return {};
  if (!context->is_object()) return Error::InvalidParams("context must be an object");
  const Json* arguments = context->get_object().if_contains("arguments");
  if (arguments == nullptr) return {};
  if (!arguments->is_object()) {
    return Error::InvalidParams("context.arguments must be an object of strings");
  }
  for (const auto& [name, value] : arguments->get_object()) {
    if (!value.is_string()) {
      return Error::InvalidParams(
          base::StrCat("context.arguments.", std::string_view(name), " must be a string"));
    }
    request.known.emplace(std::string_view(name), std::string_view(value.get_string()));
  }
  return {};
}

}  // namespace

Result<CompletionRequest> ReadCompletionRequest(const JsonObject& params) {
  CompletionRequest request;
  ASSIGN_OR_RETURN(const JsonObject* ref,
                   ObjectMember(params, "ref",
                                "an object: {\"type\":\"ref/prompt\",\"name\":…} or "
                                "{\"type\":\"ref/resource\",\"uri\":…}"));
  ASSIGN_OR_RETURN(const std::string_view type, StringMember(*ref, "type", "ref.type"));
  if (type != "ref/prompt" && type != "ref/resource") {
    return Error::InvalidParams("ref.type must be ref/prompt or ref/resource");
  }
  request.prompt = type == "ref/prompt";
  ASSIGN_OR_RETURN(request.ref, request.prompt ? StringMember(*ref, "name", "ref.name")
                                               : StringMember(*ref, "uri", "ref.uri"));
  ASSIGN_OR_RETURN(const JsonObject* argument,
                   ObjectMember(params, "argument", "an object: {\"name\":…,\"value\":…}"));
  ASSIGN_OR_RETURN(request.argument, StringMember(*argument, "name", "argument.name"));
  ASSIGN_OR_RETURN(request.value, StringMember(*argument, "value", "argument.value"));
  RETURN_IF_ERROR(ReadKnown(params, request));
  return request;
}

void AppendCompletion(std::string& out, const Completion& completion) {
  const std::size_t sent = std::min(completion.values.size(), kMaxCompletions);
  const auto found = static_cast<std::int64_t>(completion.values.size());
  const std::int64_t total = std::max(completion.total.value_or(found), found);
  out.append("\"completion\":{\"values\":[");
  for (std::size_t i = 0; i < sent; ++i) {
    if (i > 0) out.push_back(',');
    base::AppendJsonString(out, completion.values[i]);
  }
  out.append("],\"total\":");
  base::AppendJsonInt(out, total);
  out.append(",\"hasMore\":").append(total > static_cast<std::int64_t>(sent) ? "true}" : "false}");
}

}  // namespace toolpost::mcp
