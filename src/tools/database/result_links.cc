// A bounded list of statements.
#include "tools/database/result_links.h"

#include <algorithm>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::tools::database {

std::string ResultLinks::Put(const Principal& owner, Kept kept) {
  std::string id = base::RandomHex(16);
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  while (!entries_.empty() && (entries_.size() >= most_ || entries_.front().expires <= now))
    entries_.pop_front();
  entries_.push_back({id, owner.id, now + keep_, std::move(kept)});
  return base::StrCat(kUriPrefix, id);
}

std::optional<ResultLinks::Kept> ResultLinks::Get(const Principal& reader, std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& each) { return each.id == id; });
  if (found == entries_.end() || found->principal != reader.id ||
      found->expires <= std::chrono::steady_clock::now())
    return std::nullopt;
  return found->kept;
}

}  // namespace toolpost::tools::database
