// Results of FOR JSON and FOR XML, which a server sends in pieces of some 2000 characters.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "db/database.h"

namespace toolpost::db {

// Hands a result on to `sink`, but the pieces of a text as one value: a row of one column, `json`
// or `xml`, at the end of its set. Every other set passes as it is.
class ForClauseJoiner final : public RowSink {
 public:
  // `max_cell`: see SqlServerRequest; no more than kLargestOdbcRow is kept in any case.
  ForClauseJoiner(RowSink& sink, std::size_t max_cell);

  void Begin(std::span<const ResultColumn> columns) override;
  // Always true for a piece.
  bool Add(std::span<const Cell> row) override;
  // Behind the last row of a set.
  void End();

 private:
  RowSink& sink_;
  const std::size_t wanted_;
  bool joins_ = false;   // this set
  bool pieces_ = false;  // there was one
  std::string text_;
  std::size_t missing_ = 0;
};

}  // namespace toolpost::db
