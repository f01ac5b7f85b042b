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

// `width` digits at the start of `text`, which they are removed from; -1 if they are not there.
int TakeDigits(std::string_view& text, std::size_t width) {
  if (text.size() < width) return -1;
  int value = 0;
  for (const char c : text.substr(0, width)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(width);
  return value;
}

bool Take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// ".123456789" as nanoseconds; nothing there is zero.
std::optional<std::chrono::nanoseconds> TakeFraction(std::string_view& text) {
  if (!Take(text, '.')) return std::chrono::nanoseconds(0);
  std::int64_t value = 0;
  int digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; ++digits) {
    if (digits == 9) return std::nullopt;
    value = value * 10 + (text.front() - '0');
    text.remove_prefix(1);
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 9; ++digits) value *= 10;
  return std::chrono::nanoseconds(value);
}

// "Z", "+02:00" or "-11:30".
std::optional<std::chrono::minutes> TakeOffset(std::string_view& text) {
  if (Take(text, 'Z') || Take(text, 'z')) return std::chrono::minutes(0);
  const bool west = Take(text, '-');
  if (!west && !Take(text, '+')) return std::nullopt;
  const int hours = TakeDigits(text, 2);
  if (hours < 0 || hours > 23 || !Take(text, ':')) return std::nullopt;
  const int minutes = TakeDigits(text, 2);
  if (minutes < 0 || minutes > 59) return std::nullopt;
  return std::chrono::minutes((west ? -1 : 1) * (hours * 60 + minutes));
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

std::optional<WallTime> FromIso8601(std::string_view text) {
  const int year = TakeDigits(text, 4);
  if (year < 0 || !Take(text, '-')) return std::nullopt;
  const int month = TakeDigits(text, 2);
  if (month < 0 || !Take(text, '-')) return std::nullopt;
  const int day = TakeDigits(text, 2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (day < 0 || !date.ok()) return std::nullopt;
  // The clock counts nanoseconds in 64 bits.
  if (year < 1678 || year > 2261) return std::nullopt;
  const WallTime midnight = std::chrono::sys_days(date);
  if (text.empty()) return midnight;
  if (!Take(text, 'T') && !Take(text, 't') && !Take(text, ' ')) return std::nullopt;
  const int hours = TakeDigits(text, 2);
  if (hours < 0 || hours > 23 || !Take(text, ':')) return std::nullopt;
  const int minutes = TakeDigits(text, 2);
  if (minutes < 0 || minutes > 59 || !Take(text, ':')) return std::nullopt;
  const int seconds = TakeDigits(text, 2);
  if (seconds < 0 || seconds > 59) return std::nullopt;
  const auto fraction = TakeFraction(text);
  const auto offset = fraction ? TakeOffset(text) : std::nullopt;
  if (!offset || !text.empty()) return std::nullopt;
  return midnight + std::chrono::hours(hours) + std::chrono::minutes(minutes) - *offset +
         std::chrono::seconds(seconds) + std::chrono::duration_cast<WallTime::duration>(*fraction);
}

}  // namespace toolpost::base
