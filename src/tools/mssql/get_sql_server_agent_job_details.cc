// mssql/GetSqlServerAgentJobDetails.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/mssql/agent_job.h"
#include "tools/mssql/agent_sql.h"
#include "tools/mssql/agent_values.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/redact_secrets.h"

namespace toolpost::tools::mssql {
namespace {

struct Args {
  std::string connection_name;
  std::string job_name;
  std::int64_t history_limit = 10;
  static constexpr auto Fields() {
    return std::tuple{
        Req("jobName", &Args::job_name, "Its name.").MinLength(1).MaxLength(128),
        ConnectionField<Args>(),
        Opt("historyLimit", &Args::history_limit, "Last entries.").Range(0, 1000).Default(10)};
  }
};

struct StepView {
  std::int64_t step_id = 0;
  std::string step_name;
  std::optional<std::string> subsystem;
  std::optional<std::string> command;
  std::optional<std::string> database_name;
  std::string on_success_action;
  std::string on_fail_action;
  std::int64_t retry_attempts = 0;
  static constexpr auto Fields() {
    using View = StepView;
    return std::tuple{Req("stepId", &View::step_id),
                      Req("stepName", &View::step_name),
                      Opt("subsystem", &View::subsystem),
                      Opt("command", &View::command, "Without its secrets."),
                      Opt("databaseName", &View::database_name),
                      Req("onSuccessAction", &View::on_success_action),
                      Req("onFailAction", &View::on_fail_action),
                      Req("retryAttempts", &View::retry_attempts)};
  }
};

struct ScheduleView {
  std::string schedule_name;
  bool enabled = false;
  std::string frequency_type;
  std::int64_t frequency_interval = 0;
  std::optional<std::string> active_start;
  std::optional<std::string> active_end;
  std::optional<std::string> active_start_time;
  std::optional<std::string> active_end_time;
  std::optional<std::string> next_run_date;
  static constexpr auto Fields() {
    using View = ScheduleView;
    return std::tuple{Req("scheduleName", &View::schedule_name),
                      Req("enabled", &View::enabled),
                      Req("frequencyType", &View::frequency_type),
                      Req("frequencyInterval", &View::frequency_interval),
                      Opt("activeStart", &View::active_start),
                      Opt("activeEnd", &View::active_end),
                      Opt("activeStartTime", &View::active_start_time),
                      Opt("activeEndTime", &View::active_end_time),
                      Opt("nextRunDate", &View::next_run_date)};
  }
};

struct HistoryView {
  std::int64_t instance_id = 0;
  bool is_outcome = false;
  std::int64_t step_id = 0;
  std::optional<std::string> step_name;
  std::optional<std::string> run_date;
  std::string run_status;
  std::optional<std::int64_t> run_duration_seconds;
  std::optional<std::string> message;
  static constexpr auto Fields() {
    using View = HistoryView;
    return std::tuple{Req("instanceId", &View::instance_id),
                      Req("isJobOutcome", &View::is_outcome, "Of the whole job, not of a step."),
                      Req("stepId", &View::step_id),
                      Opt("stepName", &View::step_name),
                      Opt("runDate", &View::run_date),
                      Req("runStatus", &View::run_status),
                      Opt("runDurationSeconds", &View::run_duration_seconds),
                      Opt("message", &View::message)};
  }
};

struct JobDetailsView : JobView {
  std::vector<StepView> steps;
  std::vector<ScheduleView> schedules;
  std::vector<HistoryView> history;
  static constexpr auto Fields() {
    using View = JobDetailsView;
    return std::tuple_cat(JobFields<View>(),
                          std::tuple{Req("steps", &View::steps), Req("schedules", &View::schedules),
                                     Req("history", &View::history, "Newest first.")});
  }
};

struct Out {
  JobDetailsView job;
  static constexpr auto Fields() { return std::tuple{Req("job", &Out::job)}; }
};

StepView StepOf(Cells cells) {
  StepView step;
  step.step_id = cells.Integer().value_or(0);
  step.step_name = cells.Text();
  step.subsystem = cells.OptionalText();
  step.command = Redacted(cells.OptionalText(), step.subsystem == "SSIS");
  step.database_name = cells.OptionalText();
  step.on_success_action = AgentAction(cells.Integer());
  step.on_fail_action = AgentAction(cells.Integer());
  step.retry_attempts = cells.Integer().value_or(0);
  return step;
}

ScheduleView ScheduleOf(Cells cells) {
  ScheduleView schedule;
  schedule.schedule_name = cells.Text();
  schedule.enabled = cells.Flag();
  schedule.frequency_type = AgentFrequency(cells.Integer());
  schedule.frequency_interval = cells.Integer().value_or(0);
  const auto start_date = cells.Integer();
  const auto start_time = cells.Integer();
  const auto end_date = cells.Integer();
  const auto end_time = cells.Integer();
  schedule.active_start = AgentTime(start_date, start_time);
  // 9999-12-31 is how msdb says "without end".
  if (end_date && *end_date < 99991231) schedule.active_end = AgentTime(end_date, end_time);
  schedule.active_start_time = AgentTimeOfDay(start_time);
  schedule.active_end_time = AgentTimeOfDay(end_time);
  const auto next_date = cells.Integer();
  schedule.next_run_date = AgentTime(next_date, cells.Integer());
  return schedule;
}

HistoryView HistoryOf(Cells cells) {
  HistoryView entry;
  entry.instance_id = cells.Integer().value_or(0);
  entry.step_id = cells.Integer().value_or(0);
  entry.is_outcome = entry.step_id == 0;
  entry.step_name = cells.OptionalText();
  const auto date = cells.Integer();
  entry.run_date = AgentTime(date, cells.Integer());
  entry.run_status = AgentOutcome(cells.Integer());
  entry.run_duration_seconds = AgentSeconds(cells.Integer());
  entry.message = Redacted(cells.OptionalText());
  return entry;
}

template <typename View>
Result<void> ReadInto(std::vector<View>& views, const Statements& statements, std::string_view sql,
                      const JsonObject& parameters, View (*view_of)(Cells)) {
  const auto rows = statements.Rows(sql, parameters);
  if (!rows) return ExplainAgent(rows.error());
  for (const db::Row& row : *rows) views.push_back(view_of(Cells(row)));
  return {};
}

Result<Out> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  RETURN_IF_ERROR(
      CheckNotBlank("jobName", args.job_name, "GetSqlServerAgentJobs lists the names there are"));
  ASSIGN_OR_RETURN(const Statements statements,
                   Statements::On(services, args.connection_name, context));
  ASSIGN_OR_RETURN(
      std::vector<JobView> jobs,
      ReadJobs(statements, {.name = args.job_name, .pattern = "", .after = "", .take = 1}));
  if (jobs.empty()) {
    return Error::NotFound(base::StrCat("There is no job ", args.job_name,
                                        ", or the login may not see it. GetSqlServerAgentJobs "
                                        "lists those there are"));
  }
  Out out;
  static_cast<JobView&>(out.job) = std::move(jobs.front());
  const JsonObject job{{"jobId", out.job.job_id}};
  RETURN_IF_ERROR(ReadInto(out.job.steps, statements, kAgentStepsSql, job, StepOf));
  RETURN_IF_ERROR(ReadInto(out.job.schedules, statements, kAgentSchedulesSql, job, ScheduleOf));
  if (args.history_limit == 0) return out;
  RETURN_IF_ERROR(ReadInto(out.job.history, statements, kAgentHistorySql,
                           {{"jobId", out.job.job_id}, {"take", args.history_limit}}, HistoryOf));
  return out;
}

}  // namespace

Tool GetSqlServerAgentJobDetailsTool(MssqlServices services) {
  return ServerTool(
      InfoOf("GetSqlServerAgentJobDetails", "mssql_get_agent_job_details", "Agent job details",
             "Steps, schedules and history of a job; secrets in commands are left out."),
      std::move(services), Run);
}

}  // namespace toolpost::tools::mssql
