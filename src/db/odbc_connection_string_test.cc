#include "db/odbc_connection_string.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "db/freetds_conf.h"

namespace toolpost::db {
namespace {

const OdbcDriver kFreeTds{OdbcDriver::Kind::kFreeTds, "/lib/libtdsodbc.so"};
const OdbcDriver kMicrosoft{OdbcDriver::Kind::kMicrosoft, "/opt/libmsodbcsql-18.so"};

SqlServerLogin Login() {
  return {.host = "db.example", .database = "shop", .user = "reader", .password = "x;DumpFile=/a"};
}

std::string Conf() {
  std::ifstream in(std::getenv("FREETDSCONF"));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string SectionOf(const std::string& connection_string) {
  const std::size_t at = connection_string.find("Servername=") + 11;
  const std::string name = connection_string.substr(at, connection_string.find(';', at) - at);
  const std::string conf = Conf();
  const std::size_t start = conf.find("[" + name + "]");
  const std::size_t body = conf.find('\n', start) + 1;
  return conf.substr(body, conf.find('[', body) - body);
}

TEST(OdbcConnectionString, BracesKeepValuesWhatTheyAre) {
  const auto text = OdbcConnectionString(kFreeTds, Login(), "/ca.pem");
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("Driver={/lib/libtdsodbc.so};Servername=db.example"));
  EXPECT_TRUE(text->ends_with("Database={shop};APP={toolpost};UID={reader};PWD={x;DumpFile=/a};"));
}

// unixODBC would load the library.
TEST(OdbcConnectionString, NoValueBringsAnotherDriver) {
  const std::string hostile = "x}Driver={/tmp/evil.so}y";
  for (std::string SqlServerLogin::*value :
       {&SqlServerLogin::database, &SqlServerLogin::application, &SqlServerLogin::user,
        &SqlServerLogin::password}) {
    SqlServerLogin login = Login();
    login.*value = hostile;
    const auto text = OdbcConnectionString(kFreeTds, login, "/ca.pem");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message.find("evil"), std::string::npos);
    if (value != &SqlServerLogin::password) {
      login.*value = "a}b";
      EXPECT_FALSE(OdbcConnectionString(kFreeTds, login, "/ca.pem"));
    }
  }
  SqlServerLogin login = Login();
  login.password = "a=}b{c}";
  EXPECT_TRUE(OdbcConnectionString(kFreeTds, login, "/ca.pem"));
}

TEST(OdbcConnectionString, FreeTdsVerifiesThroughItsConfiguration) {
  SqlServerLogin login = Login();
  EXPECT_EQ(SectionOf(*OdbcConnectionString(kFreeTds, login, "/ca.pem")),
            "host = db.example\ntds version = 7.4\nclient charset = UTF-8\n"
            "encryption = require\nca file = /ca.pem\ncheck certificate hostname = yes\n");
  login.trust_certificate = true;
  EXPECT_EQ(SectionOf(*OdbcConnectionString(kFreeTds, login, "/ca.pem")),
            "host = db.example\ntds version = 7.4\nclient charset = UTF-8\n"
            "encryption = require\n");
  login.encryption = SqlServerLogin::Encryption::kNone;
  EXPECT_EQ(SectionOf(*OdbcConnectionString(kFreeTds, login, "/ca.pem")),
            "host = db.example\ntds version = 7.4\nclient charset = UTF-8\n"
            "encryption = off\n");
}

// By which Azure SQL Database finds the server. A name that two sections shared would mix their
// settings.
TEST(OdbcConnectionString, FreeTdsTellsTheServerItsName) {
  const auto name = [](std::string host, bool trust) {
    SqlServerLogin login = Login();
    login.host = std::move(host);
    login.trust_certificate = trust;
    const std::string text = *OdbcConnectionString(kFreeTds, login, "/ca.pem");
    const std::size_t at = text.find("Servername=") + 11;
    return text.substr(at, text.find(';', at) - at);
  };
  EXPECT_EQ(name("Named.example", false), "named.example");
  EXPECT_EQ(name("named.example", true), "named.example,1");
  EXPECT_EQ(name("NAMED.example", false), "named.example");
  EXPECT_EQ(name("NAMED.example", true), "named.example,1");
  EXPECT_EQ(name("global", false), "global,0");
  EXPECT_EQ(name("::1", false), "::1");
}

TEST(OdbcConnectionString, PortsNeedNoSectionsOfTheirOwn) {
  SqlServerLogin login = Login();
  EXPECT_NE(OdbcConnectionString(kFreeTds, login, "/ca.pem")->find(";Port=1433;"),
            std::string::npos);
  const std::size_t size = Conf().size();
  login.port = 1444;
  EXPECT_NE(OdbcConnectionString(kFreeTds, login, "/ca.pem")->find(";Port=1444;"),
            std::string::npos);
  EXPECT_EQ(Conf().size(), size);
}

TEST(OdbcConnectionString, TheSameSettingsAreOneSection) {
  const auto first = OdbcConnectionString(kFreeTds, Login(), "/ca.pem");
  const std::size_t size = Conf().size();
  EXPECT_EQ(*OdbcConnectionString(kFreeTds, Login(), "/ca.pem"), *first);
  EXPECT_EQ(Conf().size(), size);
}

TEST(OdbcConnectionString, SaysWhatFreeTdsCannotDo) {
  SqlServerLogin login = Login();
  login.encryption = SqlServerLogin::Encryption::kStrict;
  EXPECT_EQ(OdbcConnectionString(kFreeTds, login, "").error().code, Code::kInvalidArgument);
  login = Login();
  login.certificate_host = "other.example";
  EXPECT_EQ(OdbcConnectionString(kFreeTds, login, "").error().code, Code::kInvalidArgument);
  login.certificate_host = "DB.example";
  EXPECT_TRUE(OdbcConnectionString(kFreeTds, login, ""));
}

TEST(OdbcConnectionString, RefusesValuesThatWouldEndEarly) {
  for (const std::string& password : {std::string("a};Server=evil"), std::string("a\0b", 3)}) {
    SqlServerLogin login = Login();
    login.password = password;
    const auto text = OdbcConnectionString(kFreeTds, login, "");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, Code::kInvalidArgument);
    EXPECT_EQ(text.error().message.find("evil"), std::string::npos);
  }
}

TEST(OdbcConnectionString, RefusesHostsThatAreNone) {
  for (const char* host : {"", "a\nport = 1", "a b", "a;b", "[x]", "a=b", "#"}) {
    SqlServerLogin login = Login();
    login.host = host;
    EXPECT_FALSE(OdbcConnectionString(kFreeTds, login, "")) << host;
  }
}

TEST(OdbcConnectionString, MicrosoftsDriverTakesEverything) {
  SqlServerLogin login = Login();
  login.encryption = SqlServerLogin::Encryption::kStrict;
  login.certificate_host = "other.example";
  login.read_only_intent = true;
  login.port = 1444;
  login.password = "a};b";
  EXPECT_EQ(*OdbcConnectionString(kMicrosoft, login, ""),
            "Driver={/opt/libmsodbcsql-18.so};Server={tcp:db.example,1444};Encrypt=strict;"
            "TrustServerCertificate=no;HostNameInCertificate={other.example};"
            "Language=us_english;Database={shop};APP={toolpost};ApplicationIntent=ReadOnly;UID={"
            "reader};PWD={a}};b};");
}

}  // namespace
}  // namespace toolpost::db
