// The least-privilege login of SQL Server.
#include "tools/mssql/setup_sql.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kLongestName = 128;
constexpr std::string_view kEnd = "SET NOEXEC OFF;\nGO\n";

std::string Doubled(std::string_view text, char quote) {
  std::string out;
  for (const char c : text) {
    if (c == quote) out.push_back(quote);
    out.push_back(c);
  }
  return out;
}

std::string Bracketed(std::string_view name) { return base::StrCat("[", Doubled(name, ']'), "]"); }
std::string Literal(std::string_view text) { return base::StrCat("N'", Doubled(text, '\''), "'"); }

Result<void> CheckName(std::string_view option, std::string_view name) {
  const bool control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (name.empty() || !base::IsValidUtf8(name) || base::CountCodePoints(name) > kLongestName ||
      control || name.find("$(") != name.npos) {
    return Error::InvalidParams(base::StrCat(option, " needs a name of 1 to ", kLongestName,
                                             " characters, without control characters and $("));
  }
  return {};
}

// Ends the script without ending the session, which no client does by itself after an error.
std::string StopIf(std::string_view condition, std::string_view message) {
  return base::StrCat("IF ", condition, "\nBEGIN\n  RAISERROR (", Literal(message),
                      ", 16, 1);\n  SET NOEXEC ON;\nEND;\nGO\n");
}

// Runs `create`, a random password and `rest` as one statement.
std::string CreateWithPassword(std::string_view create, std::string_view rest) {
  return base::StrCat("BEGIN\n  DECLARE @create nvarchar(max) = ", Literal(create),
                      "\n    + CONVERT(nvarchar(66), CRYPT_GEN_RANDOM(32), 1) + ", Literal(rest),
                      ";\n  EXEC (@create);\nEND;\n");
}

std::string LoginSql(std::string_view login, std::string_view database) {
  return base::StrCat(
      "USE [master];\nGO\n",
      StopIf(base::StrCat("DB_ID(", Literal(database), ") IS NULL"),
             "There is no such database on this server."),
      "IF SUSER_ID(", Literal(login), ") IS NULL\n",
      CreateWithPassword(base::StrCat("CREATE LOGIN ", Bracketed(login), " WITH PASSWORD = '"),
                         base::StrCat("', DEFAULT_DATABASE = ", Bracketed(database))),
      StopIf(base::StrCat("IS_SRVROLEMEMBER(N'sysadmin', ", Literal(login), ") = 1"),
             "This login is a sysadmin, and nothing is denied to one: choose another."));
}

// A user that came with a restored database belongs to no login of this server.
std::string UserSql(std::string_view login, std::string_view database) {
  const std::string name = Bracketed(login);
  return base::StrCat("\nUSE ", Bracketed(database), ";\nGO\nIF DATABASE_PRINCIPAL_ID(",
                      Literal(login), ") IS NULL\n  CREATE USER ", name, " FOR LOGIN ", name,
                      ";\nELSE\n  ALTER USER ", name, " WITH LOGIN = ", name, ";\nGO\n");
}

std::string ContainedUserSql(std::string_view user, std::string_view database) {
  return base::StrCat(
      StopIf(base::StrCat("DB_NAME() <> ", Literal(database)),
             "This is another database: connect to the one that the script is for."),
      "IF DATABASE_PRINCIPAL_ID(", Literal(user), ") IS NULL\n",
      CreateWithPassword(base::StrCat("CREATE USER ", Bracketed(user), " WITH PASSWORD = '"), "'"),
      "GO\n");
}

// EXECUTE is denied schema by schema: for the whole database it may be denied on the procedures
// of the system too, and toolpost runs statements with sp_executesql.
std::string RightsSql(std::string_view login) {
  const std::string user = Bracketed(login);
  return base::StrCat(
      "ALTER ROLE db_datareader ADD MEMBER ", user, ";\nGRANT VIEW DEFINITION TO ", user,
      ";\nGRANT VIEW DATABASE STATE TO ", user, ";\nGRANT SHOWPLAN TO ", user,
      ";\nDENY INSERT, UPDATE, DELETE, ALTER TO ", user,
      ";\nDECLARE @deny nvarchar(max) = N'';\n"
      "SELECT @deny += N'DENY EXECUTE ON SCHEMA::' + QUOTENAME(s.name) + ",
      Literal(base::StrCat(" TO ", user, "; ")),
      "\nFROM sys.schemas AS s\n"
      "WHERE s.schema_id < 16384 AND s.name NOT IN (N'sys', N'INFORMATION_SCHEMA', N'guest');\n"
      "EXEC (@deny);\nGO\n");
}

// The role SQLAgentReaderRole would do too, but its members may make jobs of their own.
std::string JobsSql(const std::string& user) {
  std::string sql;
  for (const char* table :
       {"syscategories", "sysjobactivity", "sysjobhistory", "sysjobs", "sysjobschedules",
        "sysjobservers", "sysjobsteps", "sysschedules", "syssessions"}) {
    sql += base::StrCat("GRANT SELECT ON dbo.", table, " TO ", user, ";\n");
  }
  return sql + "GO\n";
}

}  // namespace

Result<std::string> SetupSql(const SetupSqlOptions& options) {
  RETURN_IF_ERROR(CheckName("--database", options.database));
  RETURN_IF_ERROR(CheckName("--login", options.login));
  if (options.login.find('\\') != options.login.npos) {
    return Error::InvalidParams("--login needs the name of a SQL Server login, not one of Windows");
  }
  const std::string user = Bracketed(options.login);
  if (options.contained) {
    if (options.agent_jobs) {
      return Error::InvalidParams(
          "--agent-jobs does not go with --contained: a user without a login sees no msdb");
    }
    return base::StrCat(
        "-- A user for toolpost that can only read, without an account of the server: for Azure "
        "SQL Database,\n"
        "-- and for databases of SQL Server with CONTAINMENT = PARTIAL. Run it as an owner of the "
        "database:\n"
        "--   toolpost mssql setup-sql --contained --database NAME | sqlcmd -S HOST -d NAME\n"
        "-- and then give the user a password:\n"
        "--   ALTER USER ",
        user, " WITH PASSWORD = '...';\n", ContainedUserSql(options.login, options.database),
        RightsSql(options.login), kEnd);
  }
  std::string sql = base::StrCat(
      "-- A login for toolpost that can only read. Run it as a sysadmin, with Management Studio "
      "or\n"
      "--   toolpost mssql setup-sql --database NAME | sqlcmd -S HOST\n"
      "-- and then give the login a password:\n"
      "--   ALTER LOGIN ",
      user, " WITH PASSWORD = '...';\n");
  sql += LoginSql(options.login, options.database);
  sql += UserSql(options.login, options.database);
  sql += RightsSql(options.login);
  if (options.agent_jobs) sql += UserSql(options.login, "msdb") + JobsSql(user);
  return sql + std::string(kEnd);
}

}  // namespace toolpost::tools::mssql
