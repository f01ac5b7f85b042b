// TOML to file entries. The only file that names toml++.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "config/file.h"
#include "config/named.h"

namespace toolpost::config {
namespace {

constexpr std::size_t kMaxDots = 200;

std::string_view KindOf(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    default:
      return "a list of something else";
  }
}

Value ToValue(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* array = node.as_array()) {
    std::vector<std::string> list;
    for (const toml::node& element : *array) {
      const auto* text = element.as_string();
      if (text == nullptr) return Other{std::string(KindOf(node))};
      list.push_back(text->get());
    }
    return list;
  }
  if (const auto* real = node.as_floating_point())
    return Other{std::string(KindOf(node)), real->get()};
  return Other{std::string(KindOf(node))};
}

// toml++ recurses once per part of a dotted name without a limit: more parts than anybody writes
// would overflow the stack. Returns the line, or 0.
std::size_t LineOfTooManyDots(std::string_view text) {
  std::size_t line = 1;
  std::size_t dots = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      dots = 0;
      quote = 0;
    } else if (quote != 0) {
      if (c == '\\' && quote == '"' && text.substr(i + 1, 1) != "\n") ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '.' && ++dots > kMaxDots) {
      return line;
    }
  }
  return 0;
}

std::size_t LineOf(const toml::key& key) { return key.source().begin.line; }

// The members of a table, and in sections that hold names those of the tables in it.
void AddMembers(const std::string& prefix, const toml::table& table, bool nested,
                std::vector<FileEntry>& entries) {
  for (const auto& [key, value] : table) {
    const std::string name = base::StrCat(prefix, ".", key.str());
    const toml::table* inner = value.as_table();
    if (nested && inner != nullptr && !inner->empty()) {
      AddMembers(name, *inner, nested, entries);
    } else {
      entries.push_back({name, ToValue(value), LineOf(key)});
    }
  }
}

}  // namespace

Result<std::vector<FileEntry>> ReadToml(std::string_view text, std::string_view name) {
  if (const std::size_t line = LineOfTooManyDots(text); line != 0) {
    return Error::InvalidParams(base::StrCat(name, ":", line, ": not valid TOML: more than ",
                                             kMaxDots, " dots in a line outside quotes"));
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return Error::InvalidParams(base::StrCat(name, ":", parsed.error().source().begin.line,
                                             ": not valid TOML: ", parsed.error().description()));
  }
  std::vector<FileEntry> entries;
  for (const auto& [section, node] : parsed.table()) {
    const toml::table* table = node.as_table();
    if (table != nullptr && table->empty()) {
      entries.push_back(
          {std::string(section.str()), Other{std::string(kEmptySection)}, LineOf(section)});
    }
    if (table == nullptr) {
      entries.push_back({std::string(section.str()), ToValue(node), LineOf(section)});
      continue;
    }
    AddMembers(std::string(section.str()), *table, HasNames(section.str()), entries);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const FileEntry& a, const FileEntry& b) { return a.line < b.line; });
  return entries;
}

}  // namespace toolpost::config
