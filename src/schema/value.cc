// Exact arithmetic on JSON numbers, deep equality and duplicate search.
#include "schema/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

namespace toolpost::schema {

namespace {

using boost::json::kind;
__extension__ using Uint128 = unsigned __int128;

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;
constexpr std::size_t kPairwiseItems = 12;

std::strong_ordering OrderDoubles(double a, double b) {
  if (a < b) return std::strong_ordering::less;
  return a > b ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::strong_ordering CompareWithDouble(std::int64_t a, double b) {
  if (b >= kTwo63) return std::strong_ordering::less;
  if (b < -kTwo63) return std::strong_ordering::greater;
  const double whole = std::trunc(b);
  const auto order = a <=> static_cast<std::int64_t>(whole);
  return order != 0 ? order : OrderDoubles(whole, b);
}

std::strong_ordering CompareWithDouble(std::uint64_t a, double b) {
  if (b >= kTwo64) return std::strong_ordering::less;
  if (b < 0) return std::strong_ordering::greater;
  const double whole = std::trunc(b);
  const auto order = a <=> static_cast<std::uint64_t>(whole);
  return order != 0 ? order : OrderDoubles(whole, b);
}

std::strong_ordering CompareInt(std::int64_t a, const Json& b) {
  if (b.is_int64()) return a <=> b.get_int64();
  if (b.is_double()) return CompareWithDouble(a, b.get_double());
  return a < 0 ? std::strong_ordering::less : static_cast<std::uint64_t>(a) <=> b.get_uint64();
}

std::strong_ordering Reverse(std::strong_ordering order) { return 0 <=> order; }

bool EqualArrays(const JsonArray& a, const JsonArray& b) {
  return std::ranges::equal(a, b, [](const Json& x, const Json& y) { return EqualValues(x, y); });
}

std::size_t Mix(std::size_t hash) {
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

std::size_t HashText(std::string_view text) { return std::hash<std::string_view>()(text); }

std::size_t HashDouble(double value) {
  if (IsIntegral(value) && value >= -kTwo63 && value < kTwo64) {
    return Mix(value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                         : static_cast<std::uint64_t>(value));
  }
  return std::hash<double>()(value);
}

Uint128 PowerMod(Uint128 base, unsigned exponent, std::uint64_t modulus) {
  Uint128 result = 1 % modulus;
  for (base %= modulus; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

}  // namespace

std::strong_ordering CompareNumbers(const Json& a, const Json& b) {
  if (a.is_int64()) return CompareInt(a.get_int64(), b);
  if (b.is_int64()) return Reverse(CompareInt(b.get_int64(), a));
  if (a.is_uint64()) {
    return b.is_uint64() ? a.get_uint64() <=> b.get_uint64()
                         : CompareWithDouble(a.get_uint64(), b.get_double());
  }
  if (b.is_uint64()) return Reverse(CompareWithDouble(b.get_uint64(), a.get_double()));
  return OrderDoubles(a.get_double(), b.get_double());
}

bool EqualValues(const JsonObject& a, const JsonObject& b) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a, [&b](const auto& member) {
    const Json* other = b.if_contains(member.key());
    return other != nullptr && EqualValues(member.value(), *other);
  });
}

bool EqualValues(const Json& a, const Json& b) {
  switch (a.kind()) {
    case kind::null:
      return b.is_null();
    case kind::bool_:
      return b.is_bool() && a.get_bool() == b.get_bool();
    case kind::string:
      return b.is_string() && a.get_string() == b.get_string();
    case kind::array:
      return b.is_array() && EqualArrays(a.get_array(), b.get_array());
    case kind::object:
      return b.is_object() && EqualValues(a.get_object(), b.get_object());
    default:
      return b.is_number() && CompareNumbers(a, b) == 0;
  }
}

std::size_t HashValue(const Json& value) {
  switch (value.kind()) {
    case kind::null:
      return 0x51;
    case kind::bool_:
      return value.get_bool() ? 0x52 : 0x53;
    case kind::int64:
      return Mix(static_cast<std::uint64_t>(value.get_int64()));
    case kind::uint64:
      return Mix(value.get_uint64());
    case kind::double_:
      return HashDouble(value.get_double());
    case kind::string:
      return HashText(value.get_string());
    case kind::array: {
      std::size_t hash = 0x54;
      for (const Json& item : value.get_array()) hash = Mix(hash * 31 + HashValue(item));
      return hash;
    }
    case kind::object: {
      std::size_t hash = 0x55;
      for (const auto& member : value.get_object()) {
        hash += Mix(HashText(member.key()) * 31 + HashValue(member.value()));
      }
      return hash;
    }
  }
  return 0;
}

bool IsIntegral(double value) { return std::isfinite(value) && std::trunc(value) == value; }

Decimal ToDecimal(const Json& number) {
  if (number.is_uint64()) return {number.get_uint64(), 0};
  if (number.is_int64()) {
    const auto bits = static_cast<std::uint64_t>(number.get_int64());
    return {number.get_int64() < 0 ? 0 - bits : bits, 0};
  }
  // The shortest scientific form has at most 17 digits: d.ddde±xx.
  char text[40];
  const char* end = std::to_chars(text, text + sizeof text, std::fabs(number.get_double()),
                                  std::chars_format::scientific)
                        .ptr;
  Decimal decimal;
  const char* at = text;
  bool fraction = false;
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      fraction = true;
    } else {
      decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
      if (fraction) --decimal.exponent;
    }
  }
  int exponent = 0;
  if (at != end) std::from_chars(at + (at[1] == '+' ? 2 : 1), end, exponent);
  decimal.exponent += exponent;
  return decimal;
}

bool IsMultipleOf(const Json& number, const Decimal& divisor) {
  const Decimal value = ToDecimal(number);
  if (value.digits == 0) return true;
  const int shift = value.exponent - divisor.exponent;
  if (shift >= 0) {
    const Uint128 power = PowerMod(10, static_cast<unsigned>(shift), divisor.digits);
    return power * (value.digits % divisor.digits) % divisor.digits == 0;
  }
  Uint128 scaled = divisor.digits;
  for (int i = 0; i < -shift; ++i) {
    scaled *= 10;
    if (scaled > value.digits) return false;
  }
  return value.digits % static_cast<std::uint64_t>(scaled) == 0;
}

std::optional<std::pair<std::size_t, std::size_t>> FindDuplicate(const JsonArray& items,
                                                                 std::size_t& steps) {
  const auto equal = [&](std::size_t a, std::size_t b) {
    if (steps == 0) return false;
    --steps;
    return EqualValues(items[a], items[b]);
  };
  if (items.size() <= kPairwiseItems) {
    for (std::size_t b = 1; b < items.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (equal(a, b)) return std::pair(a, b);
      }
    }
    return std::nullopt;
  }
  if (steps < items.size()) {
    steps = 0;
    return std::nullopt;
  }
  steps -= items.size();
  std::vector<std::pair<std::size_t, std::size_t>> hashes(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) hashes[i] = {HashValue(items[i]), i};
  std::ranges::sort(hashes);
  for (std::size_t b = 1; b < hashes.size(); ++b) {
    for (std::size_t a = b; a-- > 0 && hashes[a].first == hashes[b].first && steps != 0;) {
      if (equal(hashes[a].second, hashes[b].second)) {
        return std::pair(hashes[a].second, hashes[b].second);
      }
    }
  }
  return std::nullopt;
}

}  // namespace toolpost::schema
