// A page of a list that fits in a reply.
//
// What the budget of results (mcp/result_budget.h) would have to cut stands before the cursor, and
// nobody would ever see it; so pages with a cursor end before that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_write.h"
#include "base/strings.h"
#include "toolpost/schema.h"

namespace toolpost::tools {

// Of a reply besides the list, the texts in it and the cursor.
inline constexpr std::size_t kRestOfPage = 100;

inline std::size_t JsonCharacters(const Json& value) {
  return base::CountCodePoints(base::ToJson(value));
}

// Keeps as many items as have room in `characters`, with the cursor that leads behind them, and at
// least one. Returns that cursor if there are more: those that were dropped or, `more`, others.
template <typename Item, typename CursorOf>
std::optional<std::string> CutPage(std::vector<Item>& items, bool more, std::size_t characters,
                                   CursorOf cursor_of) {
  std::size_t used = 0;
  for (auto item = items.begin(); item != items.end(); ++item) {
    used += JsonCharacters(Encode(*item)) + 1;
    if (item == items.begin() || used + cursor_of(*item).size() <= characters) continue;
    items.erase(item, items.end());
    more = true;
    break;
  }
  if (!more || items.empty()) return std::nullopt;
  return cursor_of(items.back());
}

}  // namespace toolpost::tools
