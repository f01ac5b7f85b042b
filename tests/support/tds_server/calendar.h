// Dates and times as the protocol counts them and as ISO 8601 writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::tds_server {

// What a text says; parts that it lacks are zero (the day 0001-01-01 has number 0).
struct Moment {
  std::int64_t days = 0;   // since 0001-01-01
  std::int64_t ticks = 0;  // of 100 ns since midnight
  int offset = 0;          // minutes east of UTC
};

// `2024-02-29`, `23:59:58.1234567`, both with a space or `T` between them, then `Z` or ` +05:30`.
std::optional<Moment> ParseMoment(std::string_view text);

std::string DateText(std::int64_t days);
// With `digits` digits of the second's fraction.
std::string TimeText(std::int64_t ticks, int digits);
std::string OffsetText(int minutes);

inline constexpr std::int64_t kTicksPerDay = 864'000'000'000;
// Of one unit of the last of n digits behind the second.
inline constexpr std::int64_t kTicksPerUnit[] = {10'000'000, 1'000'000, 100'000, 10'000,
                                                 1'000,      100,       10,      1};
inline constexpr std::int64_t kDaysTo1900 = 693'595;

}  // namespace toolpost::tds_server
