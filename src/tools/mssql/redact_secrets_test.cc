#include "tools/mssql/redact_secrets.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace toolpost::tools::mssql {
namespace {

void Expect(std::initializer_list<std::pair<const char*, const char*>> cases) {
  for (const auto& [text, redacted] : cases) {
    EXPECT_EQ(RedactSecrets(text), redacted);
    EXPECT_EQ(RedactSecrets(redacted), redacted) << "again";
  }
}

TEST(RedactSecrets, TakesPasswordsOutOfTsql) {
  Expect({
      {"CREATE LOGIN x WITH PASSWORD = 'hunter2'", "CREATE LOGIN x WITH PASSWORD = '***'"},
      {"ALTER LOGIN x WITH PASSWORD=N'hunter2' OLD_PASSWORD = N'a''b', CHECK_POLICY=OFF",
       "ALTER LOGIN x WITH PASSWORD=N'***' OLD_PASSWORD = N'***', CHECK_POLICY=OFF"},
      {"create login x with password\t=\t'hunter2'", "create login x with password\t=\t'***'"},
      {"WITH PASSWORD = 0x0200AB12 HASHED, SID = 0x01", "WITH PASSWORD = *** HASHED, SID = 0x01"},
      {"CREATE CREDENTIAL c WITH IDENTITY = 'i', SECRET = 'hunter2';",
       "CREATE CREDENTIAL c WITH IDENTITY = 'i', SECRET = '***';"},
      {"EXEC sp_addlinkedsrvlogin @rmtuser = N'u', @rmtpassword = N'hunter2'",
       "EXEC sp_addlinkedsrvlogin @rmtuser = N'u', @rmtpassword = N'***'"},
      {"OPEN MASTER KEY DECRYPTION BY PASSWORD = 'hunter2'",
       "OPEN MASTER KEY DECRYPTION BY PASSWORD = '***'"},
      {"EXEC('CREATE LOGIN x WITH PASSWORD = ''hunter2'', SID = 1')",
       "EXEC('CREATE LOGIN x WITH PASSWORD = ''***'', SID = 1')"},
      {"EXEC('EXEC(''... PASSWORD = ''''hunter2'''' '')')",
       "EXEC('EXEC(''... PASSWORD = ''''***'''' '')')"},
      {"PASSWORD = 'never closed", "PASSWORD = '***"},
      {"DECLARE @smtp_password nvarchar(9) = 'x'; SET @smtp_password = 'hunter2'",
       "DECLARE @smtp_password nvarchar(9) = 'x'; SET @smtp_password = '***'"},
  });
}

TEST(RedactSecrets, TakesPasswordsOutOfConnectionStrings) {
  Expect({
      {"Server=a;User ID=u;Password=hunter2;Encrypt=yes",
       "Server=a;User ID=u;Password=***;Encrypt=yes"},
      {"Server=a;PWD=hunter2", "Server=a;PWD=***"},
      {"Server=a;Pwd={hun;ter2};UID=u", "Server=a;Pwd={***};UID=u"},
      {"Password=\"hun;ter2\";UID=u", "Password=\"***\";UID=u"},
      {"Password='hun''ter2';UID=u", "Password='***';UID=u"},
      {"UID=u;Password=my secret words;Encrypt=yes", "UID=u;Password=***;Encrypt=yes"},
      {"UID=u; Password = hunter2; Encrypt=yes", "UID=u; Password = ***; Encrypt=yes"},
      {"$c = 'Server=a;Password=hunter2'; Run $c", "$c = 'Server=a;Password=***'; Run $c"},
      {"DefaultEndpointsProtocol=https;AccountName=n;AccountKey=ab+/cd==;X=y",
       "DefaultEndpointsProtocol=https;AccountName=n;AccountKey=***;X=y"},
      {"SET PGPASSWORD=hunter2", "SET PGPASSWORD=***"},
      {"{\"user\":\"u\",\"password\": \"hunter2\",\"port\":1}",
       "{\"user\":\"u\",\"password\": \"***\",\"port\":1}"},
      {"client_secret=hunter2 grant=x", "client_secret=*** grant=x"},
      {"x-api-key:hunter2", "x-api-key:***"},
  });
}

TEST(RedactSecrets, TakesPasswordsOutOfCommands) {
  Expect({
      {"sqlcmd -S host -U sa -P hunter2 -Q \"SELECT 1\"",
       "sqlcmd -S host -U sa -P *** -Q \"SELECT 1\""},
      {"sqlcmd -Usa -Phunter2 -i x.sql", "sqlcmd -Usa -P*** -i x.sql"},
      {"sqlcmd -P \"hunter 2\" -d x", "sqlcmd -P \"***\" -d x"},
      {"C:\\bin\\bcp.exe db.dbo.t out f -P'hunter2' -c",
       "C:\\bin\\bcp.exe db.dbo.t out f -P'***' -c"},
      {"dtexec /F x.dtsx /De hunter2 /Rep E", "dtexec /F x.dtsx /De *** /Rep E"},
      {"dtexec /SQL x /P hunter2 /Password hunter3", "dtexec /SQL x /P *** /Password ***"},
      {"tool --password hunter2 --user u", "tool --password *** --user u"},
      {"tool --password=hunter2 --user u", "tool --password=*** --user u"},
      {"tool --password='hun ter2' x", "tool --password='***' x"},
      {"plink -pw hunter2 host", "plink -pw *** host"},
      {"Connect-It -Password \"hunter2\" -Name n", "Connect-It -Password \"***\" -Name n"},
      {"net use Z: \\\\srv\\share hunter2 /user:dom\\u",
       "net use Z: \\\\srv\\share *** /user:dom\\u"},
      {"NET USE \\\\srv\\share \"hun ter2\" /user:u", "NET USE \\\\srv\\share \"***\" /user:u"},
      {"ConvertTo-SecureString 'hunter2' -AsPlainText -Force",
       "ConvertTo-SecureString '***' -AsPlainText -Force"},
      {"ConvertTo-SecureString -String \"hunter2\" -AsPlainText",
       "ConvertTo-SecureString -String \"***\" -AsPlainText"},
      {"curl https://user:hunter2@host/x?y", "curl https://user:***@host/x?y"},
      {"echo 1\nsqlcmd -P hunter2\necho 2", "echo 1\nsqlcmd -P ***\necho 2"},
  });
}

TEST(RedactSecrets, TakesTokensAndSignaturesOut) {
  Expect({
      {"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc-_123", "Authorization: Bearer ***"},
      {"-H 'authorization: bearer 0123456789abcdef0123'", "-H 'authorization: bearer ***'"},
      {"Authorization: Basic dXNlcjpodW50ZXIyMTIz", "Authorization: Basic ***"},
      {"https://a.blob.core.windows.net/c?sv=2020&sig=abc%2Fdef%3D0123456789&se=1",
       "https://a.blob.core.windows.net/c?sv=2020&sig=***&se=1"},
      {"WITH IDENTITY = 'SHARED ACCESS SIGNATURE', SECRET = 'sv=2020&sig=abc'",
       "WITH IDENTITY = 'SHARED ACCESS SIGNATURE', SECRET = '***'"},
      {"'?sv=1&sig=abcdefghijklmnop0123'", "'?sv=1&sig=***'"},
  });
}

TEST(RedactSecrets, LeavesHarmlessTextAlone) {
  for (const char* text : {
           "",
           "SELECT password, pwd FROM users WHERE password IS NULL",
           "SELECT a FROM t WHERE password = @password",
           "UPDATE t SET password = NULL, secret = ''",
           "WHERE u.password = h.password AND x = 'y'",
           "SET @password = @other;",
           "EXEC p @password = @p, @x = 'visible'",
           "EXEC('... PASSWORD = '''', x = ''visible''')",
           "Server=a;User ID=u;Password=;Encrypt=yes",
           "Password=$(pw);User=u",
           "SET PGPASSWORD=%PW%",
           "-- the password: ask Bob",
           "PRINT 'Password reset mails sent'",
           "sqlcmd -S host -E -Q \"EXEC p\" -p 1",
           "sqlcmd -P -Q x",
           "grep -P '^a+$' file",
           "scp -P 22 a b:c",
           "dir /P",
           "set /p x=y",
           "net use Z: \\\\srv\\share /persistent:yes",
           "net use Z: \\\\srv\\share * /user:u",
           "net start mssqlserver",
           "The bearer of this letter",
           "bearer responsibilities are many",
           "basic arithmetic",
           "curl https://host:8080/a@b",
           "https://host/x?sig=short&design=1",
           "BACKUP DATABASE sales TO DISK = 'd:\\x.bak' WITH INIT",
           "SELECT 1 AS pwdlastset, secretary FROM staff WHERE secretary = 'Ann'",
           "mailto:ops@example.com",
           "tool --password-file /run/x --passwordless",
           "größe = 'ü'; 名前 = '値'",
           "\xFF\xFE binary \x01",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
}

TEST(RedactSecrets, TakesLinearTimeOnHostileText) {
  for (const char* unit : {"password=", "password ='", "-P ", "://a:", "sqlcmd -P ", "net use \\\\",
                           "Bearer ", "'\"", "password: \"", "Pwd={", "sig="}) {
    std::string text;
    while (text.size() < 300'000) text += unit;
    EXPECT_FALSE(RedactSecrets(text).empty());
  }
}

}  // namespace
}  // namespace toolpost::tools::mssql
