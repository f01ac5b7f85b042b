// Unpacking.
#include "tools/mssql/agent_values.h"

#include <chrono>
#include <cstdio>

namespace toolpost::tools::mssql {
namespace {

struct Hms {
  std::int64_t hours;
  std::int64_t minutes;
  std::int64_t seconds;
};

Hms Unpacked(std::int64_t packed) { return {packed / 10000, packed / 100 % 100, packed % 100}; }

std::string Padded(const char* format, auto... numbers) {
  char text[40];
  std::snprintf(text, sizeof text, format, static_cast<int>(numbers)...);
  return text;
}

}  // namespace

std::optional<std::string> AgentTimeOfDay(std::optional<std::int64_t> time) {
  if (!time || *time < 0) return std::nullopt;
  const Hms at = Unpacked(*time);
  if (at.hours > 23 || at.minutes > 59 || at.seconds > 59) return std::nullopt;
  return Padded("%02d:%02d:%02d", at.hours, at.minutes, at.seconds);
}

std::optional<std::string> AgentTime(std::optional<std::int64_t> date,
                                     std::optional<std::int64_t> time) {
  if (!date || *date <= 0 || *date > 99991231) return std::nullopt;
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(*date / 10000)),
                                        std::chrono::month(*date / 100 % 100),
                                        std::chrono::day(*date % 100)};
  const std::optional<std::string> at = AgentTimeOfDay(time.value_or(0));
  if (!day.ok() || !at) return std::nullopt;
  return Padded("%04d-%02d-%02dT", *date / 10000, *date / 100 % 100, *date % 100) + *at;
}

std::optional<std::int64_t> AgentSeconds(std::optional<std::int64_t> duration) {
  if (!duration || *duration < 0) return std::nullopt;
  const Hms length = Unpacked(*duration);
  return length.hours * 3600 + length.minutes * 60 + length.seconds;
}

std::string_view AgentOutcome(std::optional<std::int64_t> status) {
  switch (status.value_or(5)) {
    case 0:
      return "failed";
    case 1:
      return "succeeded";
    case 2:
      return "retry";
    case 3:
      return "canceled";
    case 4:
      return "running";
    default:
      return "unknown";
  }
}

std::string_view AgentFrequency(std::optional<std::int64_t> type) {
  switch (type.value_or(0)) {
    case 1:
      return "once";
    case 4:
      return "daily";
    case 8:
      return "weekly";
    case 16:
      return "monthly";
    case 32:
      return "monthly relative";
    case 64:
      return "agent start";
    case 128:
      return "idle";
    default:
      return "unknown";
  }
}

std::string_view AgentAction(std::optional<std::int64_t> action) {
  switch (action.value_or(0)) {
    case 1:
      return "quit with success";
    case 2:
      return "quit with failure";
    case 3:
      return "next step";
    case 4:
      return "other step";
    default:
      return "unknown";
  }
}

}  // namespace toolpost::tools::mssql
