// Proleptic Gregorian calendar, by std::chrono.
#include "tds_server/calendar.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace toolpost::tds_server {
namespace {

constexpr std::chrono::sys_days kFirstDay{std::chrono::year(1) / 1 / 1};

// Takes `count` digits from the front of `text`.
std::optional<int> Digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool Skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool ParseDate(std::string_view& text, Moment& moment) {
  const auto year = Digits(text, 4);
  if (!year || !Skip(text, '-')) return false;
  const auto month = Digits(text, 2);
  if (!month || !Skip(text, '-')) return false;
  const auto day = Digits(text, 2);
  if (!day) return false;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return false;
  moment.days = (std::chrono::sys_days(date) - kFirstDay).count();
  return true;
}

bool ParseTime(std::string_view& text, Moment& moment) {
  const auto hour = Digits(text, 2);
  if (!hour || !Skip(text, ':')) return false;
  const auto minute = Digits(text, 2);
  if (!minute) return false;
  std::int64_t second = 0, fraction = 0;
  if (Skip(text, ':')) {
    const auto digits = Digits(text, 2);
    if (!digits) return false;
    second = *digits;
    std::int64_t unit = 1'000'000;
    if (Skip(text, '.')) {
      for (; unit > 0; unit /= 10) {
        const auto digit = Digits(text, 1);
        if (!digit) break;
        fraction += *digit * unit;
      }
    }
  }
  moment.ticks = ((std::int64_t{*hour} * 60 + *minute) * 60 + second) * 10'000'000 + fraction;
  return moment.ticks < kTicksPerDay;
}

bool ParseOffset(std::string_view& text, Moment& moment) {
  if (Skip(text, 'Z')) return true;
  const bool west = text.starts_with('-');
  if (!west && !text.starts_with('+')) return false;
  text.remove_prefix(1);
  const auto hours = Digits(text, 2);
  if (!hours || !Skip(text, ':')) return false;
  const auto minutes = Digits(text, 2);
  if (!minutes) return false;
  moment.offset = (*hours * 60 + *minutes) * (west ? -1 : 1);
  return true;
}

}  // namespace

std::optional<Moment> ParseMoment(std::string_view text) {
  Moment moment;
  if (text.size() < 5) return std::nullopt;
  const bool dated = text[4] == '-';
  if (dated && !ParseDate(text, moment)) return std::nullopt;
  if (dated && !text.empty() && !Skip(text, ' ') && !Skip(text, 'T')) return std::nullopt;
  if (!text.empty() && !ParseTime(text, moment)) return std::nullopt;
  Skip(text, ' ');
  if (!text.empty() && !ParseOffset(text, moment)) return std::nullopt;
  if (!text.empty()) return std::nullopt;
  return moment;
}

std::string DateText(std::int64_t days) {
  const std::chrono::year_month_day date{kFirstDay + std::chrono::days(days)};
  char text[16];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()) % 10'000,
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

std::string TimeText(std::int64_t ticks, int digits) {
  const std::int64_t seconds = ticks / 10'000'000;
  char text[32];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d.%07d", static_cast<int>(seconds / 3600 % 24),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60),
                static_cast<int>(ticks % 10'000'000));
  return std::string(text).substr(0, digits > 0 ? 9 + static_cast<std::size_t>(digits) : 8);
}

std::string OffsetText(int minutes) {
  char text[16];
  const int size = std::abs(minutes) % 1440;
  std::snprintf(text, sizeof text, "%c%02d:%02d", minutes < 0 ? '-' : '+', size / 60, size % 60);
  return text;
}

}  // namespace toolpost::tds_server
