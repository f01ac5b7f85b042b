#include "db/sql_server_login.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "db/connection_string.h"
#include "db/sql_server_keywords.h"

namespace toolpost::db {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Encryption = SqlServerLogin::Encryption;

SqlServerLogin Login(std::string_view text) {
  auto login = ParseSqlServerLogin(text);
  EXPECT_TRUE(login) << login.error().message;
  return login ? *login : SqlServerLogin{};
}

// With the settings every connection string needs.
SqlServerLogin With(std::string_view settings) {
  return Login(base::StrCat("Server=db1;User ID=u;", settings));
}

std::string LoginRefusal(std::string_view text) {
  const auto login = ParseSqlServerLogin(text);
  if (login) return "accepted";
  EXPECT_EQ(login.error().code, Code::kInvalidArgument);
  return login.error().message;
}

std::string RefusalWith(std::string_view settings) {
  return LoginRefusal(base::StrCat("Server=db1;User ID=u;", settings));
}

TEST(SqlServerLogin, ReadsTheConnectionStringOfTheDocument) {
  const auto login = Login("Server=myserver;Database=mydb;User Id=myuser;Password=mypassword;");
  EXPECT_EQ(login.host, "myserver");
  EXPECT_EQ(login.port, 0);
  EXPECT_EQ(login.instance, "");
  EXPECT_EQ(login.database, "mydb");
  EXPECT_EQ(login.user, "myuser");
  EXPECT_EQ(login.password, "mypassword");
  EXPECT_EQ(login.encryption, Encryption::kRequired);
  EXPECT_FALSE(login.trust_certificate);
  EXPECT_FALSE(login.read_only_intent);
  EXPECT_FALSE(login.login_timeout);
}

TEST(SqlServerLogin, ReadsWhatTheAzurePortalHandsOut) {
  const auto login = Login(
      "Server=tcp:x.database.windows.net,1433;Initial Catalog=sales;Persist Security Info=False;"
      "User ID=reader;Password={p;w}}d};MultipleActiveResultSets=False;Encrypt=True;"
      "TrustServerCertificate=False;Connection Timeout=30;");
  EXPECT_EQ(login.host, "x.database.windows.net");
  EXPECT_EQ(login.port, 1433);
  EXPECT_EQ(login.database, "sales");
  EXPECT_EQ(login.password, "p;w}d");
  EXPECT_EQ(login.login_timeout, std::chrono::seconds(30));
}

TEST(SqlServerLogin, ReadsOdbcSpelling) {
  const auto login = Login(
      "SERVER=db1\\SALES;PORT=1500;UID={sa};PWD={a=b;'\"};DATABASE={my db};APP=report;"
      "ApplicationIntent=READONLY;Encrypt=strict;HostNameInCertificate=cert.example;"
      "TrustServerCertificate=yes;MARS_Connection=no;Trusted_Connection=No;WSID=x");
  EXPECT_EQ(login.host, "db1");
  EXPECT_EQ(login.instance, "SALES");
  EXPECT_EQ(login.port, 1500);
  EXPECT_EQ(login.user, "sa");
  EXPECT_EQ(login.password, "a=b;'\"");
  EXPECT_EQ(login.database, "my db");
  EXPECT_EQ(login.application, "report");
  EXPECT_TRUE(login.read_only_intent);
  EXPECT_EQ(login.encryption, Encryption::kStrict);
  EXPECT_EQ(login.certificate_host, "cert.example");
  EXPECT_TRUE(login.trust_certificate);
}

TEST(SqlServerLogin, KnowsAllSynonymsInAnyCase) {
  for (const char* server :
       {"Server", "Data Source", "Address", "Addr", "Network Address", "DATASOURCE", "sErVeR"}) {
    for (const char* user : {"User ID", "UID", "User", "UserId", "user id"}) {
      for (const char* password : {"Password", "PWD", "pwd"}) {
        const auto login =
            Login(base::StrCat(server, "=h;", user, "=u;", password, "=p;Initial Catalog=d"));
        EXPECT_EQ(login.host + login.user + login.password + login.database, "hupd");
      }
    }
  }
  for (const char* timeout : {"Connect Timeout", "Connection Timeout", "Timeout", "LoginTimeout"})
    EXPECT_EQ(With(base::StrCat(timeout, "=7")).login_timeout, std::chrono::seconds(7)) << timeout;
  EXPECT_EQ(With("Command Timeout=9").query_timeout, std::chrono::seconds(9));
  EXPECT_EQ(With("Application Name=a").application, "a");
  EXPECT_TRUE(With("Application Intent=ReadOnly").read_only_intent);
  EXPECT_TRUE(With("Trust Server Certificate=true").trust_certificate);
  EXPECT_EQ(With("Host Name In Certificate=h").certificate_host, "h");
}

TEST(SqlServerLogin, ReadsEveryKindOfQuoting) {
  const std::pair<const char*, const char*> cases[] = {
      {"'a''b'", "a'b"},
      {"\"a\"\"b;=\"", "a\"b;="},
      {"'\"{}'", "\"{}"},
      {"{a}}b;'\"}", "a}b;'\""},
      {"  plain  ", "plain"},
      {"' kept '", " kept "},
      {"a'b\"c{d}e", "a'b\"c{d}e"},
      {"a=b==c", "a=b==c"},
      {"'x'  ", "x"},
      {"''", ""},
      {"{}", ""},
      {"\"\"", ""},
      {"{{}", "{"},
      {"pässwörd😀", "pässwörd😀"},
  };
  for (const auto& [written, meant] : cases) {
    EXPECT_EQ(With(base::StrCat("Password=", written, ";Database=d")).password, meant) << written;
    EXPECT_EQ(With(base::StrCat("Password=", written, ";Database=d")).database, "d") << written;
    EXPECT_EQ(With(base::StrCat("Password=", written)).password, meant) << written;
  }
}

TEST(SqlServerLogin, RefusesQuotingThatIsNotClosedOrGoesOn) {
  for (const char* value :
       {"'hunter2", "\"hunter2", "{hunter2", "'hunter2''", "{hunter2}}", "'a'hunter2", "{a}hunter2",
        "\"a\" hunter2", "=hunter2", " = hunter2", "'a;b;c=hunter2", "{'hunter2'"}) {
    const std::string refusal = RefusalWith(base::StrCat("Password=", value, ";Database=d"));
    EXPECT_THAT(refusal, AllOf(HasSubstr("Setting 3"), HasSubstr("double quotes"),
                               Not(HasSubstr("hunter2"))))
        << value;
  }
}

TEST(SqlServerLogin, ReadsEveryFormOfAServer) {
  const auto server = [](std::string_view value) {
    const auto login = Login(base::StrCat("User ID=u;Server=", value));
    return base::StrCat(login.host, "|", login.instance, "|", login.port);
  };
  EXPECT_EQ(server("db1"), "db1||0");
  EXPECT_EQ(server("TCP:db1.example.com"), "db1.example.com||0");
  EXPECT_EQ(server("db1,1434"), "db1||1434");
  EXPECT_EQ(server("tcp: db1 , 1434 "), "db1||1434");
  EXPECT_EQ(server("db_1\\SQL$EXPRESS"), "db_1|SQL$EXPRESS|0");
  EXPECT_EQ(server("db1\\x,5000"), "db1|x|5000");
  EXPECT_EQ(server("db1\\MSSQLSERVER"), "db1||0");
  EXPECT_EQ(server("."), "localhost||0");
  EXPECT_EQ(server("(local)\\dev"), "localhost|dev|0");
  EXPECT_EQ(server("127.0.0.1"), "127.0.0.1||0");
  EXPECT_EQ(server("tcp:[::1],1433"), "::1||1433");
  EXPECT_EQ(server("fe80::1"), "fe80::1||0");
  EXPECT_EQ(server("'db1,1434'"), "db1||1434");
}

TEST(SqlServerLogin, RefusesHostsWithOddCharacters) {
  for (const char* value : {"np:db1",       "lpc:db1",     "admin:db1",   "\\\\db1\\pipe\\sql",
                            "(localdb)\\x", "db1:1433",    "db1/x",       "db 1",
                            "db1\\",        "db1\\a b",    "db1\\a\\b",   "-db1",
                            ".db1",         "a..b",        "db1]",        "[db1]",
                            "[]",           "[::1",        "::g",         "{db1\r}",
                            "dö",           "db1|x",       "db1`x`",      "$(x)",
                            "db1%00",       "#db1",        "\"db1=x\"",   "http://db1",
                            "user@db1",     "tcp:",        "tcp:tcp:db1", ",1433",
                            "\"a;b\"",      "fe80::1%eth0"}) {
    EXPECT_NE(LoginRefusal(base::StrCat("User ID=u;Server=", value)), "accepted") << value;
  }
  EXPECT_NE(LoginRefusal("User ID=u;Server=" + std::string(254, 'a')), "accepted");
  EXPECT_EQ(LoginRefusal("User ID=u;Server=" + std::string(253, 'a')), "accepted");
  EXPECT_THAT(LoginRefusal("User ID=u;Server=np:db1"),
              AllOf(HasSubstr("Server"), HasSubstr("host,port"), Not(HasSubstr("db1"))));
}

TEST(SqlServerLogin, RefusesPortsThatAreNone) {
  for (const char* port : {"0", "65536", "-1", "x", "1433x", "1 433", "99999999999", "+1433"}) {
    EXPECT_NE(LoginRefusal(base::StrCat("User ID=u;Server=db1,", port)), "accepted") << port;
    EXPECT_NE(RefusalWith(base::StrCat("Port=", port)), "accepted") << port;
  }
  EXPECT_NE(LoginRefusal("User ID=u;Server=db1,"), "accepted");
  EXPECT_THAT(LoginRefusal("User ID=u;Server=db1,1433;Port=1433"), HasSubstr("a port in Server"));
  EXPECT_THAT(LoginRefusal("User ID=u;Port=1433;Server=db1,1433"), HasSubstr("a port in Server"));
}

TEST(SqlServerLogin, RefusesDangerousKeywordsByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"Driver=/lib/evil.so", "Driver"},
      {"DRIVER={/opt/libmsodbcsql-18.so}", "Driver"},
      {"Driver=evil.so", "Driver"},
      {"Driver=libEvil.SO.2", "Driver"},
      {"Driver=C:\\evil.dll", "Driver"},
      {"Driver={x}};Driver=/lib/evil.so}", "Driver"},
      {"dumpfile=x", "DumpFile"},
      {"DumpFileAppend=yes", "DumpFileAppend"},
      {"AttachDbFilename=x", "AttachDbFilename"},
      {"Attach DB FileName=x", "AttachDbFilename"},
      {"Initial File Name=x", "AttachDbFilename"},
      {"Extended Properties=x", "AttachDbFilename"},
      {"Integrated Security=SSPI", "Integrated Security"},
      {"Integrated Security=true", "Integrated Security"},
      {"Trusted_Connection=yes", "Integrated Security"},
      {"Failover Partner=h", "Failover Partner"},
      {"Failover_Partner=h", "Failover Partner"},
      {"FailoverPartner=h", "Failover Partner"},
      {"DSN=x", "DSN"},
      {"FileDSN=x", "FileDSN"},
      {"SaveFile=x", "SaveFile"},
      {"QueryLogFile=x", "QueryLogFile"},
      {"StatsLogFile=x", "StatsLogFile"},
      {"Servername=x", "Servername"},
      {"TDS_Version=4.2", "TDS_Version"},
      {"ClientCharset=x", "ClientCharset"},
      {"Authentication=ActiveDirectoryIntegrated", "Authentication"},
      {"Authentication=\"Active Directory Password\"", "Authentication"},
      {"Column Encryption Setting=Enabled", "Column Encryption Setting"},
      {"ColumnEncryption=VBS-HGS", "Column Encryption Setting"},
      {"Network Library=dbnmpntw", "Network Library"},
      {"ServerCertificate=x", "ServerCertificate"},
      {"User Instance=true", "User Instance"},
      {"Context Connection=true", "Context Connection"},
  };
  for (const auto& [setting, name] : cases) {
    const std::string refusal = RefusalWith(setting);
    EXPECT_THAT(refusal, HasSubstr(base::StrCat(name, " is not allowed in a connection string")))
        << setting;
  }
  EXPECT_EQ(RefusalWith("Integrated Security=false;User Instance=no;Context Connection=False"),
            "accepted");
}

TEST(SqlServerLogin, TakesWhatThePortalOfAzureShows) {
  const SqlServerLogin odbc = Login(
      "Driver={ODBC Driver 18 for SQL Server};Server=tcp:acme.database.windows.net,1433;"
      "Database=shop;Uid=reader;Pwd={a;b};Encrypt=yes;TrustServerCertificate=no;"
      "Connection Timeout=30;");
  EXPECT_EQ(odbc.host, "acme.database.windows.net");
  EXPECT_EQ(odbc.port, 1433);
  EXPECT_EQ(odbc.user, "reader");
  EXPECT_EQ(odbc.password, "a;b");
  EXPECT_EQ(Login("Server=tcp:acme.database.windows.net,1433;Initial Catalog=shop;"
                  "Persist Security Info=False;User ID=reader;Password=p;"
                  "MultipleActiveResultSets=False;Encrypt=True;TrustServerCertificate=False;"
                  "Authentication=\"Sql Password\";Column Encryption Setting=Disabled")
                .database,
            "shop");
  for (const char* settings : {"Driver=FreeTDS", "Driver=SQL Server Native Client 11.0", "Driver=",
                               "Authentication=SqlPassword", "ColumnEncryption=disabled"})
    EXPECT_EQ(With(settings).host, "db1") << settings;
}

TEST(SqlServerLogin, NamesUnknownKeywordsUnlessTheyMayBeSecrets) {
  EXPECT_THAT(RefusalWith("Bogus Word=1"), AllOf(HasSubstr("Setting 3"), HasSubstr("Bogus Word"),
                                                 HasSubstr("allowed are Server")));
  EXPECT_THAT(RefusalWith("Password=a;hunter2=b"),
              AllOf(HasSubstr("Setting 4"), Not(HasSubstr("hunter2")), HasSubstr("double quotes")));
  EXPECT_THAT(RefusalWith("Password=a;hunter2"),
              AllOf(HasSubstr("no equals sign"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(LoginRefusal("mssql://u:hunter2@db1/x?encrypt=true"), Not(HasSubstr("hunter2")));
  EXPECT_THAT(LoginRefusal("hunter2"), Not(HasSubstr("hunter2")));
  EXPECT_NE(RefusalWith("=x"), "accepted");
}

TEST(SqlServerLogin, RefusesAKeywordThatStandsTwice) {
  for (const char* settings :
       {"Database=a;Database=b", "Database=a;Initial Catalog=a", "Password=a;PWD=b", "UID=v",
        "Data Source=db2", "Addr=db2", "Pooling=no;Pooling=no", "Database=;Database=a",
        "Driver=ODBC;Driver=/lib/evil.so"}) {
    EXPECT_THAT(RefusalWith(settings), HasSubstr("stands twice")) << settings;
  }
  EXPECT_THAT(RefusalWith("Data Source=db2"), HasSubstr("Server or a synonym"));
}

TEST(SqlServerLogin, RefusesValuesThatAreNotAllowedWithoutRepeatingThem) {
  for (const char* settings :
       {"Encrypt=hunter2", "TrustServerCertificate=hunter2", "ApplicationIntent=hunter2",
        "Connect Timeout=hunter2", "Command Timeout=hunter2", "Port=hunter2",
        "HostNameInCertificate=hunter2/x", "Integrated Security=hunter2"}) {
    EXPECT_THAT(RefusalWith(settings), AllOf(HasSubstr("not allowed"), Not(HasSubstr("hunter2"))));
  }
  for (const char* timeout : {"0", "-1", "3601", "1.5", "1e3"})
    EXPECT_NE(RefusalWith(base::StrCat("Connect Timeout=", timeout)), "accepted") << timeout;
  for (const char* name : {"Database", "Password", "Application Name"}) {
    EXPECT_EQ(RefusalWith(base::StrCat(name, "=", std::string(128, 'x'))), "accepted");
    EXPECT_THAT(RefusalWith(base::StrCat(name, "=", std::string(129, 'x'))), HasSubstr("128"));
  }
}

TEST(SqlServerLogin, NeedsAServerAndAUser) {
  EXPECT_THAT(LoginRefusal(""), HasSubstr("Server=host"));
  EXPECT_THAT(LoginRefusal(" ; ;; "), HasSubstr("Server=host"));
  EXPECT_THAT(LoginRefusal("User ID=u;Password=p"), HasSubstr("Server=host"));
  EXPECT_THAT(LoginRefusal("User ID=u;Server="), HasSubstr("Server=host"));
  EXPECT_THAT(LoginRefusal("Server=db1;Password=p"), HasSubstr("User ID"));
}

TEST(SqlServerLogin, RefusesTextNoConnectionStringNeeds) {
  using namespace std::string_view_literals;
  EXPECT_THAT(LoginRefusal("Server=db1;User ID=u;Database=" + std::string(4000, ' ') + "x"),
              HasSubstr("at most 4000"));
  EXPECT_EQ(LoginRefusal("Server=db1;User ID=u" + std::string(4000 - 20, ';')), "accepted");
  for (const std::string_view text :
       {"Server=db1\0;User ID=u"sv, "Server=db1;User ID=u;Password=a\nb"sv,
        "Server=db1;\tUser ID=u"sv, "Server=db1;User ID=u;Password='a\rb'"sv,
        "Server=db1;User ID=u;Password=\x7f"sv, "Server=db1;User ID=u;Password={\x01}"sv}) {
    EXPECT_THAT(LoginRefusal(text), HasSubstr("control character"));
  }
  EXPECT_THAT(LoginRefusal("Server=db1;User ID=u;Password=\xff"), HasSubstr("UTF-8"));
  EXPECT_EQ(LoginRefusal(" Server=db1;User ID=u;Password=a\r\n"), "accepted");
}

TEST(SqlServerKeywords, AreFoundInAnyCaseWithSpacesAndUnderscores) {
  ASSERT_NE(FindSqlServerKeyword("TRUSTED_connection"), nullptr);
  EXPECT_EQ(FindSqlServerKeyword("addr")->name, "Server");
  EXPECT_EQ(FindSqlServerKeyword("w s_id")->name, "Workstation ID");
  EXPECT_EQ(FindSqlServerKeyword(""), nullptr);
  EXPECT_EQ(FindSqlServerKeyword("zzz"), nullptr);
  EXPECT_EQ(FindSqlServerKeyword("serve"), nullptr);
}

}  // namespace
}  // namespace toolpost::db
