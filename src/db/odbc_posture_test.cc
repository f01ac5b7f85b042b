#include "db/odbc_posture.h"

#include "base/strings.h"
#include "db/odbc_server_fixture.h"

namespace toolpost::db {
namespace {

using tds_server::Received;

constexpr std::string_view kPosture = R"json({"tag": "toolpost:posture", "steps": [
  {"columns": [{"name": "version", "type": "nvarchar(400)"}, {"name": "d", "type": "nvarchar(128)"},
    {"name": "l", "type": "nvarchar(128)"}, {"name": "s", "type": "int"}, {"name": "w", "type": "int"},
    {"name": "x", "type": "int"}, {"name": "r", "type": "int"}, {"name": "c", "type": "int"}, {"name": "b", "type": "int"}],
   "rows": [["Microsoft SQL Server 2022\n\tmore", "shop", "sa", 1, 1, 0, 0, 1, 1]]},
  {"columns": [{"name": "name", "type": "nvarchar(128)"}], "rows": [["sysadmin"], ["db_owner"]]}]})json";

constexpr std::string_view kReader = R"json({"tag": "toolpost:posture", "steps": [
  {"columns": [{"name": "version", "type": "nvarchar(400)"}, {"name": "d", "type": "nvarchar(128)"},
    {"name": "l", "type": "nvarchar(128)"}, {"name": "s", "type": "int"}, {"name": "w", "type": "int"},
    {"name": "x", "type": "int"}, {"name": "r", "type": "int"}, {"name": "c", "type": "int"}, {"name": "b", "type": "int"}],
   "rows": [["Microsoft SQL Server 2022", "my-db", "reader", 0, 0, 0, 0, 0, 0]]},
  {"columns": [{"name": "name", "type": "nvarchar(128)"}], "rows": [["securityadmin"], ["db_datareader"]]}]})json";

// A rule for one of the statements of the posture: each list of JSON rows is a set.
std::string NamesRule(std::string_view tag, const std::vector<std::string>& sets) {
  std::string steps;
  for (const std::string& rows : sets) {
    if (!steps.empty()) steps += ",";
    steps += base::StrCat(
        R"json({"columns": [{"name": "name", "type": "nvarchar(300)"}], "rows": )json", rows, "}");
  }
  return base::StrCat(R"(,{"tag": "toolpost:)", tag, R"(", "steps": [)", steps, "]}");
}

class OdbcPostureTest : public OdbcServerTest {
 protected:
  SqlServerPosture Ask() {
    auto posture = server_->Posture(Clock::now() + std::chrono::seconds(60), {});
    EXPECT_TRUE(posture) << posture.error().message;
    return posture ? *posture : SqlServerPosture{};
  }
};

TEST_F(OdbcPostureTest, SaysWhoWeAreAndWhatIsDangerous) {
  Serve(base::StrCat(kPosture, NamesRule("configuration", {R"([["xp_cmdshell"]])"})));
  const SqlServerPosture posture = Ask();
  EXPECT_EQ(posture.version, "Microsoft SQL Server 2022");
  EXPECT_EQ(posture.database, "shop");
  EXPECT_EQ(posture.login, "sa");
  EXPECT_TRUE(posture.sysadmin);
  EXPECT_TRUE(posture.can_write);
  EXPECT_EQ(posture.writable, std::vector<std::string>{"database"});
  EXPECT_FALSE(posture.can_execute);
  EXPECT_TRUE(posture.executable.empty());
  EXPECT_FALSE(posture.encrypted);
  EXPECT_FALSE(posture.certificate_verified);
  EXPECT_EQ(posture.roles, (std::vector<std::string>{"sysadmin", "db_owner"}));
  EXPECT_EQ(posture.warnings.size(), 4U);
}

TEST_F(OdbcPostureTest, FindsRightsOnSchemasAndObjects) {
  Serve(base::StrCat(
      kReader, NamesRule("rights", {R"([["[sales]"], ["[dbo].[orders]"]])", R"([["[etl]"]])"})));
  const SqlServerPosture posture = Ask();
  EXPECT_TRUE(posture.can_write);
  EXPECT_EQ(posture.writable, (std::vector<std::string>{"[sales]", "[dbo].[orders]"}));
  EXPECT_TRUE(posture.can_execute);
  EXPECT_EQ(posture.executable, std::vector<std::string>{"[etl]"});
  ASSERT_EQ(posture.warnings.size(), 3U);
  EXPECT_NE(posture.warnings[0].find("securityadmin"), std::string::npos);
  EXPECT_NE(posture.warnings[1].find("write to [sales], [dbo].[orders]:"), std::string::npos);
  EXPECT_NE(posture.warnings[2].find("procedures of [etl]:"), std::string::npos);
}

TEST_F(OdbcPostureTest, CountsLinkedServers) {
  Serve(base::StrCat(kReader, NamesRule("rights", {"[]", "[]"}), NamesRule("configuration", {"[]"}),
                     R"(,{"tag": "toolpost:linked_servers", "steps": [
      {"columns": [{"name": "n", "type": "int"}], "rows": [[2]]}]})"));
  const SqlServerPosture posture = Ask();
  EXPECT_FALSE(posture.can_write);
  EXPECT_FALSE(posture.can_execute);
  ASSERT_EQ(posture.warnings.size(), 2U);
  EXPECT_NE(posture.warnings[1].find("2 linked servers"), std::string::npos);
}

TEST_F(OdbcPostureTest, NamesTheDatabaseSoThatItNeedsNoPlainName) {
  Serve(kReader);
  Ask();
  bool asked = false;
  for (const Received& call : tds_->record().All()) {
    EXPECT_EQ(call.text.find("HAS_PERMS_BY_NAME(DB_NAME()"), std::string::npos);
    asked = asked || call.text.find("HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE'") !=
                         std::string::npos;
  }
  EXPECT_TRUE(asked);
}

// Azure SQL lacks some of it, and so do logins with few rights.
TEST_F(OdbcPostureTest, DoesWithoutWhatTheServerDoesNotTell) {
  Serve(kReader);
  const SqlServerPosture posture = Ask();
  EXPECT_EQ(posture.login, "reader");
  ASSERT_EQ(posture.warnings.size(), 2U);
  EXPECT_NE(posture.warnings[1].find("schemas"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::db
