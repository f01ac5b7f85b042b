// Content blocks, and the text that stands in for those a revision lacks.
#include "mcp/content_block.h"

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

std::string LinkText(const JsonObject& link) {
  std::string text(StringMember(link, "name"));
  if (!text.empty()) text.append(": ");
  text.append(StringMember(link, "uri"));
  const std::string_view description = StringMember(link, "description");
  if (!description.empty()) text.append(base::StrCat(" (", description, ")"));
  return text;
}

}  // namespace

std::string_view StringMember(const JsonObject& block, std::string_view name) {
  const Json* value = block.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

void AppendTextBlock(std::string& out, std::string_view text) {
  out.append(R"({"type":"text","text":)");
  base::AppendJsonString(out, text);
  out.push_back('}');
}

void AppendContentBlock(std::string& out, const Json& block, Revision revision) {
  if (const JsonObject* object = block.if_object(); object && revision < Revision::k2025_06_18) {
    const std::string_view type = StringMember(*object, "type");
    if (type == "audio" && revision < Revision::k2025_03_26) {
      return AppendTextBlock(out, base::StrCat("[Audio of type ", StringMember(*object, "mimeType"),
                                               ": not available in this protocol revision]"));
    }
    if (type == "resource_link") return AppendTextBlock(out, LinkText(*object));
  }
  base::AppendJson(out, block);
}

}  // namespace toolpost::mcp
