// Writes CallToolResult members.
#include "mcp/tool_result.h"

#include <string_view>

#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/content_block.h"

namespace toolpost::mcp {
namespace {

// A thread that once wrote a huge result does not keep its buffer.
constexpr std::size_t kKeptScratch = std::size_t{256} * 1024;

bool HasText(const JsonArray& content) {
  for (const Json& block : content) {
    if (block.is_object() && StringMember(block.get_object(), "type") == "text") return true;
  }
  return false;
}

void AppendContent(std::string& out, const Output& output, std::string_view structured,
                   Revision revision) {
  out.append("\"content\":[");
  bool first = true;
  if (!output.structured.is_null() && !HasText(output.content)) {
    first = false;
    if (structured.size() > kMaxDuplicatedBytes && revision >= Revision::k2025_06_18) {
      AppendTextBlock(out, base::StrCat("The result, ", structured.size(),
                                        " bytes of JSON, is in structuredContent."));
    } else {
      AppendTextBlock(out, structured);
    }
  }
  for (const Json& block : output.content) {
    if (!first) out.push_back(',');
    first = false;
    AppendContentBlock(out, block, revision);
  }
  out.push_back(']');
}

}  // namespace

void AppendToolResult(std::string& out, const Output& output, Revision revision,
                      std::string_view extra_meta) {
  thread_local std::string structured;
  structured.clear();
  if (!output.structured.is_null()) base::AppendJson(structured, output.structured);

  AppendContent(out, output, structured, revision);
  if (!structured.empty() && revision >= Revision::k2025_06_18) {
    const bool wrap = revision <= kNewestLegacy && !output.structured.is_object();
    out.append(wrap ? R"(,"structuredContent":{"result":)" : R"(,"structuredContent":)")
        .append(structured);
    if (wrap) out.push_back('}');
  }
  if (output.is_error) out.append(R"(,"isError":true)");
  if (!output.meta.empty() || !extra_meta.empty()) {
    out.append(R"(,"_meta":)");
    base::AppendJson(out, output.meta);
    if (!extra_meta.empty()) {
      out.pop_back();
      if (!output.meta.empty()) out.push_back(',');
      out.append(extra_meta).push_back('}');
    }
  }
  if (structured.capacity() > kKeptScratch) std::string().swap(structured);
}

}  // namespace toolpost::mcp
