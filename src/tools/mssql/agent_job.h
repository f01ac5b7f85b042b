// A job of SQL Server Agent as the tools show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "toolpost/schema.h"
#include "tools/mssql/statement.h"

namespace toolpost::tools::mssql {

// Of JobView and of what has more members than it.
template <typename View>
constexpr auto JobFields() {
  return std::tuple{Req("jobId", &View::job_id),
                    Req("name", &View::name),
                    Req("enabled", &View::enabled),
                    Opt("description", &View::description),
                    Opt("owner", &View::owner),
                    Opt("category", &View::category),
                    Opt("dateCreated", &View::date_created, "Server's time."),
                    Opt("dateModified", &View::date_modified),
                    Req("lastRunOutcome", &View::last_run_outcome),
                    Opt("lastRunDate", &View::last_run_date),
                    Opt("lastRunDurationSeconds", &View::last_run_duration_seconds),
                    Opt("nextRunDate", &View::next_run_date),
                    Req("isRunning", &View::is_running)};
}

// Times are the server's own, without a zone.
struct JobView {
  std::string job_id;
  std::string name;
  bool enabled = false;
  std::optional<std::string> description;
  std::optional<std::string> owner;
  std::optional<std::string> category;
  std::optional<std::string> date_created;
  std::optional<std::string> date_modified;
  std::string last_run_outcome;
  std::optional<std::string> last_run_date;
  std::optional<std::int64_t> last_run_duration_seconds;
  std::optional<std::string> next_run_date;
  bool is_running = false;
  static constexpr auto Fields() { return JobFields<JobView>(); }
};

struct JobFilter {
  std::string name;     // exactly this one; empty: all
  std::string pattern;  // LIKE
  std::string after;
  std::int64_t take = 100;
};

// In the order of names. Errors as ExplainAgent() words them.
Result<std::vector<JobView>> ReadJobs(const Statements& statements, const JobFilter& filter);

// A missing permission in msdb says which role to ask for; a server without Agent says so.
Error ExplainAgent(Error error);

}  // namespace toolpost::tools::mssql
