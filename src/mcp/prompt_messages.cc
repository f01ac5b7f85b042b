// Shaping of prompt messages for a revision.
#include "mcp/prompt_messages.h"

#include <string_view>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

std::string_view StringMember(const JsonObject& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

bool Lacks(Revision revision, std::string_view type) {
  return (type == "audio" && revision < Revision::k2025_03_26) ||
         (type == "resource_link" && revision < Revision::k2025_06_18);
}

// What a client that cannot take the block can still tell its model.
std::string AsText(const JsonObject& block, std::string_view type) {
  if (type == "audio") {
    return base::StrCat("[audio, ", StringMember(block, "mimeType"),
                        ": not available in this protocol revision]");
  }
  const std::string_view name = StringMember(block, "name");
  const std::string_view uri = StringMember(block, "uri");
  return name.empty() ? std::string(uri) : base::StrCat(name, ": ", uri);
}

}  // namespace

Result<void> AppendPromptMessages(std::string& out, const JsonArray& messages, Revision revision) {
  out.push_back('[');
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const JsonObject* message = messages[i].if_object();
    const Json* content = message != nullptr ? message->if_contains("content") : nullptr;
    const JsonObject* block = content != nullptr ? content->if_object() : nullptr;
    const std::string_view type = block != nullptr ? StringMember(*block, "type") : "";
    const std::string_view role = message != nullptr ? StringMember(*message, "role") : "";
    if (type.empty() || (role != "user" && role != "assistant")) {
      return Error::Internal(base::StrCat("message ", i, " lacks a role or a content block"));
    }
    if (i > 0) out.push_back(',');
    if (!Lacks(revision, type)) {
      base::AppendJson(out, *message);
      continue;
    }
    out.append("{\"role\":");
    base::AppendJsonString(out, role);
    out.append(",\"content\":{\"type\":\"text\",\"text\":");
    base::AppendJsonString(out, AsText(*block, type));
    out.append("}}");
  }
  out.push_back(']');
  return {};
}

}  // namespace toolpost::mcp
