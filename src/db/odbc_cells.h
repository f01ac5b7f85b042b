// Values of a result as cells.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/libodbc.h"
#include "db/sql.h"
#include "toolpost/result.h"

namespace toolpost::db {

// A row of more bytes than this is refused, wanted or not. Servers are told to send no more than
// twice that of one value (SET TEXTSIZE: two bytes for each character of nvarchar), so that what
// the driver keeps of a row before anybody can look at it is bounded, too; xml alone knows no such
// limit.
inline constexpr std::size_t kLargestOdbcRow = std::size_t{64} << 20;

// Reads the rows of one result set. The cells of a row are valid until the next.
//
// The first columns whose values are never long are bound: each SQLFetch leaves them in a buffer,
// which costs less than asking for every value. From the first that may be long on, values are
// asked for (drivers need not give those of columns before a bound one).
class OdbcCells {
 public:
  // Of the set that `statement` is at; no columns: there is none. Before its first SQLFetch.
  // `max_cell`: see SqlServerRequest.
  OdbcCells(const Libodbc& odbc, SQLHSTMT statement, std::size_t max_cell);
  ~OdbcCells();
  OdbcCells(const OdbcCells&) = delete;
  OdbcCells& operator=(const OdbcCells&) = delete;

  const std::vector<ResultColumn>& columns() const { return columns_; }
  // After SQLFetch. Code::kTooLarge for a row above the limit; Code::kInternal when the driver
  // fails, which then has diagnoses.
  Result<std::span<const Cell>> Read();
  // The row for code of ours: booleans as integers, decimals as text. Of a text or bytes that are
  // longer than `max_cell` one byte more than that.
  Row ToRow() const;

 private:
  enum class Form { kText, kInteger, kDecimal, kDouble, kFloat, kBit, kMoment, kBytes };

  struct Bound {
    std::size_t offset;  // into buffer_
    std::size_t room;
    SQLLEN length;  // set by SQLFetch
  };

  std::string AskTypeName(SQLUSMALLINT number);
  static Form FormOf(SQLSMALLINT type, std::string_view name);
  static SQLSMALLINT TypeOf(Form form);  // to ask for
  static void Tidy(Form form, std::string& text);
  // What the buffer needs for a value; 0: it may be long.
  static std::size_t RoomOf(Form form, SQLULEN width);
  void Bind(std::span<const std::size_t> rooms);
  // False when the driver had more than it had said.
  bool ReadBound(std::size_t column);
  Result<void> ReadCell(std::size_t column);
  // Each gives the value, whose text is in texts_.
  Result<Cell> ReadText(std::size_t column);
  template <typename Number>
  Result<Cell> ReadNumber(SQLUSMALLINT number, Form form, std::string& out);
  Result<Cell> ReadPieces(SQLUSMALLINT number, SQLSMALLINT type, CellKind kind, std::string& out);

  const Libodbc& odbc_;
  const SQLHSTMT statement_;
  const std::size_t wanted_;  // bytes of a value
  std::vector<ResultColumn> columns_;
  std::vector<Form> forms_;
  std::vector<Bound> bound_;  // of the first columns
  std::unique_ptr<char[]> buffer_;
  std::vector<std::string> texts_;
  std::vector<Cell> cells_;
  std::size_t bytes_ = 0;  // of this row so far
};

}  // namespace toolpost::db
