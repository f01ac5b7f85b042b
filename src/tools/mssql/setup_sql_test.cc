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

std::string Refusal(std::string_view database, std::string_view login) {
  const auto sql = SetupSql({.database = database, .login = login});
  if (sql) return "accepted";
  EXPECT_EQ(sql.error().code, Code::kInvalidArgument);
  return sql.error().message;
}

TEST(MssqlSetupSql, LetsALoginReadAndNothingElse) {
  const std::string sql = Sql("sales", "toolpost_reader");
  EXPECT_THAT(sql, HasSubstr("ALTER ROLE db_datareader ADD MEMBER [toolpost_reader];"));
  EXPECT_THAT(sql, HasSubstr("GRANT VIEW DEFINITION TO [toolpost_reader];"));
  EXPECT_THAT(sql, HasSubstr("DENY INSERT, UPDATE, DELETE, EXECUTE, ALTER TO [toolpost_reader];"));
  EXPECT_THAT(sql, HasSubstr("USE [sales];"));
  EXPECT_THAT(sql, HasSubstr("DEFAULT_DATABASE = [sales]"));
  EXPECT_THAT(sql, HasSubstr("IS_SRVROLEMEMBER(N'sysadmin', N'toolpost_reader') = 1"));
  EXPECT_THAT(sql, Not(HasSubstr("msdb")));
}

TEST(MssqlSetupSql, CanBeRunTwiceAndShowsNoPassword) {
  const std::string sql = Sql("sales", "reader");
  EXPECT_THAT(sql, HasSubstr("IF SUSER_ID(N'reader') IS NULL"));
  EXPECT_THAT(sql, HasSubstr("IF USER_ID(N'reader') IS NULL"));
  EXPECT_THAT(sql, HasSubstr("CRYPT_GEN_RANDOM(32)"));
  EXPECT_EQ(sql, Sql("sales", "reader"));
}

TEST(MssqlSetupSql, MayLetItReadTheAgentsJobs) {
  const std::string sql = Sql("sales", "reader", true);
  EXPECT_THAT(sql,
              AllOf(HasSubstr("USE [msdb];"), HasSubstr("GRANT SELECT ON dbo.sysjobs TO [reader];"),
                    HasSubstr("GRANT SELECT ON dbo.sysjobhistory TO [reader];")));
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
    EXPECT_THAT(Refusal(name, "reader"), HasSubstr("--database"));
    EXPECT_THAT(Refusal("sales", name), HasSubstr("--login"));
  }
  EXPECT_THAT(Refusal("sales", std::string(129, 'x')), HasSubstr("128"));
  EXPECT_EQ(Refusal("sales", std::string(128, 'x')), "accepted");
  EXPECT_THAT(Refusal("sales", "DOMAIN\\user"), HasSubstr("Windows"));
  EXPECT_EQ(Refusal("a\\b", "reader"), "accepted");
}

}  // namespace
}  // namespace toolpost::tools::mssql
