// The entries of one kind in a snapshot of the catalog: in order, by key, and as pages.
//
// A plain value; whoever publishes it as part of a snapshot does not change it afterwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "mcp/catalog_entry.h"
#include "mcp/paging.h"
#include "mcp/revision.h"
#include "toolpost/result.h"

namespace toolpost::mcp {

// Entries in order of addition (their positions grow) and by key. An Entry has `position`, `texts`
// (EntryTexts) and `key()`.
template <typename Entry>
struct Entries {
  std::vector<std::shared_ptr<const Entry>> ordered;
  std::map<std::string_view, std::shared_ptr<const Entry>> by_key;  // keys live in the entries

  std::shared_ptr<const Entry> Find(std::string_view key) const {
    const auto found = by_key.find(key);
    return found == by_key.end() ? nullptr : found->second;
  }
  void Add(std::shared_ptr<const Entry> entry) {
    by_key.emplace(entry->key(), entry);
    ordered.push_back(std::move(entry));
  }
  bool Remove(std::string_view key) {
    const auto entry = Find(key);
    if (!entry) return false;
    by_key.erase(entry->key());
    std::erase(ordered, entry);
    return true;
  }
};

// One page as list members: `"<list>":[…]` and `"nextCursor"` if there is more, of the entries that
// are `shown`. `next_position` is the first one not given out yet. Code::kInvalidArgument for a bad
// cursor.
template <typename Entry, typename Shown>
Result<std::string> ListPage(const Entries<Entry>& entries, std::uint64_t next_position,
                             std::size_t page_size, std::string_view list, Revision revision,
                             std::string_view cursor, Shown shown) {
  ASSIGN_OR_RETURN(const std::uint64_t position, DecodeCursor(list, cursor, next_position));
  const auto from =
      std::lower_bound(entries.ordered.begin(), entries.ordered.end(), position,
                       [](const auto& entry, std::uint64_t p) { return entry->position < p; });
  std::string out = base::StrCat('"', list, "\":[");
  std::string next;
  std::size_t listed = 0;
  for (auto it = from; it != entries.ordered.end() && next.empty(); ++it) {
    if (!shown(**it)) continue;
    if (listed == page_size) {
      next = EncodeCursor(list, (*it)->position);
    } else {
      if (listed++ > 0) out.push_back(',');
      out.append((*it)->texts.For(revision));
    }
  }
  out.push_back(']');
  if (!next.empty()) out.append(",\"nextCursor\":\"").append(next).push_back('"');
  return out;
}

// Code::kInvalidArgument with the nearest key that is `shown`, and the method that lists them.
template <typename Entry, typename Shown>
Error UnknownEntry(std::string_view kind, const Entries<Entry>& entries, std::string_view key,
                   std::string_view list_method, Shown shown) {
  std::vector<std::string_view> keys;
  keys.reserve(entries.ordered.size());
  for (const auto& entry : entries.ordered)
    if (shown(*entry)) keys.push_back(entry->key());
  const std::string_view nearest = base::Nearest(Echo(key), keys);
  std::string message = base::StrCat("Unknown ", kind, ": ", Echo(key));
  if (!nearest.empty()) message.append(base::StrCat("; did you mean ", nearest, "?"));
  return Error::InvalidParams(message.append(base::StrCat(" (", list_method, " names all)")));
}

}  // namespace toolpost::mcp
