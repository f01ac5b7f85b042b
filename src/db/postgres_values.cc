// Type numbers are those of pg_type.dat, which PostgreSQL never changes.
#include "db/postgres_values.h"

#include <charconv>
#include <cmath>

namespace toolpost::db {
namespace {

constexpr Oid kInferred = 0, kBool = 16, kBytea = 17, kInt8 = 20, kInt2 = 21, kInt4 = 23, kOid = 26,
              kFloat4 = 700, kFloat8 = 701;

template <typename Number>
std::string Print(Number number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

template <typename Number>
Value ParseNumber(std::string_view text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::string(text);
  return number;
}

int Digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

// "\x00ff", as the session's bytea_output asks for.
Blob ParseBytea(std::string_view text) {
  Blob blob;
  if (!text.starts_with("\\x")) return blob;
  blob.bytes.reserve(text.size() / 2);
  for (std::size_t at = 2; at + 1 < text.size(); at += 2) {
    blob.bytes.push_back(static_cast<char>(Digit(text[at]) << 4 | Digit(text[at + 1])));
  }
  return blob;
}

}  // namespace

PostgresParameters::PostgresParameters(const std::vector<Value>& parameters) {
  numbers_.reserve(parameters.size());  // values_ points into it
  for (const Value& value : parameters) {
    Oid type = kInferred;
    const char* text = nullptr;
    int length = 0, format = 0;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      type = kInt8;
      text = numbers_.emplace_back(Print(*integer)).c_str();
    } else if (const auto* real = std::get_if<double>(&value)) {
      type = kFloat8;
      text = numbers_.emplace_back(std::isnan(*real) ? "NaN" : Print(*real)).c_str();
    } else if (const auto* string = std::get_if<std::string>(&value)) {
      text = string->c_str();
    } else if (const auto* blob = std::get_if<Blob>(&value)) {
      type = kBytea;
      text = blob->bytes.c_str();
      length = static_cast<int>(blob->bytes.size());
      format = 1;
    }
    types_.push_back(type);
    values_.push_back(text);
    lengths_.push_back(length);
    formats_.push_back(format);
  }
}

Value ReadPostgresText(Oid type, std::string_view text) {
  switch (type) {
    case kBool:
      return std::int64_t{text == "t"};
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid:
      return ParseNumber<std::int64_t>(text);
    case kFloat4:
    case kFloat8:
      return ParseNumber<double>(text);
    case kBytea:
      return ParseBytea(text);
    default:
      return std::string(text);
  }
}

}  // namespace toolpost::db
