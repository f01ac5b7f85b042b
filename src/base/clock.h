// Time as text, and the one seam through which tests set the wall clock.
#pragma once

#include <chrono>
#include <string>

namespace toolpost::base {

using WallTime = std::chrono::system_clock::time_point;
using SteadyTime = std::chrono::steady_clock::time_point;

WallTime Now();
// Tests only: freezes Now() until called with an empty value (time_point{}).
void SetNowForTest(WallTime now);
// "2026-07-28T12:34:56.789Z"
std::string ToIso8601(WallTime time);

}  // namespace toolpost::base
