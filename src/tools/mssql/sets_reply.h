// The result sets of a statement, which share the bounds of one reply.
#pragma once

#include <deque>
#include <span>
#include <string_view>

#include "db/database.h"
#include "toolpost/context.h"
#include "tools/rows_reply.h"

namespace toolpost::tools::mssql {

// `limit` and `characters` of the options bound all sets together; `skip` is of the first. For one
// thread.
class SetsReply : public db::RowSink {
 public:
  SetsReply(const RowsReply::Options& options, CallContext& context)
      : options_(options), context_(context) {}

  void Begin(std::span<const db::ResultColumn> columns) override;
  bool Add(std::span<const db::Cell> row) override;

  // Those there was room for, in order.
  const std::deque<RowsReply>& sets() const { return sets_; }
  // Why there are more rows or sets than these: limit or size; empty: there are none.
  std::string_view reason() const;

 private:
  RowsReply::Options options_;  // of the next set
  CallContext& context_;
  std::deque<RowsReply> sets_;
  bool dropped_ = false;  // the set that arrives now and all after it
};

}  // namespace toolpost::tools::mssql
