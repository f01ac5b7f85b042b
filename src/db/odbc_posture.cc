// Functions and catalog views of SQL Server that every login may ask.
#include "db/odbc_posture.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr std::string_view kPostureSql = R"sql(/* toolpost:posture */
SELECT CAST(@@VERSION AS nvarchar(400)) AS version, DB_NAME() AS database_name,
       ISNULL(SUSER_SNAME(), USER_NAME()) AS login_name, ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) AS is_sysadmin,
       CASE WHEN 1 IN (HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'INSERT'),
                       HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'UPDATE'),
                       HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'DELETE'),
                       HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'ALTER'))
            THEN 1 ELSE 0 END AS can_write,
       ISNULL(HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'EXECUTE'), 0) AS can_execute,
       CASE WHEN CAST(DATABASEPROPERTYEX(DB_NAME(), N'Updateability') AS nvarchar(60)) = N'READ_ONLY'
            THEN 1 ELSE 0 END AS is_read_only,
       ISNULL(HAS_PERMS_BY_NAME(NULL, NULL, N'CONTROL SERVER'), 0) AS controls_server,
       ISNULL(HAS_PERMS_BY_NAME(NULL, NULL, N'ADMINISTER BULK OPERATIONS'), 0) AS is_bulk;
SELECT r.name
FROM (VALUES (N'sysadmin'), (N'securityadmin'), (N'serveradmin'), (N'setupadmin'),
             (N'processadmin'), (N'diskadmin'), (N'dbcreator'), (N'bulkadmin')) AS r (name)
WHERE IS_SRVROLEMEMBER(r.name) = 1
UNION ALL
SELECT d.name
FROM (VALUES (N'db_owner'), (N'db_securityadmin'), (N'db_accessadmin'), (N'db_backupoperator'),
             (N'db_ddladmin'), (N'db_datawriter'), (N'db_datareader')) AS d (name)
WHERE IS_MEMBER(d.name) = 1;
)sql";

// Rights on less than the database. Of objects only those are asked about that were granted to
// somebody or have an owner of their own: all others follow their schema.
constexpr std::string_view kRightsSql = R"sql(/* toolpost:rights */
SELECT TOP (10) r.name
FROM (SELECT 1 AS part, QUOTENAME(s.name) AS name
      FROM sys.schemas AS s
      WHERE s.schema_id < 16384 AND s.name NOT IN (N'sys', N'INFORMATION_SCHEMA')
        AND 1 IN (HAS_PERMS_BY_NAME(QUOTENAME(s.name), N'SCHEMA', N'INSERT'),
                  HAS_PERMS_BY_NAME(QUOTENAME(s.name), N'SCHEMA', N'UPDATE'),
                  HAS_PERMS_BY_NAME(QUOTENAME(s.name), N'SCHEMA', N'DELETE'),
                  HAS_PERMS_BY_NAME(QUOTENAME(s.name), N'SCHEMA', N'ALTER'))
      UNION ALL
      SELECT DISTINCT 2, n.name
      FROM sys.objects AS o
      JOIN sys.schemas AS s ON s.schema_id = o.schema_id
      CROSS APPLY (SELECT QUOTENAME(s.name) + N'.' + QUOTENAME(o.name) AS name) AS n
      LEFT JOIN sys.database_permissions AS p
        ON p.class = 1 AND p.major_id = o.object_id AND p.state IN ('G', 'W')
           AND p.type IN ('IN', 'UP', 'DL', 'AL', 'CL')
      WHERE o.is_ms_shipped = 0 AND (p.class = 1 OR o.principal_id IS NOT NULL)
        AND 1 IN (HAS_PERMS_BY_NAME(n.name, N'OBJECT', N'INSERT'),
                  HAS_PERMS_BY_NAME(n.name, N'OBJECT', N'UPDATE'),
                  HAS_PERMS_BY_NAME(n.name, N'OBJECT', N'UPDATE',
                                    COL_NAME(p.major_id, p.minor_id), N'COLUMN'),
                  HAS_PERMS_BY_NAME(n.name, N'OBJECT', N'DELETE'),
                  HAS_PERMS_BY_NAME(n.name, N'OBJECT', N'ALTER'))) AS r
ORDER BY r.part, r.name;
SELECT TOP (10) r.name
FROM (SELECT 1 AS part, QUOTENAME(s.name) AS name
      FROM sys.schemas AS s
      WHERE s.schema_id < 16384 AND s.name NOT IN (N'sys', N'INFORMATION_SCHEMA')
        AND HAS_PERMS_BY_NAME(QUOTENAME(s.name), N'SCHEMA', N'EXECUTE') = 1
      UNION ALL
      SELECT DISTINCT 2, n.name
      FROM sys.objects AS o
      JOIN sys.schemas AS s ON s.schema_id = o.schema_id
      CROSS APPLY (SELECT QUOTENAME(s.name) + N'.' + QUOTENAME(o.name) AS name) AS n
      LEFT JOIN sys.database_permissions AS p
        ON p.class = 1 AND p.major_id = o.object_id AND p.state IN ('G', 'W')
           AND p.type IN ('EX', 'CL')
      WHERE o.is_ms_shipped = 0 AND o.type IN ('P', 'PC', 'X')
        AND (p.class = 1 OR o.principal_id IS NOT NULL)
        AND HAS_PERMS_BY_NAME(n.name, N'OBJECT', N'EXECUTE') = 1) AS r
ORDER BY r.part, r.name;
)sql";

constexpr std::string_view kServerSql = R"sql(/* toolpost:configuration */
SELECT c.name
FROM sys.configurations AS c
WHERE c.name IN (N'xp_cmdshell', N'Ad Hoc Distributed Queries', N'Ole Automation Procedures',
                 N'clr enabled', N'external scripts enabled')
  AND CAST(c.value_in_use AS int) = 1
ORDER BY c.name;
)sql";

constexpr std::string_view kLinkedSql = R"sql(/* toolpost:linked_servers */
SELECT COUNT(*) AS linked_servers FROM sys.servers AS s WHERE s.is_linked = 1;
)sql";

bool Flag(const Row& row, std::size_t at) { return IntegerOr(row[at], 0) == 1; }

// @@VERSION has several lines.
std::string OneLine(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  return std::string(base::Trim(text));
}

std::vector<std::string> Names(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) names.push_back(TextOr(row[0], ""));
  return names;
}

void Warn(SqlServerPosture& posture, std::string text) {
  posture.warnings.push_back(std::move(text));
}

void WarnOfRoles(const Row& row, SqlServerPosture& posture) {
  if (posture.sysadmin) {
    Warn(posture,
         "The login is sysadmin and may do everything on this server: use a login with "
         "db_datareader only (toolpost mssql setup-sql writes the script)");
    return;
  }
  if (Flag(row, 7)) {
    Warn(posture, "The login has CONTROL SERVER and may do everything on this server: revoke it");
  }
  if (Flag(row, 8)) {
    Warn(posture, "The login may read files of the server (ADMINISTER BULK OPERATIONS): revoke it");
  }
  std::vector<std::string> roles;
  for (const std::string& role : posture.roles) {
    if (role != "db_datareader" && role != "db_datawriter") roles.push_back(role);
  }
  if (!roles.empty()) {
    Warn(posture, base::StrCat("The login has roles that do more than read, ",
                               base::Join(roles, ", "), ": take it out of them"));
  }
}

void AddRights(const OdbcQuery& query, SqlServerPosture& posture) {
  const auto rights = query(kRightsSql);
  const bool known = rights && rights->size() == 2;
  if (posture.can_write) {
    posture.writable = {"database"};
  } else if (known) {
    posture.writable = Names(rights->front());
  }
  if (posture.can_execute) {
    posture.executable = {"database"};
  } else if (known) {
    posture.executable = Names(rights->back());
  }
  posture.can_write = !posture.writable.empty();
  posture.can_execute = !posture.executable.empty();
  const auto of = [](const std::vector<std::string>& names) {
    return names.front() == "database" ? "the database" : base::Join(names, ", ");
  };
  if (posture.can_write && !posture.database_read_only) {
    Warn(posture, base::StrCat("The login may write to ", of(posture.writable),
                               ": for reading, deny it INSERT, UPDATE, DELETE and ALTER"));
  }
  if (posture.can_execute) {
    Warn(posture, base::StrCat("The login may execute procedures of ", of(posture.executable),
                               ": for reading, revoke EXECUTE from it"));
  }
  if (!known && !(posture.can_write && posture.can_execute)) {
    Warn(posture,
         "The server did not tell what the login may do with single schemas, tables and "
         "procedures");
  }
}

// Not everywhere, and not for everybody.
void AddServer(const OdbcQuery& query, SqlServerPosture& posture) {
  const auto enabled = query(kServerSql);
  if (enabled && !enabled->empty()) {
    for (const std::string& setting : Names(enabled->front())) {
      Warn(posture, base::StrCat("The setting `", setting,
                                 "` of the server is on: a login that may use it leaves SQL"));
    }
  }
  const auto linked = query(kLinkedSql);
  if (!linked || linked->empty() || linked->front().empty()) return;
  const std::int64_t servers = IntegerOr(linked->front()[0][0], 0);
  if (servers > 0) {
    Warn(posture, base::StrCat("The login sees ", servers, " linked server", servers > 1 ? "s" : "",
                               ", and what it may do there nothing here limits: map it to a login "
                               "that only reads, or to none"));
  }
}

}  // namespace

Result<SqlServerPosture> ReadSqlServerPosture(const OdbcQuery& query) {
  ASSIGN_OR_RETURN(const auto sets, query(kPostureSql));
  if (sets.empty() || sets[0].empty() || sets[0][0].size() != 9) {
    return Error::Unavailable("The server did not say who we are: is it a SQL Server?");
  }
  const Row& row = sets[0][0];
  SqlServerPosture posture{.version = OneLine(TextOr(row[0], "")),
                           .database = TextOr(row[1], ""),
                           .login = TextOr(row[2], ""),
                           .sysadmin = Flag(row, 3),
                           .can_write = Flag(row, 4),
                           .can_execute = Flag(row, 5),
                           .database_read_only = Flag(row, 6)};
  if (sets.size() > 1) posture.roles = Names(sets[1]);
  WarnOfRoles(row, posture);
  AddRights(query, posture);
  AddServer(query, posture);
  return posture;
}

}  // namespace toolpost::db
