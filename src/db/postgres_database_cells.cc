// PostgreSQL's text forms. Type numbers are those of pg_type.dat, which never change.
#include "db/postgres_database_cells.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr Oid kBool = 16, kBytea = 17, kInt8 = 20, kInt2 = 21, kInt4 = 23, kOid = 26, kJson = 114,
              kXid = 28, kCid = 29, kFloat4 = 700, kFloat8 = 701, kNumeric = 1700, kJsonb = 3802,
              kDate = 1082, kTime = 1083, kTimestamp = 1114, kTimestampTz = 1184, kTimeTz = 1266,
              kInterval = 1186, kUuid = 2950;

constexpr std::int64_t kLargestSafe = std::int64_t{1} << 53;

bool IsNumber(Oid type) {
  return type == kInt8 || type == kInt2 || type == kInt4 || type == kOid || type == kXid ||
         type == kCid || type == kFloat4 || type == kFloat8 || type == kNumeric;
}

bool IsJson(Oid type) { return type == kJson || type == kJsonb; }

// Not NaN, Infinity or -Infinity.
bool IsFinite(std::string_view number) {
  return !number.empty() && number.back() >= '0' && number.back() <= '9';
}

bool IsMoment(Oid type) { return type == kTimestamp || type == kTimestampTz || type == kTimeTz; }

// "2026-02-03 02:05:06.789+00" as "2026-02-03T02:05:06.789+00:00". Infinity and the years before
// Christ, which ISO 8601 counts in another way, stay as they are.
std::string_view ToIso(std::string_view text, std::string& scratch) {
  if (text.ends_with("infinity") || text.ends_with("BC")) return text;
  scratch = text;
  if (const std::size_t space = scratch.find(' '); space != std::string::npos) scratch[space] = 'T';
  if (scratch.size() > 3) {
    const char sign = scratch[scratch.size() - 3];
    if (sign == '+' || sign == '-') scratch += ":00";
  }
  return scratch;
}

int Digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

void DecodeBytea(std::string_view text, std::string& out) {
  out.clear();
  if (!text.starts_with("\\x")) return;
  out.reserve(text.size() / 2);
  for (std::size_t at = 2; at + 1 < text.size(); at += 2) {
    out.push_back(static_cast<char>(Digit(text[at]) << 4 | Digit(text[at + 1])));
  }
}

bool IsSafe(std::string_view integer) {
  std::int64_t value = 0;
  std::from_chars(integer.data(), integer.data() + integer.size(), value);
  return value >= -kLargestSafe && value <= kLargestSafe;
}

// Numbers that a reader would not round, and JSON.
bool IsWrittenAsItIs(Oid type, std::string_view text) {
  if (IsJson(type)) return true;
  if (type == kNumeric || !IsNumber(type) || !IsFinite(text)) return false;
  return type != kInt8 || IsSafe(text);
}

// As a value of a column would be written.
void AppendElement(std::string& out, Oid type, std::string_view text) {
  if (type == kBool) {
    out += text == "t" ? "true" : "false";
  } else if (type == kBytea) {
    std::string bytes;
    DecodeBytea(text, bytes);
    base::AppendJsonString(out, base::ToBase64(bytes));
  } else if (IsWrittenAsItIs(type, text)) {
    out += text;
  } else {
    base::AppendJsonString(out, text);
  }
}

// {1,NULL,"a \"b\""}, {{1},{2}}, [0:1]={1,2}
void ArrayToJson(std::string_view text, Oid element, char delimiter, std::string& out) {
  out.clear();
  if (text.starts_with('[')) text.remove_prefix(std::min(text.find('='), text.size() - 1) + 1);
  std::string value;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '}') {
      out += c == '{' ? '[' : ']';
    } else if (c == delimiter) {
      out += ',';
    } else if (c == '"') {
      value.clear();
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        value += text[at];
      }
      AppendElement(out, element, value);
    } else {
      const std::size_t start = at;
      while (at < text.size() && text[at] != delimiter && text[at] != '}') ++at;
      const std::string_view word = text.substr(start, at - start);
      --at;
      if (word == "NULL") {
        out += "null";
      } else {
        AppendElement(out, element, word);
      }
    }
  }
}

Cell ScalarCell(Oid type, std::string_view text, std::string& scratch) {
  if (type == kBool) return {CellKind::kBoolean, text == "t" ? "true" : "false"};
  if (IsNumber(type)) return {IsFinite(text) ? CellKind::kNumber : CellKind::kText, text};
  if (IsJson(type)) return {CellKind::kJson, text};
  if (type == kBytea) {
    DecodeBytea(text, scratch);
    return {CellKind::kBytes, scratch};
  }
  if (IsMoment(type)) return {CellKind::kText, ToIso(text, scratch)};
  return {CellKind::kText, text};
}

// Not those that JSON is a text of.
bool TakesNoArray(Oid type) {
  return IsNumber(type) || IsMoment(type) || type == kBool || type == kDate || type == kTime ||
         type == kInterval || type == kUuid;
}

// A whole number without a fraction, which integers take; all others as JSON.
std::string NumberOrJson(const Json& value) {
  if (!value.is_double() || std::abs(value.get_double()) > static_cast<double>(kLargestSafe) ||
      value.get_double() != std::trunc(value.get_double())) {
    return base::ToJson(value);
  }
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value.get_double(),
                                std::chars_format::fixed)
                      .ptr};
}

void AppendArray(std::string& out, const JsonArray& array, const PostgresType& type) {
  out += '{';
  for (const Json& value : array) {
    if (out.back() != '{') out += type.delimiter;
    if (value.is_null()) {
      out += "NULL";
    } else if (value.is_array() && !IsJson(type.element)) {
      AppendArray(out, value.get_array(), type);
    } else {
      const std::string text = value.is_string() ? std::string(std::string_view(value.get_string()))
                                                 : NumberOrJson(value);
      out += '"';
      for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
      out += '"';
    }
  }
  out += '}';
}

}  // namespace

const PostgresType* PostgresTypes::Find(Oid oid) const {
  if (const auto known = known_.find(oid); known != known_.end()) return &known->second;
  const std::lock_guard lock(mutex_);
  const auto met = met_.find(oid);
  return met != met_.end() ? &met->second : nullptr;
}

void PostgresTypes::Add(Map met) {
  const std::lock_guard lock(mutex_);
  met_.merge(met);
}

PostgresCells::PostgresCells(const Libpq& pq, const PGresult& header, const PostgresTypes& types)
    : pq_(pq) {
  const int count = pq.nfields(&header);
  for (int i = 0; i < count; ++i) {
    const Oid oid = pq.ftype(&header, i);
    const PostgresType* type = types.Find(oid);
    if (type == nullptr) unknown_.push_back(oid);
    const bool array = type != nullptr && type->element != 0;
    columns_.push_back({pq.fname(&header, i), type != nullptr ? type->name : "unknown"});
    plans_.push_back({array ? type->element : oid, array, type != nullptr ? type->delimiter : ','});
  }
  cells_.resize(columns_.size());
  scratch_.resize(columns_.size());
}

std::span<const Cell> PostgresCells::Read(const PGresult& result, int row) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const int column = static_cast<int>(i);
    if (pq_.getisnull(&result, row, column) != 0) {
      cells_[i] = {};
      continue;
    }
    const std::string_view text(pq_.getvalue(&result, row, column),
                                static_cast<std::size_t>(pq_.getlength(&result, row, column)));
    if (plans_[i].array) {
      ArrayToJson(text, plans_[i].element, plans_[i].delimiter, scratch_[i]);
      cells_[i] = {CellKind::kJson, scratch_[i]};
    } else {
      cells_[i] = ScalarCell(plans_[i].element, text, scratch_[i]);
    }
  }
  return cells_;
}

bool NeedsType(const Json& value) { return value.is_array(); }

Result<PostgresParameter> ToPostgresParameter(const Json& value, Oid expected,
                                              const PostgresType* type) {
  if (value.is_null()) return PostgresParameter();
  if (value.is_array() && TakesNoArray(expected)) {
    return Error::InvalidParams(
        "An array was passed where the statement takes one value: for any of several write "
        "= ANY($1) instead of IN ($1), or pass them one by one");
  }
  std::string text;
  if (value.is_string()) {
    text = std::string_view(value.get_string());
  } else if (value.is_array() && type != nullptr && type->element != 0) {
    AppendArray(text, value.get_array(), *type);
  } else {
    text = NumberOrJson(value);
  }
  if (text.find('\0') != std::string::npos || !base::IsValidUtf8(text)) {
    return Error::InvalidParams(
        "A parameter contains a NUL character or is not UTF-8, which PostgreSQL cannot store");
  }
  return PostgresParameter(std::move(text));
}

}  // namespace toolpost::db
