// The statements that read SQL Server Agent, in msdb.
#pragma once

#include <string_view>

namespace toolpost::tools::mssql {

// Schedules may keep the next run they had when they or their job were disabled.
// @name: one job; empty: all that match @pattern, from the one after @after on.
inline constexpr std::string_view kAgentJobsSql = R"sql(/* toolpost:agent_jobs */
SELECT TOP (@take) CAST(j.job_id AS nvarchar(36)) AS job_id, j.name, j.enabled, j.description,
       SUSER_SNAME(j.owner_sid) AS owner_name, c.name AS category, j.date_created, j.date_modified,
       v.last_run_outcome, v.last_run_date, v.last_run_time, v.last_run_duration,
       (SELECT MIN(CAST(js.next_run_date AS bigint) * 1000000 + js.next_run_time)
        FROM msdb.dbo.sysjobschedules AS js
        JOIN msdb.dbo.sysschedules AS s ON s.schedule_id = js.schedule_id
        WHERE js.job_id = j.job_id AND js.next_run_date > 0
              AND j.enabled = 1 AND s.enabled = 1) AS next_run,
       CASE WHEN a.start_execution_date IS NOT NULL AND a.stop_execution_date IS NULL
            THEN 1 ELSE 0 END AS is_running
FROM msdb.dbo.sysjobs AS j
LEFT JOIN msdb.dbo.syscategories AS c ON c.category_id = j.category_id
LEFT JOIN msdb.dbo.sysjobservers AS v ON v.job_id = j.job_id AND v.server_id = 0
LEFT JOIN msdb.dbo.sysjobactivity AS a
  ON a.job_id = j.job_id
     AND a.session_id = (SELECT MAX(session_id) FROM msdb.dbo.syssessions)
WHERE (DATALENGTH(@name) = 0 OR j.name = @name)
  AND (DATALENGTH(@pattern) = 0 OR j.name LIKE @pattern)
  AND j.name > @after
ORDER BY j.name
)sql";

inline constexpr std::string_view kAgentStepsSql = R"sql(/* toolpost:agent_steps */
SELECT st.step_id, st.step_name, st.subsystem, st.command, st.database_name,
       st.on_success_action, st.on_fail_action, st.retry_attempts
FROM msdb.dbo.sysjobsteps AS st
WHERE st.job_id = CAST(@jobId AS uniqueidentifier)
ORDER BY st.step_id
)sql";

inline constexpr std::string_view kAgentSchedulesSql = R"sql(/* toolpost:agent_schedules */
SELECT s.name, s.enabled, s.freq_type, s.freq_interval, s.active_start_date, s.active_start_time,
       s.active_end_date, s.active_end_time, js.next_run_date, js.next_run_time
FROM msdb.dbo.sysjobschedules AS js
JOIN msdb.dbo.sysschedules AS s ON s.schedule_id = js.schedule_id
WHERE js.job_id = CAST(@jobId AS uniqueidentifier)
ORDER BY s.name
)sql";

inline constexpr std::string_view kAgentHistorySql = R"sql(/* toolpost:agent_history */
SELECT TOP (@take) h.instance_id, h.step_id, h.step_name, h.run_date, h.run_time, h.run_status,
       h.run_duration, h.message
FROM msdb.dbo.sysjobhistory AS h
WHERE h.job_id = CAST(@jobId AS uniqueidentifier)
ORDER BY h.instance_id DESC
)sql";

}  // namespace toolpost::tools::mssql
