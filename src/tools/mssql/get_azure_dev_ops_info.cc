// mssql/GetAzureDevOpsInfo.
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/devops_sql.h"
#include "tools/mssql/statement.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::int64_t kMostOfEach = 1000;

struct Args {
  std::string connection_name;
  std::int64_t limit = 100;
  static constexpr auto Fields() {
    return std::tuple{
        ConnectionField<Args>(),
        Opt("limit", &Args::limit, "Projects, repositories.").Range(1, kMostOfEach).Default(100)};
  }
};

struct ProjectView {
  std::string project_id;
  std::string name;
  std::optional<std::string> process;
  std::optional<std::string> description;
  std::optional<std::string> created_date;
  std::optional<std::string> last_updated_date;
  static constexpr auto Fields() {
    using View = ProjectView;
    return std::tuple{
        Req("projectId", &View::project_id),     Req("name", &View::name),
        Opt("process", &View::process),          Opt("description", &View::description),
        Opt("createdDate", &View::created_date), Opt("lastUpdatedDate", &View::last_updated_date)};
  }
};

struct RepositoryView {
  std::string repository_id;
  std::string name;
  std::optional<std::int64_t> size;
  std::optional<std::string> created_date;
  std::optional<std::string> project_id;
  std::optional<std::string> project_name;
  static constexpr auto Fields() {
    using View = RepositoryView;
    return std::tuple{
        Req("repositoryId", &View::repository_id), Req("name", &View::name),
        Opt("size", &View::size, "Bytes."),        Opt("createdDate", &View::created_date),
        Req("projectId", &View::project_id),       Req("projectName", &View::project_name)};
  }
};

struct Out {
  bool available = false;
  std::optional<std::string> message;
  std::vector<ProjectView> projects;
  std::vector<RepositoryView> repositories;
  std::optional<std::int64_t> build_definition_count;
  std::optional<std::int64_t> work_item_count;
  std::vector<std::string> warnings;
  static constexpr auto Fields() {
    return std::tuple{Req("available", &Out::available, "Whether this is such a database."),
                      Opt("message", &Out::message),
                      Req("projects", &Out::projects),
                      Req("repositories", &Out::repositories),
                      Opt("buildDefinitionCount", &Out::build_definition_count),
                      Opt("workItemCount", &Out::work_item_count),
                      Req("warnings", &Out::warnings, "What is missing, and why.")};
  }
};

// Which tables the database has, and what it is called.
struct Found {
  bool projects = false;
  bool repositories = false;
  bool pipelines = false;
  bool work_items = false;
  bool containers = false;
  std::string database;
};

Result<Found> Look(const Statements& statements) {
  ASSIGN_OR_RETURN(const std::vector<db::Row> rows, statements.Rows(kDevOpsTablesSql));
  Found found;
  if (rows.empty()) return found;
  Cells cells(rows.front());
  for (bool* table : {&found.projects, &found.repositories, &found.pipelines, &found.work_items,
                      &found.containers})
    *table = cells.Integer().has_value();
  found.database = cells.Text();
  return found;
}

// Drops the row that was only asked for to see whether there are more.
void Limit(Out& out, std::string_view what, std::vector<db::Row>& rows, std::size_t limit) {
  if (rows.size() <= limit) return;
  rows.resize(limit);
  out.warnings.push_back(base::StrCat(
      what, ": there are more than these ", limit,
      limit < kMostOfEach ? base::StrCat("; limit shows up to ", kMostOfEach) : std::string()));
}

// One part of the answer. What the login may not read, or what another version of the product
// names differently, is missing with a reason; everything else is an error.
template <typename Function>
Result<void> Part(const Statements& statements, Out& out, std::string_view what, bool there,
                  std::string_view sql, const JsonObject& parameters, Function function) {
  if (!there) {
    out.warnings.push_back(base::StrCat(what, ": this database has no such table"));
    return {};
  }
  auto rows = statements.Rows(sql, parameters);
  if (rows) {
    if (const Json* take = parameters.if_contains("take"))
      Limit(out, what, *rows, static_cast<std::size_t>(take->as_int64() - 1));
    for (const db::Row& row : *rows) function(Cells(row));
    return {};
  }
  const Error& error = rows.error();
  if (error.code != Code::kPermissionDenied && error.code != Code::kNotFound &&
      error.code != Code::kExecutionFailed)
    return error;
  out.warnings.push_back(base::StrCat(what, ": ", error.message));
  return {};
}

RepositoryView RepositoryOf(Cells cells, const std::map<std::string, std::string>& project_names) {
  RepositoryView repository;
  repository.repository_id = cells.Text();
  repository.name = cells.Text();
  repository.size = cells.Integer();
  repository.created_date = cells.OptionalText();
  repository.project_id = cells.OptionalText();
  if (!repository.project_id) return repository;
  const auto project = project_names.find(*repository.project_id);
  if (project != project_names.end()) repository.project_name = project->second;
  return repository;
}

Result<Out> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Statements statements,
                   Statements::On(services, args.connection_name, context));
  ASSIGN_OR_RETURN(const Found found, Look(statements));
  Out out;
  out.available = found.projects || found.repositories;
  if (!out.available) {
    out.message = base::StrCat(
        "The database ", found.database,
        " is no collection database of Azure DevOps Server, or the login may not see its tables: "
        "neither AnalyticsModel.tbl_Project nor dbo.tbl_GitRepository is there");
    return out;
  }
  std::map<std::string, std::string> project_names;
  RETURN_IF_ERROR(Part(statements, out, "projects", found.projects, kDevOpsProjectsSql,
                       {{"take", args.limit + 1}}, [&](Cells cells) {
                         ProjectView& project = out.projects.emplace_back();
                         project.project_id = cells.Text();
                         project.name = cells.Text();
                         project.process = cells.OptionalText();
                         project.description = cells.OptionalText();
                         project.created_date = cells.OptionalText();
                         project.last_updated_date = cells.OptionalText();
                         project_names[project.project_id] = project.name;
                       }));
  RETURN_IF_ERROR(Part(statements, out, "repositories", found.repositories,
                       found.containers ? kDevOpsContainedRepositoriesSql : kDevOpsRepositoriesSql,
                       {{"take", args.limit + 1}}, [&](Cells cells) {
                         out.repositories.push_back(RepositoryOf(cells, project_names));
                       }));
  RETURN_IF_ERROR(Part(statements, out, "build pipelines", found.pipelines, kDevOpsPipelinesSql, {},
                       [&](Cells cells) { out.build_definition_count = cells.Integer(); }));
  RETURN_IF_ERROR(Part(statements, out, "work items", found.work_items, kDevOpsWorkItemsSql, {},
                       [&](Cells cells) { out.work_item_count = cells.Integer(); }));
  return out;
}

}  // namespace

Tool GetAzureDevOpsInfoTool(MssqlServices services) {
  return ServerTool(InfoOf("GetAzureDevOpsInfo", "mssql_get_azure_devops_info", "Azure DevOps",
                           "Projects, repositories and counts of an Azure DevOps database."),
                    std::move(services), Run);
}

}  // namespace toolpost::tools::mssql
