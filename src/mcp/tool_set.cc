// Lookup and visibility of tools.
#include "mcp/tool_set.h"

#include <algorithm>

#include "auth/policy.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kLongestName = 128;
// Sets of rights are few in practice; callers must not be able to fill the memory with them.
constexpr std::size_t kMaxListings = 64;

bool Names(const std::vector<std::string>& names, const ToolInfo& info) {
  return std::ranges::any_of(names,
                             [&](const std::string& name) { return IsSpellingOf(info, name); });
}

}  // namespace

bool Allows(const Registry::Options& options, const ToolInfo& info) {
  if (options.read_only && info.hints.read_only != true) return false;
  if (Names(options.exclude_tools, info)) return false;
  return options.toolsets.empty() ||
         std::ranges::find(options.toolsets, info.toolset) != options.toolsets.end() ||
         Names(options.include_tools, info);
}

bool IsSpellingOf(const ToolInfo& info, std::string_view name) {
  return name == info.name || name == info.wire ||
         std::ranges::find(info.aliases, name) != info.aliases.end();
}

ToolSet::ToolSet(const ToolMap& tools, Registry::Options options) : options_(std::move(options)) {
  entries_.reserve(tools.size());
  by_name_.reserve(tools.size() * 2);
  for (const auto& [id, tool] : tools) {
    const ToolInfo& info = tool->tool.info;
    by_name_.emplace(info.name, entries_.size());
    by_name_.emplace(info.wire, entries_.size());
    for (const std::string& alias : info.aliases) by_name_.emplace(alias, entries_.size());
    entries_.push_back({tool, Allows(options_, info)});
  }
}

bool ToolSet::Reaches(const Entry& entry, const ToolView& view) {
  const ToolInfo& info = entry.tool->tool.info;
  return entry.allowed && (!view.read_only || info.hints.read_only == true) &&
         (view.toolset.empty() || view.toolset == info.toolset);
}

bool ToolSet::Shows(const Entry& entry, const ToolView& view) {
  if (!Reaches(entry, view)) return false;
  return !view.credential || auth::MayCall(*view.credential, entry.tool->tool.info);
}

const std::shared_ptr<const RegisteredTool>* ToolSet::Find(std::string_view name,
                                                           const ToolView& view) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  const Entry& entry = entries_[found->second];
  return Reaches(entry, view) ? &entry.tool : nullptr;
}

bool ToolSet::HasToolset(std::string_view name) const {
  return std::ranges::any_of(
      entries_, [name](const Entry& entry) { return entry.tool->tool.info.toolset == name; });
}

std::vector<std::shared_ptr<const RegisteredTool>> ToolSet::Visible(const ToolView& view) const {
  std::vector<std::shared_ptr<const RegisteredTool>> tools;
  for (const Entry& entry : entries_) {
    if (Shows(entry, view)) tools.push_back(entry.tool);
  }
  return tools;
}

Result<std::shared_ptr<const std::string>> ToolSet::Page(const ToolView& view, Revision revision,
                                                         std::string_view cursor,
                                                         std::size_t page_size) const {
  ListingKey key{std::string(entries_.size(), '\0'), Canonical(view), revision,
                 page_size == 0 ? options_.page_size : page_size};
  for (std::size_t i = 0; i < entries_.size(); ++i) key.shown[i] = Shows(entries_[i], view) ? 1 : 0;
  return Listing(std::move(key))->Page(cursor);
}

std::shared_ptr<const ToolListing> ToolSet::Listing(ListingKey key) const {
  const std::lock_guard lock(listings_mutex_);
  if (const auto kept = listings_.find(key); kept != listings_.end()) return kept->second;
  std::vector<const RegisteredTool*> tools;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (key.shown[i] != 0) tools.push_back(entries_[i].tool.get());
  }
  auto listing = std::make_shared<const ToolListing>(std::move(tools), key.canonical, key.revision,
                                                     key.page_size);
  if (listings_.size() >= kMaxListings) listings_.clear();
  listings_.emplace(std::move(key), listing);
  return listing;
}

std::string_view ToolSet::Suggest(std::string_view name, const ToolView& view) const {
  if (name.size() > kLongestName) return {};
  const bool canonical = Canonical(view) || name.find('/') != std::string_view::npos;
  std::vector<std::string_view> candidates;
  for (const Entry& entry : entries_) {
    if (!Shows(entry, view)) continue;
    candidates.push_back(canonical ? entry.tool->tool.info.name : entry.tool->tool.info.wire);
  }
  return base::Nearest(name, candidates);
}

}  // namespace toolpost::mcp
