// The catalogue of Integration Services as the tool shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "toolpost/schema.h"

namespace toolpost::tools::mssql {

// A parameter of a project or package, or a variable of an environment.
struct SsisValueView {
  std::string name;
  std::string type;
  bool sensitive = false;
  std::optional<bool> required;
  std::optional<std::string> value;  // never of sensitive ones
  static constexpr auto Fields() {
    using View = SsisValueView;
    return std::tuple{Req("name", &View::name), Req("type", &View::type),
                      Req("sensitive", &View::sensitive), Opt("required", &View::required),
                      Opt("value", &View::value)};
  }
};

struct SsisPackageView {
  std::string name;
  std::optional<std::string> description;
  std::optional<bool> entry_point;
  std::optional<std::string> validation_status;
  std::optional<std::string> last_validation_date;
  std::vector<SsisValueView> parameters;
  static constexpr auto Fields() {
    using View = SsisPackageView;
    return std::tuple{Req("name", &View::name),
                      Opt("description", &View::description),
                      Opt("entryPoint", &View::entry_point),
                      Opt("validationStatus", &View::validation_status),
                      Opt("lastValidationDate", &View::last_validation_date),
                      Req("parameters", &View::parameters)};
  }
};

struct SsisProjectView {
  std::string name;
  std::string deployment_model = "Project";
  std::optional<std::string> description;
  std::optional<std::string> created_date;
  std::optional<std::string> last_deployed_date;
  std::vector<SsisValueView> parameters;
  std::vector<SsisPackageView> packages;
  static constexpr auto Fields() {
    using View = SsisProjectView;
    return std::tuple{Req("name", &View::name),
                      Req("deploymentModel", &View::deployment_model),
                      Opt("description", &View::description),
                      Opt("createdDate", &View::created_date),
                      Opt("lastDeployedDate", &View::last_deployed_date),
                      Req("parameters", &View::parameters),
                      Req("packages", &View::packages)};
  }
};

struct SsisEnvironmentView {
  std::string name;
  std::optional<std::string> description;
  std::vector<SsisValueView> variables;
  static constexpr auto Fields() {
    using View = SsisEnvironmentView;
    return std::tuple{Req("name", &View::name), Opt("description", &View::description),
                      Req("variables", &View::variables)};
  }
};

struct SsisFolderView {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> created_date;
  std::vector<SsisProjectView> projects;
  std::vector<SsisEnvironmentView> environments;
  static constexpr auto Fields() {
    using View = SsisFolderView;
    return std::tuple{Req("name", &View::name), Opt("description", &View::description),
                      Opt("createdDate", &View::created_date), Req("projects", &View::projects),
                      Req("environments", &View::environments)};
  }
};

struct SsisExecutionView {
  std::int64_t execution_id = 0;
  std::string folder;
  std::string project;
  std::string package;
  std::string status;
  std::optional<std::string> start_time;
  std::optional<std::string> end_time;
  static constexpr auto Fields() {
    using View = SsisExecutionView;
    return std::tuple{Req("executionId", &View::execution_id),
                      Req("folder", &View::folder),
                      Req("project", &View::project),
                      Req("package", &View::package),
                      Req("status", &View::status),
                      Opt("startTime", &View::start_time),
                      Opt("endTime", &View::end_time)};
  }
};

struct SsisLegacyPackageView {
  std::optional<std::string> folder;
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> created_date;
  static constexpr auto Fields() {
    using View = SsisLegacyPackageView;
    return std::tuple{Opt("folder", &View::folder), Req("name", &View::name),
                      Opt("description", &View::description),
                      Opt("createdDate", &View::created_date)};
  }
};

struct SsisCatalogView {
  bool available = false;
  std::optional<std::string> message;
  std::optional<std::string> server_name;
  std::string catalog_name = "SSISDB";
  std::optional<std::string> created_date;
  std::vector<SsisFolderView> folders;
  std::int64_t project_count = 0;
  std::int64_t package_count = 0;
  std::int64_t project_deployment_count = 0;
  std::int64_t package_deployment_count = 0;
  std::vector<SsisExecutionView> executions;
  std::vector<SsisLegacyPackageView> legacy_packages;
  std::vector<std::string> warnings;
  static constexpr auto Fields() {
    using View = SsisCatalogView;
    return std::tuple{Req("available", &View::available, "Whether there is a catalog."),
                      Opt("message", &View::message),
                      Opt("serverName", &View::server_name),
                      Req("catalogName", &View::catalog_name),
                      Opt("createdDate", &View::created_date),
                      Req("folders", &View::folders),
                      Req("projectCount", &View::project_count),
                      Req("packageCount", &View::package_count),
                      Req("projectDeploymentCount", &View::project_deployment_count),
                      Req("packageDeploymentCount", &View::package_deployment_count),
                      Req("executions", &View::executions, "Newest first."),
                      Req("legacyPackages", &View::legacy_packages, "Of msdb."),
                      Req("warnings", &View::warnings)};
  }
};

}  // namespace toolpost::tools::mssql
