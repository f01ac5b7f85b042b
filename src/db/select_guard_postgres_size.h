// How large the constants of an expression become when PostgreSQL computes them.
#pragma once

#include <string_view>

#include "toolpost/json.h"

namespace toolpost::db {

inline constexpr double kLargestConstant = 16.0 * 1024 * 1024;  // bytes
inline constexpr double kLongestSeries = 1e9;                   // rows

// An estimate of the bytes of a parse tree's expression; what is not a constant counts as one byte.
// PostgreSQL computes constant calls while it plans a statement, where timeouts do not reach.
double ConstantBytes(const Json& expression);
double CallBytes(const Json& call);  // of the inside of a FuncCall

inline constexpr double kMostComparisons = 1e9;  // a few seconds
// Whether this function or operator may compare every byte of its first argument with every byte of
// its second, without looking for a cancel request meanwhile.
bool ComparesBytes(std::string_view name);
// The product of the sizes of both, as far as it can exceed kMostComparisons.
double Comparisons(const Json& left, const Json& right);

// The rows of generate_series() with these arguments, or 0 when they are not constant numbers.
double SeriesRows(const Json& arguments);

}  // namespace toolpost::db
