// A bounded list of statements.
#include "tools/database/result_links.h"

#include <algorithm>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::tools::database {

std::size_t ResultLinks::Entry::bytes() const {
  return sizeof(Entry) + id.size() + principal.size() + connection.size() + statement.size() +
         parameters.size();
}

std::optional<std::string> ResultLinks::Put(const Principal& owner, const Kept& kept) {
  const auto now = std::chrono::steady_clock::now();
  Entry entry{base::RandomHex(16), owner.id,       now + keep_,
              kept.connection,     kept.statement, base::ToJson(kept.parameters)};
  std::string uri = base::StrCat(kUriPrefix, entry.id);
  const std::size_t bytes = entry.bytes();
  if (bytes > limits_.bytes_of_one) return std::nullopt;
  const std::lock_guard lock(mutex_);
  while (!entries_.empty() && entries_.front().expires <= now) Drop(entries_.begin());
  const auto share_is_full = [&] {
    const Use& own = uses_[owner.id];
    return own.links >= limits_.links_of_one || own.bytes + bytes > limits_.bytes_of_one;
  };
  while (share_is_full()) DropOldestOf(owner.id);
  while (entries_.size() >= limits_.links) DropOldestOf(MostBy(&Use::links));
  while (bytes_ + bytes > limits_.bytes) DropOldestOf(MostBy(&Use::bytes));
  Use& own = uses_[owner.id];
  own.links += 1;
  own.bytes += bytes;
  bytes_ += bytes;
  entries_.push_back(std::move(entry));
  return uri;
}

std::string ResultLinks::MostBy(std::size_t Use::*measure) const {
  const auto most = std::max_element(uses_.begin(), uses_.end(), [&](const auto& a, const auto& b) {
    return a.second.*measure < b.second.*measure;
  });
  return most->first;
}

void ResultLinks::DropOldestOf(const std::string& principal) {
  Drop(std::find_if(entries_.begin(), entries_.end(),
                    [&](const Entry& each) { return each.principal == principal; }));
}

void ResultLinks::Drop(std::list<Entry>::iterator entry) {
  Use& use = uses_[entry->principal];
  use.links -= 1;
  use.bytes -= entry->bytes();
  bytes_ -= entry->bytes();
  if (use.links == 0) uses_.erase(entry->principal);
  entries_.erase(entry);
}

std::optional<ResultLinks::Kept> ResultLinks::Get(const Principal& reader, std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& each) { return each.id == id; });
  if (found == entries_.end() || found->principal != reader.id ||
      found->expires <= std::chrono::steady_clock::now())
    return std::nullopt;
  Result<Json> parameters = base::ParseJson(found->parameters);
  if (!parameters) return std::nullopt;
  return Kept{found->connection, found->statement, *std::move(parameters)};
}

}  // namespace toolpost::tools::database
