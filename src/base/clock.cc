// Wall clock with a test override, and ISO 8601.
#include "base/clock.h"

#include <atomic>

namespace toolpost::base {
namespace {

// Ticks of the frozen clock; 0 means the real one.
std::atomic<WallTime::rep> frozen_ticks{0};

void PutDigits(char* at, unsigned value, int width) {
  for (int i = width - 1; i >= 0; --i, value /= 10) at[i] = static_cast<char>('0' + value % 10);
}

}  // namespace

WallTime Now() {
  const WallTime::rep ticks = frozen_ticks.load(std::memory_order_relaxed);
  return ticks == 0 ? std::chrono::system_clock::now() : WallTime(WallTime::duration(ticks));
}

void SetNowForTest(WallTime now) {
  frozen_ticks.store(now.time_since_epoch().count(), std::memory_order_relaxed);
}

std::string ToIso8601(WallTime time) {
  using std::chrono::floor;
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::milliseconds>(time - day));
  std::string text = "0000-00-00T00:00:00.000Z";
  PutDigits(&text[0], static_cast<unsigned>(static_cast<int>(date.year())), 4);
  PutDigits(&text[5], static_cast<unsigned>(date.month()), 2);
  PutDigits(&text[8], static_cast<unsigned>(date.day()), 2);
  PutDigits(&text[11], static_cast<unsigned>(clock.hours().count()), 2);
  PutDigits(&text[14], static_cast<unsigned>(clock.minutes().count()), 2);
  PutDigits(&text[17], static_cast<unsigned>(clock.seconds().count()), 2);
  PutDigits(&text[20], static_cast<unsigned>(clock.subseconds().count()), 3);
  return text;
}

}  // namespace toolpost::base
