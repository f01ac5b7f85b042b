// Writes CallToolResult members.
#include "mcp/tool_result.h"

#include <string_view>

#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/content_block.h"

namespace toolpost::mcp {
namespace {

// A thread that once wrote huge content does not keep its buffer.
constexpr std::size_t kKeptScratch = std::size_t{256} * 1024;
// Room for the same as text, with its escapes, and what is around both.
constexpr std::size_t kTimesItsText = 3;
constexpr std::size_t kAroundBoth = 256;

bool HasText(const JsonArray& content) {
  for (const Json& block : content) {
    if (block.is_object() && StringMember(block.get_object(), "type") == "text") return true;
  }
  return false;
}

// `"content":[…]`. `structured` is the structured value as JSON.
void AppendContent(std::string& out, const Output& output, std::string_view structured,
                   bool elsewhere, Revision revision) {
  out.append("\"content\":[");
  bool first = true;
  if (!structured.empty() && !HasText(output.content)) {
    first = false;
    if (elsewhere) {
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

// `"content":[…],"structuredContent":…`. The value is written in its place, because it may be
// large; the content, which needs its text or its length, is put before it, or after a large one.
void AppendBoth(std::string& out, const Output& output, Revision revision) {
  const std::size_t start = out.size();
  const bool is_object = output.structured.is_object() || output.structured_text.starts_with('{');
  const bool wrap = revision <= kNewestLegacy && !is_object;
  if (output.structured_text.size() <= kMaxDuplicatedBytes)
    out.reserve(start + kTimesItsText * output.structured_text.size() + kAroundBoth);
  out.append(wrap ? R"("structuredContent":{"result":)" : R"("structuredContent":)");
  const std::size_t value = out.size();
  output.AppendStructured(out);
  const std::size_t length = out.size() - value;
  if (wrap) out.push_back('}');
  const bool large = length > kMaxDuplicatedBytes;
  thread_local std::string content;
  content.clear();
  AppendContent(content, output, std::string_view(out).substr(value, length), large, revision);
  if (large) {
    out.append(",").append(content);
  } else {
    out.insert(start, content.append(","));
  }
  if (content.capacity() > kKeptScratch) std::string().swap(content);
}

}  // namespace

void AppendToolResult(std::string& out, const Output& output, Revision revision,
                      std::string_view extra_meta) {
  if (!output.has_structured()) {
    AppendContent(out, output, {}, false, revision);
  } else if (revision >= Revision::k2025_06_18) {
    AppendBoth(out, output, revision);
  } else {
    std::string structured;
    output.AppendStructured(structured);
    AppendContent(out, output, structured, false, revision);
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
}

}  // namespace toolpost::mcp
