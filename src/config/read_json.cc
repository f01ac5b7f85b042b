// JSON to file entries.
#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/json_parse.h"
#include "base/strings.h"
#include "config/file.h"
#include "config/named.h"

namespace toolpost::config {
namespace {

std::size_t LineAt(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

// Lines of the names in the two outer levels of a text known to be valid JSON, as "section" and
// "section.key". Names spelled with escapes are not found; their entries have no line.
std::map<std::string, std::size_t> LinesOfNames(std::string_view text) {
  std::map<std::string, std::size_t> lines;
  std::string section;
  std::size_t depth = 0;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t start = i + 1;
    for (i = start; text[i] != '"'; ++i) {
      if (text[i] == '\\') ++i;
    }
    const std::size_t after = text.find_first_not_of(" \t\r\n", i + 1);
    if (after == std::string_view::npos || text[after] != ':' || depth > 2) continue;
    const std::string_view name = text.substr(start, i - start);
    if (depth == 1) section = name;
    lines.emplace(depth == 1 ? section : base::StrCat(section, ".", name), line);
  }
  return lines;
}

Value ToValue(const Json& json) {
  if (json.is_string()) return std::string(json.get_string());
  if (json.is_int64()) return json.get_int64();
  if (json.is_bool()) return json.get_bool();
  if (json.is_array()) {
    std::vector<std::string> list;
    for (const Json& element : json.get_array()) {
      if (!element.is_string()) return Other{"a list of something else"};
      list.emplace_back(element.get_string());
    }
    return list;
  }
  if (json.is_object()) return Other{"an object"};
  if (json.is_null()) return Other{"null"};
  return Other{"a number with a fraction or out of range", json.to_number<double>()};
}

// Members of named tables, at the line of the name.
void AddNested(const std::string& prefix, const JsonObject& object, std::size_t line,
               std::vector<FileEntry>& entries) {
  for (const auto& [key, value] : object) {
    std::string name = base::StrCat(prefix, ".", std::string_view(key));
    if (value.is_object() && !value.get_object().empty()) {
      AddNested(name, value.get_object(), line, entries);
    } else {
      entries.push_back({std::move(name), ToValue(value), line});
    }
  }
}

}  // namespace

std::string LocatedJsonError(std::string_view text, std::string_view message) {
  constexpr std::string_view kMark = " at byte ";
  const std::size_t mark = message.find(kMark);
  if (mark == std::string_view::npos) return base::StrCat("1: ", message);
  const char* digits = message.data() + mark + kMark.size();
  std::size_t offset = 0;
  const auto [end, error] = std::from_chars(digits, message.data() + message.size(), offset);
  if (error != std::errc()) offset = 0;
  const std::string_view rest = message.substr(static_cast<std::size_t>(end - message.data()));
  return base::StrCat(LineAt(text, offset), rest.starts_with(": ") ? ": not valid JSON" : ": ",
                      rest);
}

Result<std::vector<FileEntry>> ReadJson(std::string_view text, std::string_view name) {
  const auto parsed = base::ParseJson(text);
  if (!parsed) {
    return Error::InvalidParams(
        base::StrCat(name, ":", LocatedJsonError(text, parsed.error().message)));
  }
  if (!parsed->is_object()) {
    return Error::InvalidParams(base::StrCat(name, ":1: must be a JSON object of sections"));
  }
  const auto lines = LinesOfNames(text);
  const auto entry = [&](std::string key, const Json& value) {
    const auto line = lines.find(key);
    return FileEntry{std::move(key), ToValue(value), line == lines.end() ? 0 : line->second};
  };
  std::vector<FileEntry> entries;
  for (const auto& [section, value] : parsed->get_object()) {
    if (!value.is_object()) {
      entries.push_back(entry(std::string(section), value));
      continue;
    }
    if (value.get_object().empty()) {
      entries.push_back(entry(std::string(section), value));
      entries.back().value = Other{std::string(kEmptySection)};
    }
    for (const auto& [key, inner] : value.get_object()) {
      const std::string full = base::StrCat(std::string_view(section), ".", std::string_view(key));
      if (HasNames(section) && inner.is_object() && !inner.get_object().empty()) {
        AddNested(full, inner.get_object(), entry(full, inner).line, entries);
      } else {
        entries.push_back(entry(full, inner));
      }
    }
  }
  return entries;
}

}  // namespace toolpost::config
