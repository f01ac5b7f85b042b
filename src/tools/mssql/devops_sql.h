// The statements that read a collection database of Azure DevOps Server.
#pragma once

#include <string_view>

namespace toolpost::tools::mssql {

inline constexpr std::string_view kDevOpsTablesSql = R"sql(/* toolpost:devops_tables */
SELECT OBJECT_ID(N'AnalyticsModel.tbl_Project') AS projects,
       OBJECT_ID(N'dbo.tbl_GitRepository') AS repositories,
       OBJECT_ID(N'AnalyticsModel.tbl_BuildPipeline') AS pipelines,
       OBJECT_ID(N'AnalyticsModel.tbl_WorkItem') AS work_items,
       COL_LENGTH(N'dbo.tbl_GitRepository', N'ContainerId') AS container_id,
       DB_NAME() AS database_name
)sql";

inline constexpr std::string_view kDevOpsProjectsSql = R"sql(/* toolpost:devops_projects */
SELECT TOP (@take) CAST(p.ProjectId AS nvarchar(36)) AS project_id, p.ProjectName, p.ProcessName,
       p.ProcessDescription, p.AnalyticsCreatedDate, p.AnalyticsUpdatedDate
FROM AnalyticsModel.tbl_Project AS p
WHERE p.IsDeleted = 0
ORDER BY p.ProjectName
)sql";

inline constexpr std::string_view kDevOpsRepositoriesSql = R"sql(/* toolpost:devops_repositories */
SELECT TOP (@take) CAST(r.RepositoryId AS nvarchar(36)) AS repository_id, r.Name,
       r.CompressedSize, r.CreationDate, CAST(NULL AS nvarchar(36)) AS container_id
FROM dbo.tbl_GitRepository AS r
WHERE r.State = 3 AND r.IsHidden = 0
ORDER BY r.Name
)sql";

// Where repositories say which container they are in: that of a project has the project's id.
inline constexpr std::string_view kDevOpsContainedRepositoriesSql =
    R"sql(/* toolpost:devops_contained_repositories */
SELECT TOP (@take) CAST(r.RepositoryId AS nvarchar(36)) AS repository_id, r.Name,
       r.CompressedSize, r.CreationDate, CAST(r.ContainerId AS nvarchar(36)) AS container_id
FROM dbo.tbl_GitRepository AS r
WHERE r.State = 3 AND r.IsHidden = 0
ORDER BY r.Name
)sql";

inline constexpr std::string_view kDevOpsPipelinesSql = R"sql(/* toolpost:devops_pipelines */
SELECT COUNT_BIG(*) AS pipelines FROM AnalyticsModel.tbl_BuildPipeline AS b WHERE b.IsDeleted = 0
)sql";

inline constexpr std::string_view kDevOpsWorkItemsSql = R"sql(/* toolpost:devops_work_items */
SELECT COUNT_BIG(*) AS work_items FROM AnalyticsModel.tbl_WorkItem AS w
)sql";

}  // namespace toolpost::tools::mssql
