// Each set gets what those before it left.
#include "tools/mssql/sets_reply.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kMostSets = 100;
constexpr std::size_t kLeastRoom = 100;  // characters of a set without rows

}  // namespace

void SetsReply::Begin(std::span<const db::ResultColumn> columns) {
  if (!sets_.empty()) {
    const RowsReply& before = sets_.back();
    if (!dropped_) options_.limit -= before.count();
    options_.characters = before.room();
    options_.skip = 0;
    options_.one_at_least = false;
    dropped_ = dropped_ || sets_.size() == kMostSets || options_.characters < kLeastRoom;
  }
  if (!dropped_) sets_.emplace_back(options_, context_).Begin(columns);
}

bool SetsReply::Add(std::span<const db::Cell> row) { return !dropped_ && sets_.back().Add(row); }

std::string_view SetsReply::reason() const {
  for (const RowsReply& set : sets_) {
    if (set.truncated()) return set.reason();
  }
  return dropped_ ? std::string_view("size") : std::string_view();
}

}  // namespace toolpost::tools::mssql
