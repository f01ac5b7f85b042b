#include "tools/mssql/setup_sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Sql(std::string_view database, std::string_view login, bool jobs = false) {
  auto sql = SetupSql({.database = database, .login = login, .agent_jobs = jobs});
  EXPECT_TRUE(sql) << sql.error().message;
  return sql ? *sql : "";
}

std::string SetupRefusal(std::string_view database, std::string_view login) {
  const auto sql = SetupSql({.database = database, .login = login});
  if (sql) return "accepted";
  EXPECT_EQ(sql.error().code, Code::kInvalidArgument);
  return sql.error().message;
}

TEST(MssqlSetupSql, LetsALoginReadAndNothingElse) {
  const std::string sql = Sql("sales", "toolpost_reader");
  EXPECT_THAT(sql, HasSubstr("ALTER ROLE db_datareader ADD MEMBER [toolpost_reader];"));
  EXPECT_THAT(sql, HasSubstr("GRANT VIEW DEFINITION TO [toolpost_reader];"));
  EXPECT_THAT(sql, HasSubstr("DENY INSERT, UPDATE, DELETE, ALTER TO [toolpost_reader];"));
  EXPECT_THAT(sql, HasSubstr("N'DENY EXECUTE ON SCHEMA::' + QUOTENAME(s.name) + N' TO "
                             "[toolpost_reader]; '"));
  EXPECT_THAT(sql, HasSubstr("USE [sales];"));
  EXPECT_THAT(sql, HasSubstr("DEFAULT_DATABASE = [sales]"));
  EXPECT_THAT(sql, HasSubstr("IS_SRVROLEMEMBER(N'sysadmin', N'toolpost_reader') = 1"));
  EXPECT_THAT(sql, Not(HasSubstr("msdb")));
}

TEST(MssqlSetupSql, CanBeRunTwiceAndShowsNoPassword) {
  const std::string sql = Sql("sales", "reader");
  EXPECT_THAT(sql, HasSubstr("IF SUSER_ID(N'reader') IS NULL"));
  EXPECT_THAT(sql, HasSubstr("IF DATABASE_PRINCIPAL_ID(N'reader') IS NULL"));
  EXPECT_THAT(sql, HasSubstr("ELSE\n  ALTER USER [reader] WITH LOGIN = [reader];"));
  EXPECT_THAT(sql, HasSubstr("CRYPT_GEN_RANDOM(32)"));
  EXPECT_EQ(sql, Sql("sales", "reader"));
}

TEST(MssqlSetupSql, MayLetItReadTheAgentsJobs) {
  const std::string sql = Sql("sales", "reader", true);
  EXPECT_THAT(sql,
              AllOf(HasSubstr("USE [msdb];"), HasSubstr("GRANT SELECT ON dbo.sysjobs TO [reader];"),
                    HasSubstr("GRANT SELECT ON dbo.sysjobhistory TO [reader];")));
}

// Clients go on in `master` behind a USE that failed.
TEST(MssqlSetupSql, StopsBeforeItCreatesAnythingWhereTheDatabaseIsNot) {
  const std::string sql = Sql("o'brien", "reader");
  const std::size_t stop = sql.find(
      "IF DB_ID(N'o''brien') IS NULL\nBEGIN\n  RAISERROR (N'There is "
      "no such database on this server.', 16, 1);\n  SET NOEXEC ON;");
  ASSERT_NE(stop, sql.npos);
  EXPECT_GT(stop, sql.find("USE [master];"));
  for (const char* change : {"CREATE LOGIN", "CREATE USER", "ALTER ROLE", "GRANT", "DENY"})
    EXPECT_LT(stop, sql.find(change)) << change;
}

// Toolpost's own sp_executesql is a procedure too.
TEST(MssqlSetupSql, DeniesNoProcedureOfTheSystem) {
  const std::string sql = Sql("sales", "reader");
  EXPECT_THAT(sql, Not(HasSubstr("EXECUTE, ")));
  EXPECT_THAT(sql, Not(HasSubstr("DENY EXECUTE TO")));
  EXPECT_THAT(sql, HasSubstr("s.name NOT IN (N'sys', N'INFORMATION_SCHEMA', N'guest')"));
}

TEST(MssqlSetupSql, DoesNothingMoreForASysadmin) {
  const std::string sql = Sql("sales", "reader");
  const std::size_t stop = sql.find("SET NOEXEC ON;");
  ASSERT_NE(stop, std::string::npos);
  EXPECT_LT(stop, sql.find("CREATE USER"));
  EXPECT_GT(sql.find("SET NOEXEC OFF;"), sql.find("DENY EXECUTE"));
}

// Azure SQL Database has no USE, no DEFAULT_DATABASE and no msdb.
TEST(MssqlSetupSql, MakesAUserWithoutALogin) {
  const auto sql = SetupSql({.database = "sales", .login = "it's", .contained = true});
  ASSERT_TRUE(sql) << sql.error().message;
  EXPECT_THAT(*sql, Not(HasSubstr("USE [")));
  EXPECT_THAT(*sql, Not(HasSubstr("LOGIN")));
  EXPECT_THAT(*sql, Not(HasSubstr("DEFAULT_DATABASE")));
  EXPECT_THAT(*sql, AllOf(HasSubstr("IF DB_NAME() <> N'sales'"), HasSubstr("SET NOEXEC ON;"),
                          HasSubstr("N'CREATE USER [it''s] WITH PASSWORD = '''"),
                          HasSubstr("ALTER ROLE db_datareader ADD MEMBER [it's];"),
                          HasSubstr("ALTER USER [it's] WITH PASSWORD = '...';")));
  const auto jobs =
      SetupSql({.database = "sales", .login = "reader", .agent_jobs = true, .contained = true});
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, AllOf(HasSubstr("--agent-jobs"), HasSubstr("--contained")));
}

TEST(MssqlSetupSql, QuotesEveryName) {
  const std::string sql = Sql("a]b'c", "x]; DROP DATABASE y--'z");
  EXPECT_THAT(sql, HasSubstr("USE [a]]b'c];"));
  EXPECT_THAT(sql, HasSubstr("CREATE USER [x]]; DROP DATABASE y--'z] FOR LOGIN"));
  EXPECT_THAT(sql, HasSubstr("SUSER_ID(N'x]; DROP DATABASE y--''z')"));
  EXPECT_THAT(sql, HasSubstr("N'CREATE LOGIN [x]]; DROP DATABASE y--''z] WITH PASSWORD = '''"));
  EXPECT_THAT(sql, HasSubstr("N''', DEFAULT_DATABASE = [a]]b''c]'"));
  EXPECT_THAT(Sql("数据", "lecteur_é"), HasSubstr("USE [数据];"));
  EXPECT_THAT(Sql("my db", "GO"), HasSubstr("CREATE USER [GO] FOR LOGIN [GO];"));
}

TEST(MssqlSetupSql, RefusesNamesNoScriptCanHold) {
  using namespace std::string_view_literals;
  for (const std::string_view name :
       {""sv, "a\nGO\nDROP DATABASE b"sv, "a\rb"sv, "a\0b"sv, "a\x7F"sv, "$(x)"sv, "a\xFF"sv}) {
    EXPECT_THAT(SetupRefusal(name, "reader"), HasSubstr("--database"));
    EXPECT_THAT(SetupRefusal("sales", name), HasSubstr("--login"));
  }
  EXPECT_THAT(SetupRefusal("sales", std::string(129, 'x')), HasSubstr("128"));
  EXPECT_EQ(SetupRefusal("sales", std::string(128, 'x')), "accepted");
  EXPECT_THAT(SetupRefusal("sales", "DOMAIN\\user"), HasSubstr("Windows"));
  EXPECT_EQ(SetupRefusal("a\\b", "reader"), "accepted");
}

}  // namespace
}  // namespace toolpost::tools::mssql
