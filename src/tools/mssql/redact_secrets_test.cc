#include "tools/mssql/redact_secrets.h"

#include <string>

#include "tools/mssql/redact_secrets_fixture.h"

namespace toolpost::tools::mssql {
namespace {

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
       "DECLARE @smtp_password nvarchar(9) = '***'; SET @smtp_password = '***'"},
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
      {"\"Server=a;Password=&quot;hun;ter2&quot;;x=y\"",
       "\"Server=a;Password=&quot;***&quot;;x=y\""},
      {"client_secret=hunter2 grant=x", "client_secret=*** grant=x"},
      {"x-api-key:hunter2", "x-api-key:***"},
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

TEST(RedactSecrets, TakesSecretsOutOfOddConnectionStrings) {
  Expect({
      {"Server=a;Password=my hunter2 words", "Server=a;Password=***"},
      {"$c = \"Server=a;Password=my hunter2 words\"; Run", "$c = \"Server=a;Password=***\"; Run"},
      {"Server=a;Password=@hunter2;X=y", "Server=a;Password=***;X=y"},
      {"Server=a;SharedAccessKey=hunter2=;E=f", "Server=a;SharedAccessKey=***;E=f"},
      {"BlobEndpoint=x;SharedAccessSignature=sv=1&sig=hunter2",
       "BlobEndpoint=x;SharedAccessSignature=***"},
      {"https://f/api?code=hunter2abcdefghijklmnop012==", "https://f/api?code=***"},
      {"https://u:@hunter2@host/x", "https://u:***@host/x"},
  });
}

TEST(RedactSecrets, FindsSecretsBehindCommentsAndLineBreaks) {
  Expect({
      {"/* c */password = 'hunter2'", "/* c */password = '***'"},
      {"--password = 'hunter2'", "--password = '***'"},
      {"//password = 'hunter2'", "//password = '***'"},
      {"/*password='hunter2'*/", "/*password='***'*/"},
  });
}

TEST(RedactSecrets, TakesSecretsOutOfOddTsql) {
  Expect({
      {"CREATE LOGIN x WITH PASSWORD =\n 'hunter2'", "CREATE LOGIN x WITH PASSWORD =\n '***'"},
      {"CREATE LOGIN x WITH PASSWORD /* c */ = /* d */ 'hunter2'",
       "CREATE LOGIN x WITH PASSWORD /* c */ = /* d */ '***'"},
      {"CREATE LOGIN x WITH PASSWORD -- c\n = N'hunter2'",
       "CREATE LOGIN x WITH PASSWORD -- c\n = N'***'"},
      {"PASSWORD = '@hunter2'", "PASSWORD = '***'"},
      {"PASSWORD = '$hunter2'", "PASSWORD = '***'"},
      {"PASSWORD = '(hunter2'", "PASSWORD = '***'"},
      {"UPDATE t SET [password] = 'hunter2'", "UPDATE t SET [password] = '***'"},
      {"DECLARE @password nvarchar(50) = 'hunter2'", "DECLARE @password nvarchar(50) = '***'"},
      {"DECLARE @password AS nvarchar(50) = N'hunter2', @x int = 1",
       "DECLARE @password AS nvarchar(50) = N'***', @x int = 1"},
      {"DECLARE @pwd sysname = 'hunter2'", "DECLARE @pwd sysname = '***'"},
      {"CREATE USER x IDENTIFIED BY hunter2", "CREATE USER x IDENTIFIED BY ***"},
      {"CREATE SYMMETRIC KEY k WITH KEY_SOURCE = 'hunter2', ALGORITHM = AES_256",
       "CREATE SYMMETRIC KEY k WITH KEY_SOURCE = '***', ALGORITHM = AES_256"},
      {"SELECT ENCRYPTBYPASSPHRASE('hunter2', a)", "SELECT ENCRYPTBYPASSPHRASE('***', a)"},
      {"EXEC sp_addlogin 'u', 'hunter2'", "EXEC sp_addlogin 'u', '***'"},
      {"EXEC sp_addlinkedsrvlogin 'srv','false',NULL,'sa','hunter2'",
       "EXEC sp_addlinkedsrvlogin 'srv','false',NULL,'sa','***'"},
      {"SELECT * FROM OPENROWSET('SQLNCLI','srv';'sa';'hunter2','SELECT 1')",
       "SELECT * FROM OPENROWSET('SQLNCLI','srv';'sa';'***','SELECT 1')"},
      {"SET @c = 'Server=a;Password=' + 'hunter2' + ';x=y'",
       "SET @c = 'Server=a;Password=' + '***' + ';x=y'"},
      {"SET @c = CONCAT('Server=a;Password=', 'hunter2', ';x=y')",
       "SET @c = CONCAT('Server=a;Password=', '***', ';x=y')"},
      {"SET @s = N'ALTER LOGIN x WITH PASSWORD = ''' + 'hunter2' + ''''",
       "SET @s = N'ALTER LOGIN x WITH PASSWORD = ''' + '***' + ''''"},
  });
}

TEST(RedactSecrets, TakesSecretsOutOfDocumentsAndHeaders) {
  Expect({
      {"password => 'hunter2'", "password => '***'"},
      {"password := 'hunter2'", "password := '***'"},
      {"\"password\": \"a\\\"hunter2\"", "\"password\": \"***\""},
      {"-d \"{\\\"user\\\":\\\"u\\\",\\\"password\\\":\\\"hunter2\\\"}\"",
       "-d \"{\\\"user\\\":\\\"u\\\",\\\"password\\\":\\\"***\\\"}\""},
      {"'password': 'hunter2'", "'password': '***'"},
      {"<Password>hunter2</Password>", "<Password>***</Password>"},
      {"<add key=\"Smtp:Password\" value=\"hunter2\" /><add key=\"Port\" value=\"25\" />",
       "<add key=\"Smtp:Password\" value=\"***\" /><add key=\"Port\" value=\"25\" />"},
      {"<setting name=\"ApiKey\"\n  value=\"hunter2\"/>",
       "<setting name=\"ApiKey\"\n  value=\"***\"/>"},
      {"<add key=\"Password\" value=\"$(Pw)\"/>", "<add key=\"Password\" value=\"$(Pw)\"/>"},
      {"<DTS:Password DTS:Name=\"Password\" Sensitive=\"1\">hunter2</DTS:Password>",
       "<DTS:Password DTS:Name=\"Password\" Sensitive=\"1\">***</DTS:Password>"},
      {"-H \"x-api-key: hunter2\"", "-H \"x-api-key: ***\""},
      {"Ocp-Apim-Subscription-Key: hunter2", "Ocp-Apim-Subscription-Key: ***"},
      {"Authorization: Bearer hunter2", "Authorization: Bearer ***"},
      {"@{Authorization = \"Token hunter2\"}", "@{Authorization = \"Token ***\"}"},
      {"aws_secret_access_key = wJalrXUtnFEMIHunterK7MDENGbPxRfiCY", "aws_secret_access_key = ***"},
      {"key AKIAIOSFODNN7EXAMPLE used", "key *** used"},
      {"git clone ghp_0123456789abcdefghijABCDEFGHIJ0123", "git clone ***"},
      {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_"
       "XgL0n3I9PlFUP0THsR8U",
       "***"},
      {"-----BEGIN RSA PRIVATE KEY-----\nhunter2\nhunter2\n-----END RSA PRIVATE KEY-----\nrest",
       "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nrest"},
      {"@password1 = 'hunter2'", "@password1 = '***'"},
      {"PASSWORD = 'a''hunter2''b'", "PASSWORD = '***'"},
      {"PASSWORD = 0x0200AB HASHED", "PASSWORD = *** HASHED"},
  });
}

TEST(RedactSecrets, TakesTheLastSettingWithBlanksOutOfConnectionStrings) {
  Expect({
      {"Server=a;User ID=u; Password = hunter2", "Server=a;User ID=u; Password = ***"},
      {"Server=a; Pwd = my hunter2 words\nGO", "Server=a; Pwd = ***\nGO"},
      {"$c = \"Server=a; Password = hunter2\"; Run", "$c = \"Server=a; Password = ***\"; Run"},
      {"$c = 'Server=a;Password = hunter2'", "$c = 'Server=a;Password = ***'"},
  });
}

TEST(RedactSecrets, KnowsMoreProceduresAndFunctions) {
  Expect({
      {"EXEC sp_password @old='hunter2', @new = N'hunter3', @loginame='u'",
       "EXEC sp_password @old='***', @new = N'***', @loginame='u'"},
      {"EXEC sp_password @new='hunter3', @loginame='u'",
       "EXEC sp_password @new='***', @loginame='u'"},
      {"EXEC sp_xp_cmdshell_proxy_account 'd\\u','hunter2'",
       "EXEC sp_xp_cmdshell_proxy_account 'd\\u','***'"},
      {"EXEC sp_change_users_login 'Auto_Fix', 'u', NULL, 'hunter2'",
       "EXEC sp_change_users_login 'Auto_Fix', 'u', NULL, '***'"},
      {"SELECT DECRYPTBYCERT(Cert_ID('c'), @data, N'hunter2')",
       "SELECT DECRYPTBYCERT(Cert_ID('c'), @data, N'***')"},
      {"SELECT SignByCert(1, 'visible', 'hunter2')", "SELECT SignByCert(1, 'visible', '***')"},
      {"DECRYPTBYASYMKEY(AsymKey_ID('k'), x, 'hunter2')",
       "DECRYPTBYASYMKEY(AsymKey_ID('k'), x, '***')"},
      {"SIGNBYASYMKEY(AsymKey_ID('k'), 'visible', 'hunter2')",
       "SIGNBYASYMKEY(AsymKey_ID('k'), 'visible', '***')"},
      {"DECRYPTBYKEYAUTOCERT(cert_ID('c'), N'hunter2', x)",
       "DECRYPTBYKEYAUTOCERT(cert_ID('c'), N'***', x)"},
      {"DECRYPTBYKEYAUTOASYMKEY(AsymKey_ID('c'), 'hunter2', x)",
       "DECRYPTBYKEYAUTOASYMKEY(AsymKey_ID('c'), '***', x)"},
  });
}

TEST(RedactSecrets, FindsTheValueBesideANameHoweverItIsWritten) {
  Expect({
      {"<add key='Password' value='hunter2'/>", "<add key='Password' value='***'/>"},
      {"<add value=\"hunter2\" key=\"Password\"/>", "<add value=\"***\" key=\"Password\"/>"},
      {"<add key = \"Password\" value\t= \"hunter2\"/>",
       "<add key = \"Password\" value\t= \"***\"/>"},
      {"<add key=\"Password\" type=\"x\" value=\"hunter2\"/>",
       "<add key=\"Password\" type=\"x\" value=\"***\"/>"},
      {"<add value='hunter2'\n     type='x'\n     key='Smtp.Password'/>",
       "<add value='***'\n     type='x'\n     key='Smtp.Password'/>"},
      {"{\"name\":\"Password\",\"value\":\"hunter2\"}",
       "{\"name\":\"Password\",\"value\":\"***\"}"},
      {"[{\"name\": \"Port\", \"value\": 25}, {\"value\": \"hunter2\", \"slot\": true, \"name\": "
       "\"ApiKey\"}]",
       "[{\"name\": \"Port\", \"value\": 25}, {\"value\": \"***\", \"slot\": true, \"name\": "
       "\"ApiKey\"}]"},
      {"@{ Name = 'Password'; Value = 'hunter2' }", "@{ Name = 'Password'; Value = '***' }"},
  });
}

TEST(RedactSecrets, LeavesWhatOnlyLooksLikeThatAlone) {
  for (const char* text : {
           "SELECT 1; SELECT password = h.password FROM h",
           "UPDATE t SET a = 1, password = h.password FROM h; SELECT 2",
           "EXEC sp_password @old=@a, @new=@b, @loginame='visible'",
           "EXEC other @old='visible', @new='visible'",
           "EXEC sp_change_users_login 'Report'",
           "EXEC sp_change_users_login 'Update_One', 'visible', 'visible'",
           "EXEC sp_xp_cmdshell_proxy_account NULL",
           "SELECT DECRYPTBYCERT(Cert_ID('visible'), 'visible')",
           "SELECT DECRYPTBYKEYAUTOCERT(cert_ID('visible'), NULL, 'visible')",
           "SELECT ENCRYPTBYCERT(Cert_ID('visible'), 'visible', 'visible')",
           "<add key='Port' value='25'/><add key='Password' type='x'/><add value='visible'/>",
           "<add key=\"Password\"/><add value=\"visible\" key=\"Port\"/>",
           "{\"name\":\"Password\"},{\"value\":\"visible\",\"name\":\"Port\"}",
           "WHERE name = 'Password' AND value = 'visible'",
           "EXEC p @name = 'Password', @value = 'visible'",
           "<add key='Password' value='$(Pw)'/>",
           "Get-Item Env:DB_PASSWORD | Out-Null",
           "Set-Item Env:PATH visible",
           "Set-Item Env:DB_PASSWORD $pw",
           "Set-Item -Path C:\\x\\password visible",
           "$rs = Get-It -p visible",
           "curl -ubob https://h -upload visible",
           "curl -user-agent x:y https://h",
           "unzip -p x.zip visible",
           "redis -a visible",
           "redis-cli -h h ping",
           "sqlcmd /i /Path/x.sql",
           "sqlcmd -i /Projects/x.sql -o /Public/y.txt",
           "aws configure set region eu-west-1",
           "aws configure list",
           "configure set aside",
           "rs -i x.rss -parameters visible",
           "az account show -output table",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
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
           "@password_policy = 1",
           "@pass = 1",
           "WHILE @pass=0 SELECT 1",
           "Get-Item -Path c:\\x",
           "Invoke-Sqlcmd -Query x | Out-File -Path y",
           "sqlcmd -Q x | Tee-Object -Path y",
           "SET @s = N'ALTER LOGIN x WITH PASSWORD = ''' + @pw + ''', x = 1'",
           "SET @c = 'Server=a;Password=' + @pw + ';x=y'",
           "SET @c = 'Server=a;Password=' + @pw",
           "SELECT pwdlastset = 'x', bypass = 'y', compass='z'",
           "powershell -ExecutionPolicy Bypass -File x",
           "DECLARE @password nvarchar(50) = @x",
           "DECLARE @password nvarchar(50), @x varchar(9) = 'visible'",
           "OPENROWSET(BULK 'f.csv', FORMAT='CSV', FIRSTROW=2, FORMATFILE='visible') AS a",
           "OPENROWSET('SQLNCLI','Server=a;Trusted_Connection=yes','SELECT visible')",
           "SELECT DecryptByPassPhrase(@p, 'visible')",
           "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
           "the token: ask Bob",
           "authorization: see manual",
           "net user bob /add",
           "net user",
           "net use",
           "dtexec /F x /SET \\Package.Variables[Count].Value;5",
           "mysql -uroot --port 3306",
           "curl -u bob https://h",
           "UPDATE t\nSET password = h.password\nFROM h",
           "<Password/>",
           "<Password>$(pw)</Password>",
           "\"$pw\" | ConvertTo-SecureString -AsPlainText",
           "password::text",
           "SELECT 1 AS code WHERE code=12345678901234567890",
           "EXEC p @password=@p, @x=1",
           "Password=\"$pw\"",
           "sqlcmd -P \"%PW%\" -Q x",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
}

TEST(RedactSecrets, TakesLinearTimeOnHostileText) {
  for (const char* unit : {"password=",
                           "password ='",
                           "-P ",
                           "://a:",
                           "sqlcmd -P ",
                           "net use \\\\",
                           "Bearer ",
                           "'\"",
                           "password: \"",
                           "Pwd={",
                           "sig=",
                           "Bearer/",
                           "setx/",
                           "net/",
                           "-password=-",
                           "password=@",
                           "password]=x",
                           "curl -u ",
                           "dtexec /set ",
                           "@pw a b(",
                           "password/*",
                           "'+",
                           "PWDENCRYPT(",
                           "<password ",
                           "IDENTIFIED BY/",
                           "password='+",
                           "|ConvertTo-SecureString",
                           "eyJ.",
                           "key='",
                           "name=\"a\" ",
                           "value='x' ",
                           "\"name\":\"",
                           "sp_password @old=",
                           "Set-Item Env:",
                           "DECRYPTBYCERT(",
                           "aws configure set ",
                           "\\\"OPENROWSET(",
                           " SetEnvironmentVariable(\\\"sig=",
                           " \tpassword"}) {
    std::string text;
    while (text.size() < 100'000) text += unit;
    EXPECT_FALSE(RedactSecrets(text).empty());
  }
}

}  // namespace
}  // namespace toolpost::tools::mssql
