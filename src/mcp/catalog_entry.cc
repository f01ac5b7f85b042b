// Checks and serialisation of list entries.
#include "mcp/catalog_entry.h"

#include <algorithm>

#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/result_store.h"
#include "mcp/uri_template.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMaxEchoed = 200;
constexpr std::array<Revision, 3> kShapes = {Revision::k2024_11_05, Revision::k2025_06_18,
                                             Revision::k2025_11_25};

// Appends `,"name":"text"` unless the text is empty.
void AppendMember(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  out.append(",\"").append(name).append("\":");
  base::AppendJsonString(out, text);
}

void AppendIcons(std::string& out, const JsonArray& icons, Revision shape) {
  if (icons.empty() || shape < Revision::k2025_11_25) return;
  out.append(",\"icons\":");
  base::AppendJson(out, icons);
}

std::string_view TitleFor(std::string_view title, Revision shape) {
  return shape >= Revision::k2025_06_18 ? title : std::string_view();
}

std::string ResourceText(const ResourceInfo& info, std::string_view uri_member, Revision shape) {
  std::string out = "{\"";
  out.append(uri_member).append("\":");
  base::AppendJsonString(out, info.uri);
  AppendMember(out, "name", info.name);
  AppendMember(out, "title", TitleFor(info.title, shape));
  AppendMember(out, "description", info.description);
  AppendMember(out, "mimeType", info.mime_type);
  if (!info.annotations.empty()) {
    out.append(",\"annotations\":");
    base::AppendJson(out, info.annotations);
  }
  AppendIcons(out, info.icons, shape);
  out.push_back('}');
  return out;
}

void AppendArguments(std::string& out, const PromptInfo& info) {
  if (info.arguments.empty()) return;
  out.append(",\"arguments\":[");
  for (const PromptArgument& argument : info.arguments) {
    if (out.back() != '[') out.push_back(',');
    out.append("{\"name\":");
    base::AppendJsonString(out, argument.name);
    AppendMember(out, "description", argument.description);
    out.append(argument.required ? ",\"required\":true}" : ",\"required\":false}");
  }
  out.push_back(']');
}

std::string PromptText(const PromptInfo& info, Revision shape) {
  std::string out = "{\"name\":";
  base::AppendJsonString(out, info.name);
  AppendMember(out, "title", TitleFor(info.title, shape));
  AppendMember(out, "description", info.description);
  AppendArguments(out, info);
  AppendIcons(out, info.icons, shape);
  out.push_back('}');
  return out;
}

Result<void> CheckUri(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  const std::string_view scheme = uri.substr(0, colon);
  const auto in_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '.' || c == '-';
  };
  const auto unprintable = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; };
  if (colon == std::string_view::npos || scheme.empty() ||
      !std::all_of(scheme.begin(), scheme.end(), in_scheme) ||
      std::any_of(uri.begin(), uri.end(), unprintable) || uri.size() > UriTemplate::kMaxUri) {
    return Error::InvalidParams(base::StrCat("Bad resource URI: ", Echo(uri),
                                             "; it needs a scheme (as in file:///a) and no "
                                             "white space, at most ",
                                             UriTemplate::kMaxUri, " bytes"));
  }
  if (uri.starts_with(ResultStore::kUriPrefix)) {
    return Error::InvalidParams(base::StrCat(ResultStore::kUriPrefix, " is reserved"));
  }
  return {};
}

}  // namespace

std::string_view Echo(std::string_view text) {
  if (text.size() <= kMaxEchoed) return text;
  std::size_t end = kMaxEchoed;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

Result<void> CheckResource(const ResourceInfo& info, bool has_reader) {
  RETURN_IF_ERROR(CheckUri(info.uri));
  if (info.name.empty()) {
    return Error::InvalidParams(base::StrCat("The resource ", Echo(info.uri), " needs a name"));
  }
  if (!has_reader) {
    return Error::InvalidParams(base::StrCat("The resource ", Echo(info.uri), " needs a reader"));
  }
  return {};
}

Result<void> CheckPrompt(const PromptInfo& info, const PromptHandler& handler) {
  if (info.name.empty()) return Error::InvalidParams("A prompt needs a name");
  if (!handler) {
    return Error::InvalidParams(base::StrCat("The prompt ", Echo(info.name), " needs a handler"));
  }
  for (auto it = info.arguments.begin(); it != info.arguments.end(); ++it) {
    const auto same = [&](const PromptArgument& other) { return other.name == it->name; };
    if (it->name.empty() || std::any_of(info.arguments.begin(), it, same)) {
      return Error::InvalidParams(base::StrCat("The arguments of the prompt ", Echo(info.name),
                                               " need different, non-empty names"));
    }
  }
  return {};
}

const std::string& EntryTexts::For(Revision revision) const {
  std::size_t shape = kShapes.size() - 1;
  while (kShapes[shape] > revision) --shape;
  return texts_[shape];
}

EntryTexts EntryTexts::OfResource(const ResourceInfo& info, std::string_view uri_member) {
  EntryTexts entry;
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    entry.texts_[i] = ResourceText(info, uri_member, kShapes[i]);
  }
  return entry;
}

EntryTexts EntryTexts::OfPrompt(const PromptInfo& info) {
  EntryTexts entry;
  for (std::size_t i = 0; i < kShapes.size(); ++i) entry.texts_[i] = PromptText(info, kShapes[i]);
  return entry;
}

}  // namespace toolpost::mcp
