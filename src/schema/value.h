// Equality, order and divisibility of JSON values as JSON Schema defines them: by mathematical
// value, without rounding.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "toolpost/json.h"

namespace toolpost::schema {

// Orders two numbers exactly, whatever their representation (int64, uint64, double). Both must be
// numbers.
std::strong_ordering CompareNumbers(const Json& a, const Json& b);

// Deep equality; 1 equals 1.0, the order of members does not count.
bool EqualValues(const Json& a, const Json& b);
bool EqualValues(const JsonObject& a, const JsonObject& b);

// Equal values have equal hashes.
std::size_t HashValue(const Json& value);

// True for an integer of any representation: 1, 1.0, 1e300.
bool IsIntegral(double value);

// A non-negative number as its shortest decimal form: digits * 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};
Decimal ToDecimal(const Json& number);
// Whether `number` is a whole multiple of `divisor` (not zero), reading both as the decimals people
// write: 0.3 is a multiple of 0.1. The sign does not count.
bool IsMultipleOf(const Json& number, const Decimal& divisor);

// The indices of the first two equal items found, if any. Costs one step of `steps` per item and
// comparison, and stops with no answer when none are left.
std::optional<std::pair<std::size_t, std::size_t>> FindDuplicate(const JsonArray& items,
                                                                 std::size_t& steps);

}  // namespace toolpost::schema
