// One immutable set of tools: what a snapshot of the registry holds.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mcp/registry.h"
#include "mcp/registry_listing.h"

namespace toolpost::mcp {

using ToolMap =
    std::map<std::string, std::shared_ptr<const RegisteredTool>, std::less<>>;  // by canonical id

// True if the options let clients see the tool.
bool Allows(const Registry::Options& options, const ToolInfo& info);

// True for the canonical id, the wire name and the aliases.
bool IsSpellingOf(const ToolInfo& info, std::string_view name);

// Thread-safe. Lookups take no lock and allocate nothing; listings are built when first asked for
// and kept.
class ToolSet {
 public:
  ToolSet(const ToolMap& tools, Registry::Options options);

  const Registry::Options& options() const { return options_; }
  // By any spelling; null if there is none or the options or the view hide it. Valid as long as the
  // set.
  const std::shared_ptr<const RegisteredTool>* Find(std::string_view name,
                                                    const ToolView& view) const;
  // Whether any tool is of this toolset, shown or not.
  bool HasToolset(std::string_view name) const;
  // In listing order.
  std::vector<std::shared_ptr<const RegisteredTool>> Visible(const ToolView& view) const;
  // `page_size` 0: that of the options.
  Result<std::shared_ptr<const std::string>> Page(const ToolView& view, Revision revision,
                                                  std::string_view cursor,
                                                  std::size_t page_size = 0) const;
  // The spelling nearest to `name` among those the view lists; empty if none is close.
  std::string_view Suggest(std::string_view name, const ToolView& view) const;

 private:
  struct Entry {
    std::shared_ptr<const RegisteredTool> tool;
    bool allowed = true;  // by the options
  };

  // What a listing depends on. Callers with equal rights share one, whoever they are.
  struct ListingKey {
    std::string shown;  // a byte per tool
    bool canonical;
    Revision revision;
    std::size_t page_size;
    auto operator<=>(const ListingKey&) const = default;
  };

  static bool Reaches(const Entry& entry, const ToolView& view);
  static bool Shows(const Entry& entry, const ToolView& view);
  std::shared_ptr<const ToolListing> Listing(ListingKey key) const;
  bool Canonical(const ToolView& view) const { return options_.canonical_names || view.canonical; }

  Registry::Options options_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // keys live in the tools

  mutable std::mutex listings_mutex_;
  mutable std::map<ListingKey, std::shared_ptr<const ToolListing>> listings_;
};

}  // namespace toolpost::mcp
