// Output, and the named constructors of InputRequest.
#include "base/json_parse.h"
#include "base/json_write.h"
#include "toolpost/context.h"
#include "toolpost/tool.h"

namespace toolpost {

Output Output::Text(std::string_view text) {
  Output output;
  output.content.push_back(JsonObject{{"type", "text"}, {"text", text}});
  return output;
}

Output Output::Structured(Json value) {
  Output output;
  output.structured = std::move(value);
  return output;
}

Json Output::StructuredValue() const {
  if (structured_text.empty()) return structured;
  Result<Json> parsed = base::ParseJson(structured_text);
  return parsed ? *std::move(parsed) : Json();
}

void Output::AppendStructured(std::string& out) const {
  if (structured_text.empty()) return base::AppendJson(out, structured);
  out.append(structured_text);
}

InputRequest InputRequest::Elicit(std::string key, std::string_view message,
                                  JsonObject requested_schema) {
  return {std::move(key), "elicitation/create",
          JsonObject{{"message", message}, {"requestedSchema", std::move(requested_schema)}}};
}

InputRequest InputRequest::ElicitUrl(std::string key, std::string_view message,
                                     std::string_view url, std::string_view visit) {
  return {std::move(key), "elicitation/create",
          JsonObject{{"mode", "url"}, {"message", message}, {"url", url}}, std::string(visit)};
}

InputRequest InputRequest::Sample(std::string key, JsonObject params) {
  return {std::move(key), "sampling/createMessage", std::move(params)};
}

InputRequest InputRequest::Roots(std::string key) { return {std::move(key), "roots/list", {}}; }

}  // namespace toolpost
