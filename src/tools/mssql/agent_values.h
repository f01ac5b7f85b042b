// The packed numbers of msdb in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::tools::mssql {

// run_date 20260131 and run_time 231005: "2026-01-31T23:10:05", in the server's own time zone.
// Empty for 0 and for what is no date.
std::optional<std::string> AgentTime(std::optional<std::int64_t> date,
                                     std::optional<std::int64_t> time);
// 231005: "23:10:05".
std::optional<std::string> AgentTimeOfDay(std::optional<std::int64_t> time);
// run_duration, HHMMSS with any number of hours, in seconds.
std::optional<std::int64_t> AgentSeconds(std::optional<std::int64_t> duration);
// run_status and last_run_outcome: failed, succeeded, retry, canceled, running, unknown.
std::string_view AgentOutcome(std::optional<std::int64_t> status);
// freq_type: once, daily, weekly, monthly, monthly relative, agent start, idle.
std::string_view AgentFrequency(std::optional<std::int64_t> type);
// on_success_action and on_fail_action.
std::string_view AgentAction(std::optional<std::int64_t> action);

}  // namespace toolpost::tools::mssql
