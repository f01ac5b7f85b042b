// Secrets on command lines.
#include "tools/mssql/redact_secrets_fixture.h"

namespace toolpost::tools::mssql {
namespace {

TEST(RedactSecrets, KnowsTheOptionsOfSsisSteps) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(/FILE "\"C:\x.dtsx\"" /DECRYPT "\"hunter2\"" /REPORTING E)",
       R"(/FILE "\"C:\x.dtsx\"" /DECRYPT "\"***\"" /REPORTING E)"},
      {R"(/ISSERVER "\"\SSISDB\f\x.dtsx\"" /Par "\"$Project::DbPassword\"";"\"hunter2\"" /Par "\"n(Int32)\"";7)",
       R"(/ISSERVER "\"\SSISDB\f\x.dtsx\"" /Par "\"$Project::DbPassword\"";"\"***\"" /Par "\"n(Int32)\"";7)"},
      {R"(/FILE x.dtsx /SET "\"\Package.Variables[User::Password].Properties[Value]\"";"\"hunter2\"")",
       R"(/FILE x.dtsx /SET "\"\Package.Variables[User::Password].Properties[Value]\"";"\"***\"")"},
  };
  for (const auto& [text, redacted] : cases) {
    EXPECT_EQ(RedactSecrets(text, true), redacted);
    EXPECT_EQ(RedactSecrets(redacted, true), redacted) << "again";
  }
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

TEST(RedactSecrets, TakesSecretsOutOfPowerShell) {
  Expect({
      {"Connect -Password \"hunter2\" -Name n", "Connect -Password \"***\" -Name n"},
      {"Connect -Password:'$hunter2' -Name n", "Connect -Password:'***' -Name n"},
      {"\"hunter2\" | ConvertTo-SecureString -AsPlainText -Force",
       "\"***\" | ConvertTo-SecureString -AsPlainText -Force"},
      {"ConvertTo-SecureString -AsPlainText -Force 'hunter2'",
       "ConvertTo-SecureString -AsPlainText -Force '***'"},
      {"ConvertTo-SecureString -AsPlainText \"hunter2\" -Force",
       "ConvertTo-SecureString -AsPlainText \"***\" -Force"},
      {"$env:PW='hunter2'", "$env:PW='***'"},
      {"$dbPass = \"hunter2\"", "$dbPass = \"***\""},
      {"[Environment]::SetEnvironmentVariable('DB_PASSWORD', 'hunter2', 'Process')",
       "[Environment]::SetEnvironmentVariable('DB_PASSWORD', '***', 'Process')"},
      {"[Environment]::SetEnvironmentVariable('DB_USER', 'sa', 'Process')",
       "[Environment]::SetEnvironmentVariable('DB_USER', 'sa', 'Process')"},
      {"dtutil /FILE a.dtsx /ENCRYPT FILE;b.dtsx;3;hunter2 /Q",
       "dtutil /FILE a.dtsx /ENCRYPT FILE;b.dtsx;3;*** /Q"},
      {"dtutil /FILE a.dtsx /En \"FILE;b.dtsx;2;hunter2\"",
       "dtutil /FILE a.dtsx /En \"FILE;b.dtsx;2;***\""},
      {"dtutil /FILE a.dtsx /ENCRYPT FILE;b.dtsx;1", "dtutil /FILE a.dtsx /ENCRYPT FILE;b.dtsx;1"},
      {"[System.Net.NetworkCredential]::new('u', 'hunter2')",
       "[System.Net.NetworkCredential]::new('u', '***')"},
      {"New-Object System.Net.NetworkCredential(\"u\", \"hunter2\")",
       "New-Object System.Net.NetworkCredential(\"u\", \"***\")"},
      {"[pscredential]::new('u', (ConvertTo-SecureString 'hunter2' -AsPlainText -Force))",
       "[pscredential]::new('u', (ConvertTo-SecureString '***' -AsPlainText -Force))"},
      {"$password = @'\nhunter2\n'@", "$password = @'***'@"},
      {"$h['Password'] = 'hunter2'", "$h['Password'] = '***'"},
      {"${env:DB_PASSWORD} = 'hunter2'", "${env:DB_PASSWORD} = '***'"},
      {"@{ Password = 'hunter2'; X = 1 }", "@{ Password = '***'; X = 1 }"},
  });
}

TEST(RedactSecrets, TakesSecretsOutOfCmd) {
  Expect({
      {"sqlcmd -S x ^\n -U sa -P hunter2", "sqlcmd -S x ^\n -U sa -P ***"},
      {"bcp t out f -Phunter2 -c", "bcp t out f -P*** -c"},
      {"sqlcmd -P '@hunter2'", "sqlcmd -P '***'"},
      {"net use \\\\srv\\share /user:u hunter2", "net use \\\\srv\\share /user:u ***"},
      {"net use Z: \"\\\\srv\\my share\" /user:u hunter2",
       "net use Z: \"\\\\srv\\my share\" /user:u ***"},
      {"net.exe user bob hunter2 /add", "net.exe user bob *** /add"},
      {"set PASSWORD=hunter2", "set PASSWORD=***"},
      {"set PASSWORD=my hunter2 words", "set PASSWORD=***"},
      {"set \"PASSWORD=my hunter2\"", "set \"PASSWORD=***\""},
      {"setx DB_PASSWORD hunter2 /M", "setx DB_PASSWORD *** /M"},
      {"dtexec /F x /Decrypt hunter2", "dtexec /F x /Decrypt ***"},
      {"dtexec /F x /SET \\Package.Variables[User::Password].Properties[Value];hunter2 /Rep E",
       "dtexec /F x /SET \\Package.Variables[User::Password].Properties[Value];*** /Rep E"},
      {"dtexec /F x /SET \"\\Package.Variables[Password]\";\"hunter2\"",
       "dtexec /F x /SET \"\\Package.Variables[Password]\";\"***\""},
      {"dtexec /F x /Par \"$Project::Password(String)\";hunter2",
       "dtexec /F x /Par \"$Project::Password(String)\";***"},
      {"psexec \\\\srv -u u -p hunter2 cmd", "psexec \\\\srv -u u -p *** cmd"},
      {"mysql -uroot -phunter2 db", "mysql -uroot -p*** db"},
      {"schtasks /create /ru u /rp hunter2", "schtasks /create /ru u /rp ***"},
      {"cmdkey /add:s /user:u /pass:hunter2", "cmdkey /add:s /user:u /pass:***"},
      {"curl -u bob:hunter2 https://h", "curl -u bob:*** https://h"},
      {"curl --user \"bob:hunter2\" https://h", "curl --user \"bob:***\" https://h"},
  });
}

TEST(RedactSecrets, KnowsMoreCommands) {
  Expect({
      {"Set-Item Env:DB_PASSWORD hunter2", "Set-Item Env:DB_PASSWORD ***"},
      {"Set-Item -Path Env:\\DB_PASSWORD -Value 'hunter2'",
       "Set-Item -Path Env:\\DB_PASSWORD -Value '***'"},
      {"New-Item -Force 'env:API_KEY' -Value hunter2", "New-Item -Force 'env:API_KEY' -Value ***"},
      {"rsconfig -c -s srv -d db -a SQL -u u -p hunter2",
       "rsconfig -c -s srv -d db -a SQL -u u -p ***"},
      {"rs -i x.rss -s http://h/r -u u -p hunter2 -t", "rs -i x.rss -s http://h/r -u u -p *** -t"},
      {"tabcmd login -s http://h -u u -p hunter2", "tabcmd login -s http://h -u u -p ***"},
      {"az login --service-principal -u id -p hunter2 --tenant t",
       "az login --service-principal -u id -p *** --tenant t"},
      {"unzip -P hunter2 x.zip", "unzip -P *** x.zip"},
      {"rar a -hphunter2 x.rar d", "rar a -hp*** x.rar d"},
      {"Rar.exe a -phunter2 x.rar d", "Rar.exe a -p*** x.rar d"},
      {"curl -ubob:hunter2 https://h", "curl -ubob:*** https://h"},
      {"curl -u\"bob:hunter2\" https://h", "curl -u\"bob:***\" https://h"},
      {"redis-cli -h h -a hunter2 ping", "redis-cli -h h -a *** ping"},
      {"sqlcmd /S a /U sa /Phunter2 /i x", "sqlcmd /S a /U sa /P*** /i x"},
      {"aws configure set aws_secret_access_key hunter2 --profile p",
       "aws configure set aws_secret_access_key *** --profile p"},
      {"aws configure set profile.p.aws_secret_access_key 'hunter2'",
       "aws configure set profile.p.aws_secret_access_key '***'"},
  });
}

}  // namespace
}  // namespace toolpost::tools::mssql
