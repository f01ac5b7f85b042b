// Shaping of prompt messages for a revision.
#include "mcp/prompt_messages.h"

#include <string_view>

#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/content_block.h"

namespace toolpost::mcp {
namespace {

bool IsMessage(const Json& value) {
  const JsonObject* message = value.if_object();
  const Json* content = message != nullptr ? message->if_contains("content") : nullptr;
  const JsonObject* block = content != nullptr ? content->if_object() : nullptr;
  if (block == nullptr || StringMember(*block, "type").empty()) return false;
  const std::string_view role = StringMember(*message, "role");
  return role == "user" || role == "assistant";
}

void AppendMessage(std::string& out, const JsonObject& message, Revision revision) {
  char before = '{';
  for (const auto& [name, value] : message) {
    out.push_back(before);
    before = ',';
    base::AppendJsonString(out, name);
    out.push_back(':');
    if (name == "content") {
      AppendContentBlock(out, value, revision);
    } else {
      base::AppendJson(out, value);
    }
  }
  out.push_back('}');
}

}  // namespace

Result<void> AppendPromptMessages(std::string& out, const JsonArray& messages, Revision revision) {
  out.push_back('[');
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!IsMessage(messages[i])) {
      return Error::Internal(base::StrCat("message ", i, " lacks a role or a content block"));
    }
    if (i > 0) out.push_back(',');
    AppendMessage(out, messages[i].get_object(), revision);
  }
  out.push_back(']');
  return {};
}

}  // namespace toolpost::mcp
