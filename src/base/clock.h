// Time as text, and the one seam through which tests set the wall clock.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::base {

using WallTime = std::chrono::system_clock::time_point;
using SteadyTime = std::chrono::steady_clock::time_point;

WallTime Now();
// Tests only: freezes Now() until called with an empty value (time_point{}).
void SetNowForTest(WallTime now);
// "2026-07-28T12:34:56.789Z"
std::string ToIso8601(WallTime time);
// RFC 3339: "2026-07-28T12:34:56Z", with a fraction of at most nine digits, or an offset such as
// "+02:00"; or a date alone, which means its start in UTC. Otherwise empty.
std::optional<WallTime> FromIso8601(std::string_view text);

}  // namespace toolpost::base
