// mssql/GetSsisCatalogInfo.
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/redact_secrets.h"
#include "tools/mssql/ssis_sql.h"
#include "tools/mssql/ssis_view.h"
#include "tools/mssql/statement.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::int64_t kProjectParameter = 20;  // object_type of parameters of a project

struct Args {
  std::string connection_name;
  std::int64_t execution_limit = 10;
  static constexpr auto Fields() {
    return std::tuple{
        ConnectionField<Args>(),
        Opt("executionLimit", &Args::execution_limit, "Last runs.").Range(0, 1000).Default(10)};
  }
};

std::string_view ExecutionStatus(std::optional<std::int64_t> status) {
  constexpr std::string_view kNames[] = {
      "unknown",   "created",  "running",  "canceled", "failed", "pending", "ended unexpectedly",
      "succeeded", "stopping", "completed"};
  const std::int64_t number = status.value_or(0);
  return number > 0 && number < static_cast<std::int64_t>(std::size(kNames)) ? kNames[number]
                                                                             : kNames[0];
}

std::string_view ValidationStatus(std::string_view code) {
  if (code == "S") return "succeeded";
  if (code == "F") return "failed";
  if (code == "C") return "being validated";
  return "not validated";
}

// Fills a view from the rows of each statement, by the ids that tie them together.
class Reader {
 public:
  Reader(const Statements& statements, SsisCatalogView& view)
      : statements_(statements), view_(view) {}

  // False: there is no catalogue, and the view says so.
  Result<bool> Open() {
    ASSIGN_OR_RETURN(const std::vector<db::Row> rows, statements_.Rows(kSsisDatabaseSql));
    if (rows.empty()) {
      view_.message =
          "This server has no catalog of Integration Services: the database SSISDB is not there";
      return false;
    }
    Cells cells(rows.front());
    view_.server_name = cells.OptionalText();
    view_.created_date = cells.OptionalText();
    view_.available = true;
    if (cells.Flag()) return true;
    return Denied("The login may not open SSISDB");
  }

  Result<void> Catalog(std::int64_t executions) {
    Result<void> read = ReadCatalog(executions);
    if (!read && read.error().code == Code::kPermissionDenied)
      return Denied(base::StrCat("The login may not read SSISDB (", read.error().message, ")"));
    return read;
  }

  // Packages in msdb are a second place: without them the rest is still worth having.
  Result<void> Legacy() {
    const Result<void> read = ForEach(kSsisLegacySql, [this](Cells cells) {
      SsisLegacyPackageView& package = view_.legacy_packages.emplace_back();
      package.folder = cells.OptionalText();
      package.name = cells.Text();
      package.description = Redacted(cells.OptionalText());
      package.created_date = cells.OptionalText();
      ++view_.package_deployment_count;
    });
    if (read) return {};
    const Error& error = read.error();
    if (error.code != Code::kPermissionDenied && error.code != Code::kNotFound) return error;
    const std::string_view advice =
        error.code == Code::kNotFound
            ? ""
            : "to see them, grant the login SELECT on msdb.dbo.sysssispackages and "
              "msdb.dbo.sysssispackagefolders. The server says: ";
    view_.warnings.push_back(
        base::StrCat("Packages in msdb are left out: ", advice, error.message));
    return {};
  }

 private:
  struct Place {
    std::size_t folder = 0;
    std::size_t project = 0;
  };

  static Error Denied(std::string_view what) {
    return {Code::kPermissionDenied,
            base::StrCat(what,
                         ": make it a user of SSISDB with the role ssis_admin, or grant it READ "
                         "and READ_OBJECTS on the folders it may see"),
            {}};
  }

  Result<void> ReadCatalog(std::int64_t executions) {
    RETURN_IF_ERROR(ForEach(kSsisFoldersSql, [this](Cells cells) { AddFolder(cells); }));
    RETURN_IF_ERROR(ForEach(kSsisProjectsSql, [this](Cells cells) { AddProject(cells); }));
    RETURN_IF_ERROR(ForEach(kSsisPackagesSql, [this](Cells cells) { AddPackage(cells); }));
    RETURN_IF_ERROR(ForEach(kSsisParametersSql, [this](Cells cells) { AddParameter(cells); }));
    RETURN_IF_ERROR(ForEach(kSsisEnvironmentsSql, [this](Cells cells) { AddVariable(cells); }));
    // The views of the catalogue show everybody only their rows.
    if (view_.folders.empty())
      view_.warnings.push_back(
          "SSISDB shows no folder: there is none, or the login may read none (ssis_admin, or READ "
          "and READ_OBJECTS on folders)");
    if (executions == 0) return {};
    return ForEach(kSsisExecutionsSql, [this](Cells cells) { AddExecution(cells); },
                   {{"take", executions}});
  }

  template <typename Function>
  Result<void> ForEach(std::string_view sql, Function function, const JsonObject& parameters = {}) {
    ASSIGN_OR_RETURN(const std::vector<db::Row> rows, statements_.Rows(sql, parameters));
    for (const db::Row& row : rows) function(Cells(row));
    return {};
  }

  void AddFolder(Cells cells) {
    folders_[cells.Text()] = view_.folders.size();
    SsisFolderView& folder = view_.folders.emplace_back();
    folder.name = cells.Text();
    folder.description = Redacted(cells.OptionalText());
    folder.created_date = cells.OptionalText();
  }

  void AddProject(Cells cells) {
    const auto folder = folders_.find(cells.Text());
    if (folder == folders_.end()) return;
    std::vector<SsisProjectView>& projects = view_.folders[folder->second].projects;
    projects_[cells.Text()] = {folder->second, projects.size()};
    SsisProjectView& project = projects.emplace_back();
    project.name = cells.Text();
    project.description = Redacted(cells.OptionalText());
    project.created_date = cells.OptionalText();
    project.last_deployed_date = cells.OptionalText();
    ++view_.project_count;
  }

  SsisProjectView* Project(const std::string& id) {
    const auto found = projects_.find(id);
    if (found == projects_.end()) return nullptr;
    return &view_.folders[found->second.folder].projects[found->second.project];
  }

  void AddPackage(Cells cells) {
    SsisProjectView* project = Project(cells.Text());
    if (project == nullptr) return;
    SsisPackageView& package = project->packages.emplace_back();
    package.name = cells.Text();
    package.description = Redacted(cells.OptionalText());
    package.entry_point = cells.Flag();
    package.validation_status = ValidationStatus(cells.Text());
    package.last_validation_date = cells.OptionalText();
    ++view_.package_count;
    ++view_.project_deployment_count;
  }

  void AddParameter(Cells cells) {
    SsisProjectView* project = Project(cells.Text());
    if (project == nullptr) return;
    const bool of_project = cells.Integer() == kProjectParameter;
    const std::string object = cells.Text();
    SsisValueView parameter;
    parameter.name = cells.Text();
    parameter.type = cells.Text();
    parameter.required = cells.Flag();
    parameter.sensitive = cells.Flag();
    SetValue(parameter, cells.OptionalText());
    if (of_project) return project->parameters.push_back(std::move(parameter));
    for (SsisPackageView& package : project->packages) {
      if (package.name == object) return package.parameters.push_back(std::move(parameter));
    }
  }

  // Not everybody says of secrets that they are.
  static void SetValue(SsisValueView& view, const std::optional<std::string>& value) {
    if (!view.sensitive && value) view.value = RedactValue(view.name, *value);
  }

  // One row per variable, or one without any.
  void AddVariable(Cells cells) {
    const auto folder = folders_.find(cells.Text());
    if (folder == folders_.end()) return;
    const std::string id = cells.Text();
    std::vector<SsisEnvironmentView>& environments = view_.folders[folder->second].environments;
    const auto [place, is_new] =
        environments_.try_emplace({folder->second, id}, environments.size());
    if (is_new) environments.emplace_back();
    SsisEnvironmentView& environment = environments[place->second];
    environment.name = cells.Text();
    environment.description = Redacted(cells.OptionalText());
    const std::optional<std::string> name = cells.OptionalText();
    if (!name) return;
    SsisValueView& variable = environment.variables.emplace_back();
    variable.name = *name;
    variable.type = cells.Text();
    variable.sensitive = cells.Flag();
    SetValue(variable, cells.OptionalText());
  }

  void AddExecution(Cells cells) {
    SsisExecutionView& execution = view_.executions.emplace_back();
    execution.execution_id = cells.Integer().value_or(0);
    execution.folder = cells.Text();
    execution.project = cells.Text();
    execution.package = cells.Text();
    execution.status = ExecutionStatus(cells.Integer());
    execution.start_time = cells.OptionalText();
    execution.end_time = cells.OptionalText();
  }

  const Statements& statements_;
  SsisCatalogView& view_;
  std::map<std::string, std::size_t> folders_;  // by id
  std::map<std::string, Place> projects_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> environments_;  // of a folder, by id
};

Result<SsisCatalogView> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const Statements statements,
                   Statements::On(services, args.connection_name, context));
  SsisCatalogView view;
  Reader reader(statements, view);
  ASSIGN_OR_RETURN(const bool there, reader.Open());
  if (there) RETURN_IF_ERROR(reader.Catalog(args.execution_limit));
  RETURN_IF_ERROR(reader.Legacy());
  return view;
}

}  // namespace

Tool GetSsisCatalogInfoTool(MssqlServices services) {
  return ServerTool(
      InfoOf("GetSsisCatalogInfo", "mssql_get_ssis_catalog_info", "SSIS catalog",
             "Folders, projects, packages, environments and runs of Integration Services."),
      std::move(services), Run);
}

}  // namespace toolpost::tools::mssql
