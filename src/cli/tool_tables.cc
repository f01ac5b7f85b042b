// Renders tools/list entries as text and Markdown.
#include "cli/tool_tables.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::cli {
namespace {

constexpr std::size_t kBytesPerToken = 4;

const Json* Find(const Json& value, std::string_view key) {
  const JsonObject* object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(key);
}

std::string_view Text(const Json& value, std::string_view key) {
  const Json* member = Find(value, key);
  return member != nullptr && member->is_string() ? std::string_view(member->as_string())
                                                  : std::string_view();
}

std::string_view CategoryOf(const ListedTool& tool) {
  return std::string_view(tool.id).substr(0, tool.id.find('/'));
}

std::string Padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(out.size(), width), ' ');
  return out;
}

std::string RightAligned(std::size_t number, std::size_t width) {
  const std::string digits = base::StrCat(number);
  return std::string(width - std::min(width, digits.size()), ' ') + digits;
}

std::size_t IdWidth(std::span<const ListedTool> tools) {
  std::size_t width = 0;
  for (const ListedTool& tool : tools) width = std::max(width, tool.id.size());
  return width;
}

// A cell of a Markdown table: no pipe, no line break.
std::string Cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string TypeName(const Json& schema) {
  const Json* type = Find(schema, "type");
  std::string name = "any";
  if (type != nullptr && type->is_string()) name = std::string_view(type->as_string());
  if (type != nullptr && type->is_array()) {
    std::vector<std::string> names;
    for (const Json& item : type->as_array())
      names.push_back(item.is_string() ? std::string(item.as_string()) : base::ToJson(item));
    name = base::Join(names, " or ");
  }
  if (const Json* items = Find(schema, "items"); items != nullptr && name == "array")
    name += " of " + TypeName(*items);
  return name;
}

// What the description does not say: the closed set, the default, the bounds.
std::string Rules(const Json& schema) {
  std::string out;
  for (std::string_view key :
       {"enum", "default", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"}) {
    const Json* rule = Find(schema, key);
    if (rule != nullptr)
      out += base::StrCat(out.empty() ? "" : ", ", key, " `", base::ToJson(*rule), "`");
  }
  return out;
}

bool IsRequired(const Json& schema, std::string_view name) {
  const Json* required = Find(schema, "required");
  if (required == nullptr || !required->is_array()) return false;
  return std::any_of(required->as_array().begin(), required->as_array().end(),
                     [&](const Json& item) {
                       return item.is_string() && std::string_view(item.as_string()) == name;
                     });
}

void AppendProperties(std::string& out, std::string_view title, const Json* schema) {
  const Json* properties = schema == nullptr ? nullptr : Find(*schema, "properties");
  if (properties == nullptr || !properties->is_object() || properties->as_object().empty()) return;
  out += base::StrCat("\n| ", title, " | type | required | meaning |\n|---|---|---|---|\n");
  for (const auto& [name, property] : properties->as_object()) {
    const std::string rules = Rules(property);
    const std::string_view description = Text(property, "description");
    out += base::StrCat("| `", std::string_view(name), "` | ", Cell(TypeName(property)), " | ",
                        IsRequired(*schema, name) ? "yes" : "no", " | ", Cell(description),
                        description.empty() || rules.empty() ? "" : " ", Cell(rules), " |\n");
  }
}

void AppendAnnotations(std::string& out, const Json& tool) {
  static constexpr std::pair<std::string_view, std::string_view> kHints[] = {
      {"readOnlyHint", "read-only"},
      {"destructiveHint", "destructive"},
      {"idempotentHint", "idempotent"},
      {"openWorldHint", "open world"}};
  const Json* annotations = Find(tool, "annotations");
  std::vector<std::string> words;
  for (const auto& [key, word] : kHints) {
    const Json* hint = annotations == nullptr ? nullptr : Find(*annotations, key);
    if (hint != nullptr && hint->is_bool())
      words.push_back(base::StrCat(hint->as_bool() ? "" : "not ", word));
  }
  if (!words.empty()) out += base::StrCat("\nAnnotations: ", base::Join(words, ", "), ".\n");
}

}  // namespace

std::string ToolList(std::span<const ListedTool> tools) {
  const std::size_t width = IdWidth(tools);
  std::string out;
  for (const ListedTool& tool : tools) {
    out += base::StrCat(Padded(tool.id, width), "  ", Text(tool.entry, "description"), "\n");
  }
  return out;
}

std::string TokenTable(std::span<const ListedTool> tools) {
  static constexpr std::size_t kNumberWidth = 8;
  std::map<std::string, std::size_t, std::less<>> toolsets;
  std::size_t total = 0;
  const std::size_t width = std::max<std::size_t>(IdWidth(tools), 16);
  auto line = [&](std::string_view label, std::size_t bytes) {
    return base::StrCat(Padded(label, width), RightAligned(bytes, kNumberWidth),
                        RightAligned(bytes / kBytesPerToken, kNumberWidth), "\n");
  };
  std::string out = base::StrCat(Padded("tool", width), "   bytes  tokens\n");
  for (const ListedTool& tool : tools) {
    const std::size_t bytes = base::ToJson(tool.entry).size();
    out += line(tool.id, bytes);
    toolsets[tool.toolset] += bytes;
    total += bytes;
  }
  out += base::StrCat("\n", Padded("toolset", width), "   bytes  tokens\n");
  for (const auto& [toolset, bytes] : toolsets) out += line(toolset, bytes);
  return out + line("total", total);
}

std::string ToolsMarkdown(std::span<const ListedTool> tools) {
  std::string out = "# Tools\n\nGenerated by `toolpost tools --markdown`; do not edit.\n";
  std::string_view category;
  for (const ListedTool& tool : tools) {
    if (CategoryOf(tool) != category) {
      category = CategoryOf(tool);
      out += base::StrCat("\n## ", category, "\n");
    }
    out += base::StrCat("\n### ", tool.id, "\n\n", Text(tool.entry, "description"),
                        "\n\nName in MCP clients: `", Text(tool.entry, "name"), "`.\n");
    AppendAnnotations(out, tool.entry);
    AppendProperties(out, "argument", Find(tool.entry, "inputSchema"));
    AppendProperties(out, "result", Find(tool.entry, "outputSchema"));
  }
  return out;
}

}  // namespace toolpost::cli
