// Values of a result as cells.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/libodbc.h"
#include "db/sql.h"
#include "toolpost/result.h"

namespace toolpost::db {

// A row of more bytes than this is refused. Servers are told to send no more than twice that of one
// value (SET TEXTSIZE: two bytes for each character of nvarchar), so that what the driver keeps of
// a row before anybody can look at it is bounded, too; xml alone knows no such limit.
inline constexpr std::size_t kLargestOdbcRow = std::size_t{64} << 20;

// Reads the rows of one result set. The cells of a row are valid until the next.
class OdbcCells {
 public:
  // Of the set that `statement` is at; no columns: there is none.
  OdbcCells(const Libodbc& odbc, SQLHSTMT statement);

  const std::vector<ResultColumn>& columns() const { return columns_; }
  // After SQLFetch. Code::kTooLarge for a row above the limit; Code::kInternal when the driver
  // fails, which then has diagnoses.
  Result<std::span<const Cell>> Read();
  // The row that was read, for code of ours: booleans as integers, decimals as text.
  Row ToRow() const;

 private:
  enum class Form { kText, kInteger, kDecimal, kDouble, kFloat, kBit, kMoment, kBytes };

  static Form FormOf(SQLSMALLINT type, std::string_view name);
  Result<void> ReadCell(std::size_t column);
  // Each says what the value is; CellKind::kNull: none, and the text is of no use.
  Result<CellKind> ReadText(std::size_t column);
  template <typename Number>
  Result<CellKind> ReadNumber(SQLUSMALLINT number, SQLSMALLINT type, std::string& out);
  Result<CellKind> ReadPieces(SQLUSMALLINT number, SQLSMALLINT type, CellKind kind,
                              std::string& out);

  const Libodbc& odbc_;
  const SQLHSTMT statement_;
  std::vector<ResultColumn> columns_;
  std::vector<Form> forms_;
  std::vector<std::string> texts_;
  std::vector<Cell> cells_;
  std::size_t bytes_ = 0;  // of this row so far
};

}  // namespace toolpost::db
