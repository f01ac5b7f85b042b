// mssql/GetSqlServerAgentJobs.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/crypto.h"
#include "base/strings.h"
#include "tools/mssql/agent_job.h"
#include "tools/mssql/definition.h"
#include "tools/page.h"

namespace toolpost::tools::mssql {
namespace {

struct Args {
  std::string connection_name;
  std::string name_pattern;
  std::int64_t limit = 100;
  std::string cursor;
  static constexpr auto Fields() {
    return std::tuple{ConnectionField<Args>(),
                      Opt("namePattern", &Args::name_pattern, "LIKE this.").MaxLength(200),
                      Opt("limit", &Args::limit, "Most.").Range(1, 1000).Default(100),
                      Opt("cursor", &Args::cursor, "nextCursor.").MaxLength(2000)};
  }
};

struct Out {
  std::vector<JobView> jobs;
  std::int64_t count = 0;
  std::optional<std::string> next_cursor;
  static constexpr auto Fields() {
    return std::tuple{Req("jobs", &Out::jobs), Req("count", &Out::count),
                      Opt("nextCursor", &Out::next_cursor, "There are more.")};
  }
};

Result<Out> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  RETURN_IF_ERROR(CheckNotBlank("namePattern", args.name_pattern, kAnyName));
  // The name of the last job: it opens nothing that the list would not show.
  const std::optional<std::string> after = base::FromBase64Url(args.cursor);
  if (!after || !base::IsValidUtf8(*after))
    return Error::InvalidParams("cursor must be the nextCursor of the last page, unchanged");
  ASSIGN_OR_RETURN(const Statements statements,
                   Statements::On(services, args.connection_name, context));
  Out out;
  ASSIGN_OR_RETURN(out.jobs, ReadJobs(statements, {.name = "",
                                                   .pattern = args.name_pattern,
                                                   .after = *after,
                                                   .take = args.limit + 1}));
  const auto limit = static_cast<std::size_t>(args.limit);
  const bool more = out.jobs.size() > limit;
  if (more) out.jobs.resize(limit);
  out.next_cursor = CutPage(out.jobs, more, services.result_chars - kRestOfPage,
                            [](const JobView& last) { return base::ToBase64Url(last.name); });
  out.count = static_cast<std::int64_t>(out.jobs.size());
  return out;
}

}  // namespace

Tool GetSqlServerAgentJobsTool(MssqlServices services) {
  return ServerTool(InfoOf("GetSqlServerAgentJobs", "mssql_get_agent_jobs", "Agent jobs",
                           "Jobs of SQL Server Agent with their last and next runs."),
                    std::move(services), Run);
}

}  // namespace toolpost::tools::mssql
