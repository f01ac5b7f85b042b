// The least-privilege login of SQL Server.
#include "tools/mssql/setup_sql.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kLongestName = 128;

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

std::string LoginSql(std::string_view login, std::string_view database) {
  const std::string create = base::StrCat("CREATE LOGIN ", Bracketed(login), " WITH PASSWORD = '");
  const std::string rest = base::StrCat("', DEFAULT_DATABASE = ", Bracketed(database));
  return base::StrCat(
      "USE [master];\n"
      "GO\n"
      "IF SUSER_ID(",
      Literal(login),
      ") IS NULL\n"
      "BEGIN\n"
      "  DECLARE @create nvarchar(max) = ",
      Literal(create),
      " + CONVERT(nvarchar(66), CRYPT_GEN_RANDOM(32), 1)\n"
      "    + ",
      Literal(rest),
      ";\n"
      "  EXEC (@create);\n"
      "END;\n"
      "IF IS_SRVROLEMEMBER(N'sysadmin', ",
      Literal(login),
      ") = 1\n"
      "  RAISERROR (N'This login is a sysadmin, and nothing is denied to one: choose another.', "
      "16, 1);\n"
      "GO\n");
}

std::string UserSql(std::string_view login, std::string_view database) {
  return base::StrCat("\nUSE ", Bracketed(database), ";\nGO\nIF USER_ID(", Literal(login),
                      ") IS NULL\n  CREATE USER ", Bracketed(login), " FOR LOGIN ",
                      Bracketed(login), ";\nGO\n");
}

std::string RightsSql(const std::string& user) {
  return base::StrCat("ALTER ROLE db_datareader ADD MEMBER ", user,
                      ";\n"
                      "GRANT VIEW DEFINITION TO ",
                      user,
                      ";\n"
                      "GRANT VIEW DATABASE STATE TO ",
                      user,
                      ";\n"
                      "GRANT SHOWPLAN TO ",
                      user,
                      ";\n"
                      "DENY INSERT, UPDATE, DELETE, EXECUTE, ALTER TO ",
                      user,
                      ";\n"
                      "GO\n");
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
  std::string sql = base::StrCat(
      "-- A login for toolpost that can only read. Run it as a sysadmin, with Management Studio "
      "or\n"
      "--   toolpost mssql setup-sql --database NAME | sqlcmd -S HOST\n"
      "-- and then give the login a password:\n"
      "--   ALTER LOGIN ",
      user, " WITH PASSWORD = '...';\n");
  sql += LoginSql(options.login, options.database);
  sql += UserSql(options.login, options.database);
  sql += RightsSql(user);
  if (options.agent_jobs) sql += UserSql(options.login, "msdb") + JobsSql(user);
  return sql;
}

}  // namespace toolpost::tools::mssql
