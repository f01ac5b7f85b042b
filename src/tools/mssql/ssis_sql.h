// The statements that read the catalogue of Integration Services, and packages in msdb.
#pragma once

#include <string_view>

namespace toolpost::tools::mssql {

inline constexpr std::string_view kSsisDatabaseSql = R"sql(/* toolpost:ssis_database */
SELECT CAST(SERVERPROPERTY('ServerName') AS nvarchar(256)) AS server_name,
       d.create_date, HAS_DBACCESS(d.name) AS has_access
FROM sys.databases AS d
WHERE d.name = N'SSISDB'
)sql";

inline constexpr std::string_view kSsisFoldersSql = R"sql(/* toolpost:ssis_folders */
SELECT f.folder_id, f.name, f.description, f.created_time
FROM SSISDB.catalog.folders AS f
ORDER BY f.name
)sql";

inline constexpr std::string_view kSsisProjectsSql = R"sql(/* toolpost:ssis_projects */
SELECT p.folder_id, p.project_id, p.name, p.description, p.created_time, p.last_deployed_time
FROM SSISDB.catalog.projects AS p
ORDER BY p.name
)sql";

inline constexpr std::string_view kSsisPackagesSql = R"sql(/* toolpost:ssis_packages */
SELECT k.project_id, k.name, k.description, k.entry_point, k.validation_status,
       k.last_validation_time
FROM SSISDB.catalog.packages AS k
ORDER BY k.name
)sql";

// Values of sensitive parameters are not asked for.
inline constexpr std::string_view kSsisParametersSql = R"sql(/* toolpost:ssis_parameters */
SELECT a.project_id, a.object_type, a.object_name, a.parameter_name, a.data_type, a.required,
       a.sensitive,
       CASE WHEN a.sensitive = 1 THEN NULL
            ELSE CAST(COALESCE(a.default_value, a.design_default_value) AS nvarchar(4000))
       END AS default_value
FROM SSISDB.catalog.object_parameters AS a
WHERE a.parameter_name NOT LIKE N'CM.%'
ORDER BY a.object_name, a.parameter_name
)sql";

inline constexpr std::string_view kSsisEnvironmentsSql = R"sql(/* toolpost:ssis_environments */
SELECT e.folder_id, e.environment_id, e.name, e.description, v.name AS variable_name, v.type,
       v.sensitive,
       CASE WHEN v.sensitive = 1 THEN NULL ELSE CAST(v.value AS nvarchar(4000)) END AS value
FROM SSISDB.catalog.environments AS e
LEFT JOIN SSISDB.catalog.environment_variables AS v ON v.environment_id = e.environment_id
ORDER BY e.name, v.name
)sql";

inline constexpr std::string_view kSsisExecutionsSql = R"sql(/* toolpost:ssis_executions */
SELECT TOP (@take) x.execution_id, x.folder_name, x.project_name, x.package_name, x.status,
       x.start_time, x.end_time
FROM SSISDB.catalog.executions AS x
ORDER BY x.execution_id DESC
)sql";

// Packages of the model before SQL Server 2012.
inline constexpr std::string_view kSsisLegacySql = R"sql(/* toolpost:ssis_legacy */
SELECT f.foldername, k.name, k.description, k.createdate
FROM msdb.dbo.sysssispackages AS k
LEFT JOIN msdb.dbo.sysssispackagefolders AS f ON f.folderid = k.folderid
ORDER BY f.foldername, k.name
)sql";

}  // namespace toolpost::tools::mssql
