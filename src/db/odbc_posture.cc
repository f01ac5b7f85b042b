// Functions of SQL Server that every login may call.
#include "db/odbc_posture.h"

#include "base/strings.h"

namespace toolpost::db {
namespace {

constexpr std::string_view kPostureSql = R"sql(/* toolpost:posture */
SELECT CAST(@@VERSION AS nvarchar(400)) AS version, DB_NAME() AS database_name,
       SUSER_SNAME() AS login_name, ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) AS is_sysadmin,
       CASE WHEN 1 IN (HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'INSERT'),
                       HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'UPDATE'),
                       HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'DELETE'),
                       HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'ALTER'))
            THEN 1 ELSE 0 END AS can_write,
       ISNULL(HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'EXECUTE'), 0) AS can_execute,
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

constexpr std::string_view kServerSql = R"sql(/* toolpost:configuration */
SELECT c.name
FROM sys.configurations AS c
WHERE c.name IN (N'xp_cmdshell', N'Ad Hoc Distributed Queries', N'Ole Automation Procedures',
                 N'external scripts enabled')
  AND CAST(c.value_in_use AS int) = 1
ORDER BY c.name;
)sql";

bool Flag(const Row& row, std::size_t at) { return IntegerOr(row[at], 0) == 1; }

// @@VERSION has several lines.
std::string OneLine(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  return std::string(base::Trim(text));
}

void AddWarnings(const Row& row, SqlServerPosture& posture) {
  const auto warn = [&](std::string_view text) { posture.warnings.emplace_back(text); };
  if (posture.sysadmin) {
    warn(
        "The login is sysadmin and may do everything on this server: use a login with "
        "db_datareader only (toolpost mssql setup-sql writes the script)");
  } else if (Flag(row, 7)) {
    warn("The login has CONTROL SERVER and may do everything on this server: revoke it");
  }
  if (Flag(row, 8) && !posture.sysadmin) {
    warn("The login may read files of the server (ADMINISTER BULK OPERATIONS): revoke it");
  }
  if (posture.can_write && !posture.database_read_only) {
    warn(
        "The login may write to the database: for reading, deny it INSERT, UPDATE, DELETE and "
        "ALTER");
  }
  if (posture.can_execute) {
    warn("The login may execute procedures of the database: for reading, deny it EXECUTE");
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
  if (sets.size() > 1) {
    for (const Row& role : sets[1]) posture.roles.push_back(TextOr(role[0], ""));
  }
  AddWarnings(row, posture);
  // Not everywhere, and not for everybody.
  const auto enabled = query(kServerSql);
  if (enabled && !enabled->empty()) {
    for (const Row& setting : enabled->front()) {
      posture.warnings.push_back(base::StrCat("The server has `", TextOr(setting[0], ""),
                                              "` enabled: a login that may use it leaves SQL"));
    }
  }
  return posture;
}

}  // namespace toolpost::db
