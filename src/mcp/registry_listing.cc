// Serialises tools/list.
#include "mcp/registry_listing.h"

#include <algorithm>

#include "base/crypto.h"
#include "base/json_write.h"
#include "mcp/names.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kCursorPrefix = "tools:";
constexpr std::size_t kMaxCursor = 256;

void AppendMember(std::string& out, std::string_view key, std::string_view text) {
  out.append(",\"").append(key).append("\":");
  base::AppendJsonString(out, text);
}

template <typename Value>
void AppendJsonMember(std::string& out, std::string_view key, const Value& value) {
  out.append(",\"").append(key).append("\":");
  base::AppendJson(out, value);
}

JsonObject AnnotationsOf(const ToolInfo& info, Revision revision) {
  JsonObject annotations;
  // 2025-03-26 has no title beside the name; later ones do.
  if (revision == Revision::k2025_03_26 && !info.title.empty()) annotations["title"] = info.title;
  const auto add = [&](std::string_view key, const std::optional<bool>& hint) {
    if (hint) annotations[key] = *hint;
  };
  add("readOnlyHint", info.hints.read_only);
  add("destructiveHint", info.hints.destructive);
  add("idempotentHint", info.hints.idempotent);
  add("openWorldHint", info.hints.open_world);
  return annotations;
}

// Clients of the sessions era refuse output schemas that are not object schemas.
bool ListsOutputSchema(const Json& schema, Revision revision) {
  if (schema.is_null() || revision < Revision::k2025_06_18) return false;
  if (revision >= kModernRevision) return true;
  const Json* type = schema.is_object() ? schema.get_object().if_contains("type") : nullptr;
  return type != nullptr && *type == "object";
}

Error UnknownCursor() { return Error::InvalidParams("Unknown cursor: ask again without cursor"); }

Result<std::string> DecodeCursor(std::string_view cursor) {
  if (cursor.size() > kMaxCursor) return UnknownCursor();
  std::optional<std::string> text = base::FromBase64Url(cursor);
  if (!text || !text->starts_with(kCursorPrefix)) return UnknownCursor();
  text->erase(0, kCursorPrefix.size());
  if (!CheckCanonicalId(*text)) return UnknownCursor();
  return *std::move(text);
}

}  // namespace

void AppendListingEntry(std::string& out, const Tool& tool, bool canonical, Revision revision) {
  const ToolInfo& info = tool.info;
  out.append("{\"name\":");
  base::AppendJsonString(out, canonical ? info.name : info.wire);
  if (revision >= Revision::k2025_06_18 && !info.title.empty())
    AppendMember(out, "title", info.title);
  if (!info.description.empty()) AppendMember(out, "description", info.description);
  AppendJsonMember(out, "inputSchema", *tool.input_schema);
  if (ListsOutputSchema(*tool.output_schema, revision))
    AppendJsonMember(out, "outputSchema", *tool.output_schema);
  if (revision >= Revision::k2025_03_26) {
    const JsonObject annotations = AnnotationsOf(info, revision);
    if (!annotations.empty()) AppendJsonMember(out, "annotations", annotations);
  }
  if (revision >= Revision::k2025_11_25 && !info.icons.empty())
    AppendJsonMember(out, "icons", info.icons);
  if (revision == Revision::k2025_11_25 && info.task != TaskSupport::kForbidden) {
    out.append(R"(,"execution":{"taskSupport":")");
    out.append(info.task == TaskSupport::kRequired ? "required" : "optional").append("\"}");
  }
  if (revision >= Revision::k2025_06_18) {
    JsonObject meta{{"toolpost/id", info.name}};
    for (const auto& member : info.meta) meta.emplace(member.key(), member.value());
    AppendJsonMember(out, "_meta", meta);
  }
  out.push_back('}');
}

ToolListing::ToolListing(std::vector<const RegisteredTool*> tools, bool canonical,
                         Revision revision, std::size_t page_size)
    : tools_(std::move(tools)),
      canonical_(canonical),
      revision_(revision),
      page_size_(std::max<std::size_t>(page_size, 1)) {
  for (std::size_t begin = 0; begin == 0 || begin < tools_.size(); begin += page_size_) {
    pages_.emplace(begin, Write(begin));
  }
}

Result<std::shared_ptr<const std::string>> ToolListing::Page(std::string_view cursor) const {
  std::size_t begin = 0;
  if (!cursor.empty()) {
    ASSIGN_OR_RETURN(const std::string last, DecodeCursor(cursor));
    const auto next = std::ranges::upper_bound(
        tools_, last, std::less<>(),
        [](const RegisteredTool* tool) -> const std::string& { return tool->tool.info.name; });
    begin = static_cast<std::size_t>(next - tools_.begin());
  }
  const auto page = pages_.find(begin);
  return page != pages_.end() ? page->second : Write(begin);
}

std::shared_ptr<const std::string> ToolListing::Write(std::size_t begin) const {
  std::string out = "\"tools\":[";
  const std::size_t end = std::min(begin + page_size_, tools_.size());
  for (std::size_t i = begin; i < end; ++i) {
    if (i != begin) out.push_back(',');
    AppendListingEntry(out, tools_[i]->tool, canonical_, revision_);
  }
  out.push_back(']');
  if (end < tools_.size()) {
    AppendMember(out, "nextCursor",
                 base::ToBase64Url(std::string(kCursorPrefix) + tools_[end - 1]->tool.info.name));
  }
  out.append(",\"count\":");
  base::AppendJsonUint(out, tools_.size());
  out.shrink_to_fit();
  return std::make_shared<const std::string>(std::move(out));
}

}  // namespace toolpost::mcp
