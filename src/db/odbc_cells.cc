// SQLGetData, value by value: exact as text, except for binary floating point, which is exact only
// as it is.
#include "db/odbc_cells.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include "base/json_write.h"
#include "base/strings.h"
#include "db/odbc_text.h"

namespace toolpost::db {
namespace {

// Odd, as FreeTDS writes bytes inside a sql_variant in pairs of digits, and a NUL.
constexpr std::size_t kPiece = 65'537;
constexpr std::size_t kSmall = 257;
constexpr std::size_t kMostBound = std::size_t{128} << 10;  // bytes of a row
constexpr std::size_t kScalarText = 64;                     // decimals, moments
constexpr SQLULEN kMostCharacters = 8'000;
constexpr std::size_t kBytesOfCharacter = 4;
// SQL Server's own types, as its drivers number them.
constexpr SQLSMALLINT kTime2 = -154, kTimestampOffset = -155;

const Error& DriverFailed() {
  static const Error kError = Error::Internal("The driver could not read a value");
  return kError;
}

// Of types that a number names; drivers take their time to name the others.
std::string_view NameOf(SQLSMALLINT type) {
  switch (type) {
    case SQL_BIT:
      return "bit";
    case SQL_TINYINT:
      return "tinyint";
    case SQL_SMALLINT:
      return "smallint";
    case SQL_INTEGER:
      return "int";
    case SQL_BIGINT:
      return "bigint";
    case SQL_REAL:
      return "real";
    case SQL_FLOAT:
    case SQL_DOUBLE:
      return "float";
    default:
      return "";
  }
}

// "2024-02-29 23:59:58.1234567 +05:30" to ISO 8601; FreeTDS writes early years with fewer digits.
void ToIso(std::string& text) {
  const std::size_t dash = text.find('-');
  if (dash < 4) text.insert(0, 4 - dash, '0');
  const std::size_t space = text.find(' ');
  if (space != 10) return;
  text[space] = 'T';
  const std::size_t before_offset = text.find(' ', space + 1);
  if (before_offset != std::string::npos) text.erase(before_offset, 1);
}

template <typename Number>
void SetNumber(std::string& text, const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  char digits[64];
  text.assign(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// JSON has no ".5" and no "-.5".
void AddLeadingZero(std::string& number) {
  const std::size_t at = number.starts_with('-') ? 1 : 0;
  if (at < number.size() && number[at] == '.') number.insert(at, "0");
}

}  // namespace

OdbcCells::OdbcCells(const Libodbc& odbc, SQLHSTMT statement, std::size_t max_cell)
    : odbc_(odbc),
      statement_(statement),
      wanted_(max_cell == 0 ? kLargestOdbcRow : std::min(max_cell, kLargestOdbcRow)) {
  SQLSMALLINT count = 0;
  if (!SQL_SUCCEEDED(odbc_.num_result_cols(statement_, &count))) return;
  const auto expected = static_cast<std::size_t>(std::max<SQLSMALLINT>(count, 0));
  std::vector<std::size_t> rooms;
  rooms.reserve(expected);
  columns_.reserve(expected);
  forms_.reserve(expected);
  for (SQLUSMALLINT number = 1; number <= count; ++number) {
    SQLWCHAR name[300];
    name[0] = 0;
    SQLSMALLINT size = 0, type = SQL_VARCHAR, scale = 0, nullable = 0;
    SQLULEN width = 0;
    odbc_.describe_col(statement_, number, name, std::size(name), &size, &type, &width, &scale,
                       &nullable);
    columns_.push_back({FromWide(name), std::string(NameOf(type))});
    if (columns_.back().type.empty()) columns_.back().type = AskTypeName(number);
    forms_.push_back(FormOf(type, columns_.back().type));
    rooms.push_back(RoomOf(forms_.back(), width));
  }
  texts_.resize(columns_.size());
  cells_.resize(columns_.size());
  Bind(rooms);
}

std::string OdbcCells::AskTypeName(SQLUSMALLINT number) {
  SQLWCHAR name[300];
  name[0] = 0;
  SQLSMALLINT size = 0;
  odbc_.col_attribute(statement_, number, SQL_DESC_TYPE_NAME, name, sizeof name, &size, nullptr);
  return name[0] == 0 ? "udt" : FromWide(name);  // FreeTDS has no name for those
}

OdbcCells::~OdbcCells() {
  if (!bound_.empty()) odbc_.free_stmt(statement_, SQL_UNBIND);
}

std::size_t OdbcCells::RoomOf(Form form, SQLULEN width) {
  switch (form) {
    case Form::kInteger:
    case Form::kDouble:
    case Form::kFloat:
    case Form::kBit:
      return sizeof(SQLBIGINT);
    case Form::kDecimal:
    case Form::kMoment:
      return kScalarText;
    case Form::kBytes:
      return 0;
    case Form::kText:
      break;
  }
  return width == 0 || width > kMostCharacters ? 0 : (width + 1) * kBytesOfCharacter;
}

SQLSMALLINT OdbcCells::TypeOf(Form form) {
  switch (form) {
    case Form::kInteger:
      return SQL_C_SBIGINT;
    case Form::kDouble:
      return SQL_C_DOUBLE;
    case Form::kFloat:
      return SQL_C_FLOAT;
    case Form::kBit:
      return SQL_C_BIT;
    case Form::kBytes:
      return SQL_C_BINARY;
    default:
      return SQL_C_CHAR;
  }
}

void OdbcCells::Bind(std::span<const std::size_t> rooms) {
  std::size_t size = 0;
  bound_.reserve(rooms.size());
  for (const std::size_t room : rooms) {
    if (room == 0 || size + room > kMostBound) break;
    bound_.push_back({size, room, 0});
    size += (room + sizeof(SQLBIGINT) - 1) / sizeof(SQLBIGINT) * sizeof(SQLBIGINT);
  }
  buffer_ = std::make_unique_for_overwrite<char[]>(size);
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    Bound& bound = bound_[i];
    const SQLRETURN code = odbc_.bind_col(statement_, static_cast<SQLUSMALLINT>(i + 1),
                                          TypeOf(forms_[i]), buffer_.get() + bound.offset,
                                          static_cast<SQLLEN>(bound.room), &bound.length);
    if (SQL_SUCCEEDED(code)) continue;
    odbc_.free_stmt(statement_, SQL_UNBIND);
    bound_.clear();
  }
}

OdbcCells::Form OdbcCells::FormOf(SQLSMALLINT type, std::string_view name) {
  switch (type) {
    case SQL_BIT:
      return Form::kBit;
    case SQL_TINYINT:
    case SQL_SMALLINT:
    case SQL_INTEGER:
    case SQL_BIGINT:
      return Form::kInteger;
    case SQL_DECIMAL:
    case SQL_NUMERIC:
      return Form::kDecimal;
    case SQL_REAL:
      return Form::kFloat;
    case SQL_FLOAT:
    case SQL_DOUBLE:
      return Form::kDouble;
    case SQL_BINARY:
    case SQL_VARBINARY:
    case SQL_LONGVARBINARY:
      return Form::kBytes;
    case SQL_TYPE_DATE:
    case SQL_TYPE_TIME:
    case SQL_TYPE_TIMESTAMP:
    case kTime2:
    case kTimestampOffset:
      return Form::kMoment;
    default:
      return name.find("money") == std::string_view::npos ? Form::kText : Form::kDecimal;
  }
}

Result<std::span<const Cell>> OdbcCells::Read() {
  bytes_ = 0;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    if (!ReadBound(i)) return DriverFailed();
  }
  for (std::size_t i = bound_.size(); i < cells_.size(); ++i) RETURN_IF_ERROR(ReadCell(i));
  return std::span<const Cell>(cells_);
}

bool OdbcCells::ReadBound(std::size_t column) {
  const Bound& bound = bound_[column];
  if (bound.length == SQL_NULL_DATA) {
    cells_[column] = {};
    return true;
  }
  const char* const bytes = buffer_.get() + bound.offset;
  std::string& text = texts_[column];
  CellKind kind = CellKind::kNumber;
  switch (forms_[column]) {
    case Form::kInteger:
      SetNumber<SQLBIGINT>(text, bytes);
      break;
    case Form::kDouble:
      SetNumber<double>(text, bytes);
      break;
    case Form::kFloat:
      SetNumber<float>(text, bytes);
      break;
    case Form::kBit:
      text = *bytes == 0 ? "false" : "true";
      kind = CellKind::kBoolean;
      break;
    default:
      if (bound.length < 0 || static_cast<std::size_t>(bound.length) >= bound.room) return false;
      text.assign(bytes, static_cast<std::size_t>(bound.length));
      kind = forms_[column] == Form::kDecimal ? CellKind::kNumber : CellKind::kText;
      Tidy(forms_[column], text);
  }
  bytes_ += text.size();
  cells_[column] = {kind, text};
  return true;
}

void OdbcCells::Tidy(Form form, std::string& text) {
  if (form == Form::kDecimal) AddLeadingZero(text);
  if (form == Form::kMoment) ToIso(text);
}

Result<void> OdbcCells::ReadCell(std::size_t column) {
  ASSIGN_OR_RETURN(cells_[column], ReadText(column));
  bytes_ += cells_[column].size();
  if (bytes_ <= kLargestOdbcRow) return {};
  return Error{Code::kTooLarge, "A row of the result has more than 64 MiB: select less of it", {}};
}

Result<Cell> OdbcCells::ReadText(std::size_t column) {
  const auto number = static_cast<SQLUSMALLINT>(column + 1);
  std::string& text = texts_[column];
  const Form form = forms_[column];
  switch (form) {
    case Form::kInteger:
      return ReadNumber<SQLBIGINT>(number, form, text);
    case Form::kDouble:
      return ReadNumber<double>(number, form, text);
    case Form::kFloat:
      return ReadNumber<float>(number, form, text);
    case Form::kBit: {
      ASSIGN_OR_RETURN(const Cell cell, ReadNumber<unsigned char>(number, form, text));
      if (cell.kind == CellKind::kNull) return cell;
      return Cell{CellKind::kBoolean, cell.text == "0" ? "false" : "true"};
    }
    case Form::kBytes:
      return ReadPieces(number, TypeOf(form), CellKind::kBytes, text);
    default:
      break;
  }
  const CellKind expected = form == Form::kDecimal ? CellKind::kNumber : CellKind::kText;
  ASSIGN_OR_RETURN(Cell cell, ReadPieces(number, TypeOf(form), expected, text));
  if (cell.kind == CellKind::kNull) return cell;
  Tidy(form, text);
  cell.text = text;
  return cell;
}

template <typename Number>
Result<Cell> OdbcCells::ReadNumber(SQLUSMALLINT number, Form form, std::string& out) {
  char bytes[sizeof(Number)];
  SQLLEN length = 0;
  if (!SQL_SUCCEEDED(
          odbc_.get_data(statement_, number, TypeOf(form), bytes, sizeof bytes, &length))) {
    return DriverFailed();
  }
  if (length == SQL_NULL_DATA) return Cell{};
  SetNumber<Number>(out, bytes);
  return Cell{CellKind::kNumber, out};
}

// Text comes with a NUL after each piece, which is not part of it. Most values are short. What is
// more than wanted is not asked for when the driver knows how much it is; otherwise it is read over
// and over into the same place.
Result<Cell> OdbcCells::ReadPieces(SQLUSMALLINT number, SQLSMALLINT type, CellKind kind,
                                   std::string& out) {
  const std::size_t end = type == SQL_C_CHAR ? 1 : 0;
  out.resize(kSmall);
  std::size_t room = kSmall, kept = 0, size = 0;
  for (;;) {
    SQLLEN length = 0;
    const SQLRETURN code = odbc_.get_data(statement_, number, type, out.data() + kept,
                                          static_cast<SQLLEN>(room), &length);
    if (code == SQL_NO_DATA) break;
    if (!SQL_SUCCEEDED(code)) return DriverFailed();
    if (length == SQL_NULL_DATA) return Cell{};
    const bool known = length != SQL_NO_TOTAL;
    const auto left = known ? static_cast<std::size_t>(length) : 0;
    const bool all = known && left + end <= room;
    const std::size_t read = all ? left : room - end;
    if (kept <= wanted_) kept += read;
    const bool last = all || (known && kept > wanted_);
    size += last ? left : read;
    if (last || bytes_ + size > kLargestOdbcRow) break;
    if (known && room == kSmall) out.reserve(std::min(left, wanted_ + kPiece) + kPiece);
    room = kPiece;
    out.resize(kept + room);
  }
  out.resize(kept);
  return Cell{kind, out, size - kept};
}

Row OdbcCells::ToRow() const {
  Row row;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Value& value = row.emplace_back();
    const std::string_view text = cells_[i].text;
    if (cells_[i].kind == CellKind::kNull) continue;
    switch (forms_[i]) {
      case Form::kInteger: {
        std::int64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        value = number;
        break;
      }
      case Form::kBit:
        value = std::int64_t{text == "true"};
        break;
      case Form::kDouble:
      case Form::kFloat: {
        double number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        value = number;
        break;
      }
      case Form::kBytes:
        value = Blob{std::string(text.substr(0, wanted_ + 1))};
        break;
      default:
        value = std::string(forms_[i] == Form::kText ? text.substr(0, wanted_ + 1) : text);
    }
  }
  return row;
}

}  // namespace toolpost::db
