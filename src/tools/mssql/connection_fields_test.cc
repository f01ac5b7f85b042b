// Connections that are added field by field.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ConnectionFieldTools : public MssqlFixture {
 protected:
  ConnectionFieldTools() {
    config_.state.dir = StateDirectory();
    Offer();
  }

  static std::string Named(std::string_view fields) {
    return base::StrCat(R"({"name":"x",)", fields, "}");
  }
  // Why AddConnection refuses them; empty: it does not.
  std::string Refusal(std::string_view fields) const {
    return MessageOf(Direct("AddConnection", Named(fields)));
  }
  void PutPassword(const std::string& name, std::string_view text, mode_t mode = 0600) const {
    const std::string directory = StateDirectory() + "/passwords";
    std::filesystem::create_directories(directory);
    std::ofstream(directory + "/" + name) << text;
    ASSERT_EQ(chmod((directory + "/" + name).c_str(), mode), 0);
  }
};

TEST_F(ConnectionFieldTools, FieldsBecomeALoginThatVerifiesTheServer) {
  EXPECT_EQ(Refusal(R"("host":"sql1","port":1444,"database":"a;b=c","user":"r\"x",
                       "password":" p;w=d'\" {ö}} ")"),
            "");
  ASSERT_EQ(logins_.size(), 1U);
  EXPECT_EQ(logins_[0].host, "sql1");
  EXPECT_EQ(logins_[0].port, 1444);
  EXPECT_EQ(logins_[0].instance, "");
  EXPECT_EQ(logins_[0].database, "a;b=c");
  EXPECT_EQ(logins_[0].user, "r\"x");
  EXPECT_EQ(logins_[0].password, " p;w=d'\" {ö}} ");
  EXPECT_EQ(logins_[0].encryption, db::SqlServerLogin::Encryption::kRequired);
  EXPECT_FALSE(logins_[0].trust_certificate);
  EXPECT_EQ(Data("Initialize", R"({"connectionName":"x"})").at("success"), true);
}

TEST_F(ConnectionFieldTools, TestTakesThemTooAndStoresNothing) {
  const Json tested = Data("TestConnection", R"({"request":{"host":"sql1","instance":"EXPRESS",
      "database":"shop","user":"reader","password":"p"}})");
  EXPECT_EQ(tested.at("success"), true);
  EXPECT_FALSE(tested.as_object().contains("connectionName"));
  ASSERT_EQ(logins_.size(), 1U);
  EXPECT_EQ(logins_[0].host, "sql1");
  EXPECT_EQ(logins_[0].instance, "EXPRESS");
  EXPECT_EQ(logins_[0].database, "shop");
  EXPECT_FALSE(logins_[0].trust_certificate);
  EXPECT_THAT(ErrorOf("Initialize", R"({"connectionName":"x"})"), HasSubstr("AddConnection"));
  EXPECT_THAT(ErrorOf("TestConnection", R"({"host":"sql1","user":"u"})"), HasSubstr("password"));
  EXPECT_THAT(ErrorOf("TestConnection", R"({"name":"x","host":"sql1","user":"u","password":"p"})"),
              HasSubstr("either"));
  PutPassword("sql1", "of the file");
  EXPECT_THAT(ErrorOf("TestConnection", R"({"host":"sql1","user":"u","passwordFile":"sql1"})"),
              HasSubstr("mssql.allow_hosts"));
  EXPECT_EQ(logins_.size(), 1U);
}

TEST_F(ConnectionFieldTools, UpdateTakesThemToo) {
  Store("x", "old");
  Data("UpdateConnection",
       Named(R"("host":"2001:db8::1","instance":"EXPRESS","user":"reader","password":"")"));
  ASSERT_FALSE(logins_.empty());
  EXPECT_EQ(logins_.back().host, "2001:db8::1");
  EXPECT_EQ(logins_.back().instance, "EXPRESS");
  EXPECT_EQ(logins_.back().password, "");
}

TEST_F(ConnectionFieldTools, WhatIsMissingOrTooMuchIsNamed) {
  EXPECT_THAT(Refusal(R"("test":false)"), HasSubstr("either connectionString or host"));
  EXPECT_THAT(Refusal(R"("user":"a","password":"b")"),
              HasSubstr("either connectionString or host"));
  EXPECT_THAT(Refusal(R"("host":"sql1","password":"b")"), HasSubstr("Give user"));
  EXPECT_THAT(Refusal(R"("host":"sql1","user":"a")"), HasSubstr("password or passwordFile"));
  EXPECT_THAT(Refusal(R"("host":"sql1","user":"a","password":"b","passwordFile":"c")"),
              HasSubstr("password or passwordFile"));
  EXPECT_THAT(Refusal(R"("host":"sql1","user":"a","password":"b","port":1,"instance":"I")"),
              HasSubstr("either port or instance"));
  for (const char* field :
       {R"("host":"sql1")", R"("port":1)", R"("instance":"I")", R"("database":"d")",
        R"("user":"u")", R"("password":"p")", R"("passwordFile":"f")"}) {
    EXPECT_THAT(Refusal(base::StrCat(R"("connectionString":"Server=a;User Id=b",)", field)),
                HasSubstr("either connectionString"))
        << field;
  }
  EXPECT_TRUE(logins_.empty());
}

TEST_F(ConnectionFieldTools, FieldsCannotSmuggleOthers) {
  for (const char* fields :
       {R"("host":"a,1","user":"u","password":"p")", R"("host":"a\\b","user":"u","password":"p")",
        R"("host":"a;Encrypt=no","user":"u","password":"p")",
        R"("host":"a","instance":"b,1","user":"u","password":"p")",
        R"("host":"a","port":0,"user":"u","password":"p")",
        R"("host":"a","port":65536,"user":"u","password":"p")",
        R"("host":"","user":"u","password":"p")", R"("host":"a","user":"u\n","password":"p")",
        R"("host":"a","user":"u","passwordEnv":"MSSQL_MCP_KEY")"}) {
    EXPECT_THAT(Refusal(fields), Not(IsEmpty())) << fields;
  }
  EXPECT_TRUE(logins_.empty());
}

TEST_F(ConnectionFieldTools, APasswordFileIsReadForHostsThatAreListed) {
  config_.mssql.allow_hosts = {"*.corp.example"};
  Offer();
  PutPassword("sales", "from the \"file\"\n");
  const std::string reply =
      Refusal(R"("host":"db.corp.example","user":"u","passwordFile":"sales")");
  EXPECT_EQ(reply, "");
  ASSERT_EQ(logins_.size(), 1U);
  EXPECT_EQ(logins_[0].password, "from the \"file\"");
  std::filesystem::remove_all(StateDirectory() + "/passwords");
  EXPECT_THAT(StoredBytes(), Not(HasSubstr("from the")));
}

// Who manages connections would otherwise learn every password by having it sent to them.
TEST_F(ConnectionFieldTools, APasswordFileGoesToNoOtherHost) {
  PutPassword("sales", "planted-password");
  constexpr std::string_view kFields = R"("host":"evil.example","user":"u","passwordFile":"sales")";
  EXPECT_THAT(Refusal(kFields), HasSubstr("mssql.allow_hosts")) << "empty lists nothing";
  config_.mssql.allow_hosts = {"db.corp.example"};
  Offer();
  EXPECT_THAT(Refusal(kFields), HasSubstr("mssql.allow_hosts"));
  EXPECT_THAT(Refusal(R"("host":"evil.example","user":"u","passwordFile":"absent")"),
              HasSubstr("mssql.allow_hosts"))
      << "whether there is a file is not told either";
  EXPECT_TRUE(logins_.empty());
}

TEST_F(ConnectionFieldTools, OnlyPrivateFilesOfThePasswordDirectoryAreRead) {
  config_.mssql.allow_hosts = {"*"};
  Offer();
  PutPassword("open", "planted-password", 0644);
  std::ofstream(StateDirectory() + "/other") << "planted-password";
  std::filesystem::create_symlink(StateDirectory() + "/other",
                                  StateDirectory() + "/passwords/link");
  const auto refusal = [this](std::string_view name) {
    return Refusal(base::StrCat(R"("host":"sql1","user":"u","passwordFile":")", name, R"(")"));
  };
  EXPECT_THAT(refusal("open"), AllOf(HasSubstr("password file"), HasSubstr("0600")));
  EXPECT_THAT(refusal("link"), HasSubstr("no such file"));
  EXPECT_THAT(refusal("absent"),
              AllOf(HasSubstr("no such file"), Not(HasSubstr(StateDirectory()))));
  for (const char* name : {"../other", "/etc/hostname", ".", "..", "a/b", ""})
    EXPECT_THAT(refusal(name), Not(IsEmpty())) << name;
  EXPECT_TRUE(logins_.empty());
}

}  // namespace
}  // namespace toolpost::tools::mssql
