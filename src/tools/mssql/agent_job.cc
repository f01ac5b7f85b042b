// Reading jobs.
#include "tools/mssql/agent_job.h"

#include <utility>

#include "base/strings.h"
#include "tools/mssql/agent_sql.h"
#include "tools/mssql/agent_values.h"
#include "tools/mssql/redact_secrets.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::int64_t kTimeOfDay = 1'000'000;  // next_run is date * this + time

JobView ViewOf(const db::Row& row) {
  Cells cells(row);
  JobView job;
  job.job_id = cells.Text();
  job.name = cells.Text();
  job.enabled = cells.Flag();
  job.description = Redacted(cells.OptionalText());
  job.owner = cells.OptionalText();
  job.category = cells.OptionalText();
  job.date_created = cells.OptionalText();
  job.date_modified = cells.OptionalText();
  job.last_run_outcome = AgentOutcome(cells.Integer());
  const std::optional<std::int64_t> date = cells.Integer();
  job.last_run_date = AgentTime(date, cells.Integer());
  const std::optional<std::int64_t> duration = cells.Integer();
  if (job.last_run_date) job.last_run_duration_seconds = AgentSeconds(duration);
  if (const auto next = cells.Integer())
    job.next_run_date = AgentTime(*next / kTimeOfDay, *next % kTimeOfDay);
  job.is_running = cells.Flag();
  return job;
}

}  // namespace

Error ExplainAgent(Error error) {
  if (error.code == Code::kPermissionDenied) {
    error.message = base::StrCat(
        "The login may not read SQL Server Agent: `toolpost mssql setup-sql --agent-jobs` prints "
        "what "
        "to grant it in msdb, or add it to SQLAgentReaderRole and db_datareader there. The server "
        "says: ",
        error.message);
  } else if (error.code == Code::kNotFound) {
    error.message = base::StrCat(
        "This server has no SQL Server Agent to read: Azure SQL Database and servers without msdb "
        "have none. The server says: ",
        error.message);
  }
  return error;
}

Result<std::vector<JobView>> ReadJobs(const Statements& statements, const JobFilter& filter) {
  const auto rows = statements.Rows(kAgentJobsSql, {{"take", filter.take},
                                                    {"name", filter.name},
                                                    {"pattern", filter.pattern},
                                                    {"after", filter.after}});
  if (!rows) return ExplainAgent(rows.error());
  std::vector<JobView> jobs;
  for (const db::Row& row : *rows) jobs.push_back(ViewOf(row));
  return jobs;
}

}  // namespace toolpost::tools::mssql
