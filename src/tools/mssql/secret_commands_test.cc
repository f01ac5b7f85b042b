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

TEST(RedactSecrets, KnowsGluedAndCombinedOptions) {
  Expect({
      {"curl -ku bob:hunter2 https://h", "curl -ku bob:*** https://h"},
      {"curl -sSfku \"bob:hun ter2\" https://h", "curl -sSfku \"bob:***\" https://h"},
      {"curl -fsSLubob:hunter2 https://h", "curl -fsSLubob:*** https://h"},
      {"curl -U bob:hunter2 https://h", "curl -U bob:*** https://h"},
      {"curl --user=bob:hunter2 https://h", "curl --user=bob:*** https://h"},
      {"curl --user=\"bob:hunter2\" https://h", "curl --user=\"bob:***\" https://h"},
      {"curl -u bob:\"hun ter2\" https://h", "curl -u bob:\"***\" https://h"},
      {"mysql -uroot -pMyPassword db", "mysql -uroot -p*** db"},
      {"mysql -pPasswordOf2 db", "mysql -p*** db"},
      {"mysqladmin -phunter2 ping", "mysqladmin -p*** ping"},
      {"sqlcmd -S h -PPassword -i x", "sqlcmd -S h -P*** -i x"},
      {"sqlcmd -S h -PMyPassword -i x", "sqlcmd -S h -P*** -i x"},
      {"bcp t out f -PPassword1 -c", "bcp t out f -P*** -c"},
      {"7z a -pMySecret x.7z d", "7z a -p*** x.7z d"},
  });
}

TEST(RedactSecrets, KnowsServicesAndVariables) {
  Expect({
      {"sc.exe config svc obj= dom\\user password= hunter2",
       "sc.exe config svc obj= dom\\user password= ***"},
      {"sc \\\\srv config svc password= hunter2 start= auto",
       "sc \\\\srv config svc password= *** start= auto"},
      {"sc create svc binPath= \"c:\\x.exe\" ^\n password= hunter2",
       "sc create svc binPath= \"c:\\x.exe\" ^\n password= ***"},
      {"sc create svc password= \"hun ter2\"", "sc create svc password= \"***\""},
      {"setx /M DB_PASSWORD hunter2", "setx /M DB_PASSWORD ***"},
      {"setx.exe DB_PASSWORD \"hun ter2\" /M", "setx.exe DB_PASSWORD \"***\" /M"},
      {"setx /S srv /U u /P hunter2 NAME visible", "setx /S srv /U u /P *** NAME visible"},
      {":setvar Password hunter2", ":setvar Password ***"},
      {":setvar DbPassword \"hun ter2\"", ":setvar DbPassword \"***\""},
      {"$env:DB_PASSWORD = 'hunter2'", "$env:DB_PASSWORD = '***'"},
  });
}

TEST(RedactSecrets, KnowsProgramsOfOtherSystems) {
  Expect({
      {"sqlplus bob/hunter2@db", "sqlplus bob/***@db"},
      {"sqlplus -S bob/hunter2@//h:1521/db @x.sql", "sqlplus -S bob/***@//h:1521/db @x.sql"},
      {"sqlplus \"bob/hunter2@db as sysdba\"", "sqlplus \"bob/***@db as sysdba\""},
      {"sqlplus bob/\"hun ter2\"@db", "sqlplus bob/\"***\"@db"},
      {"sqlplus bob/hun@ter2@db", "sqlplus bob/***@db"},
      {"connect bob/hunter2@db", "connect bob/***@db"},
      {"exp userid=bob/hunter2@db file=x", "exp userid=bob/***@db file=x"},
      {"exp userid='bob/hunter2' file=x", "exp userid='bob/***' file=x"},
      {"imp bob/hunter2@db file=x", "imp bob/***@db file=x"},
      {"imp bob/hunter2 file=x", "imp bob/*** file=x"},
      {"C:\\ora\\expdp.exe bob/hunter2 directory=d", "C:\\ora\\expdp.exe bob/*** directory=d"},
      {"sqlldr control=a/b.ctl userid=bob/hunter2", "sqlldr control=a/b.ctl userid=bob/***"},
      {"rman target sys/hunter2@a catalog r/hunter3@b", "rman target sys/***@a catalog r/***@b"},
      {"dtsrun /S x /U sa /P hunter2 /N pkg", "dtsrun /S x /U sa /P *** /N pkg"},
      {"dtsrun /Sx /Usa /Phunter2 /Npkg", "dtsrun /Sx /Usa /P*** /Npkg"},
      {"azcopy /Source:x /DestKey:hunter2==", "azcopy /Source:x /DestKey:***"},
      {"mongodump -u u -phunter2", "mongodump -u u -p***"},
      {"lftp -u bob,hunter2 host", "lftp -u bob,*** host"},
      {"smbclient //h/s -U bob%hunter2", "smbclient //h/s -U bob%***"},
      {"openssl enc -aes-256-cbc -k hunter2 -in x", "openssl enc -aes-256-cbc -k *** -in x"},
      {"openssl enc -pass pass:hunter2", "openssl enc -pass ***"},
      {"cmdkey /generic:s /user:u /pass hunter2", "cmdkey /generic:s /user:u /pass ***"},
      {"psftp -pw hunter2 h", "psftp -pw *** h"},
      {"winscp.com /command \"open sftp://u:hunter2@h\"",
       "winscp.com /command \"open sftp://u:***@h\""},
      {"CREATE USER 'u'@'h' IDENTIFIED WITH sha2 BY 'hunter2'",
       "CREATE USER 'u'@'h' IDENTIFIED WITH sha2 BY '***'"},
      {"IDENTIFIED BY PASSWORD 'hunter2'", "IDENTIFIED BY PASSWORD '***'"},
  });
}

TEST(RedactSecrets, LeavesOtherCommandsAlone) {
  for (const char* text : {
           "curl https://h -s",
           "curl -o outu http://h:80/x",
           "curl -Hu:visible https://h",
           "curl -sk https://h:8443/visible",
           "curl -ks --url https://h:1/u",
           "UPDATE sc SET password= sc.visible FROM sc",
           "sc query visible",
           "setx /M PATH visible",
           "setx /S srv /U u NAME visible",
           ":setvar Database visible",
           "sqlplus /nolog @dir/visible.sql",
           "sqlplus / as sysdba",
           "sqlplus bob@db @dir/visible.sql",
           "sqlplus bob@db < dir/visible.sql",
           "sqlplus bob/%PW%@db",
           "rman target /",
           "exp and/or imp",
           "connect and/or fail",
           "GRANT CONNECT TO visible",
           "SELECT exp(a/visible), imp FROM t",
           "lftp -u bob host",
           "openssl x509 -in a -out visible",
           "curl -k https://visible",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
}

}  // namespace
}  // namespace toolpost::tools::mssql
