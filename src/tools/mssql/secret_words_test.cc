// Names that announce secrets, and values that are none.
#include "tools/mssql/secret_words.h"

#include "tools/mssql/redact_secrets_fixture.h"

namespace toolpost::tools::mssql {
namespace {

TEST(RedactSecrets, TakesValuesThatOnlyBeginLikeVariables) {
  Expect({
      {"password=$ecret1", "password=***"},
      {"Server=a;Password=$ecret1;UID=u", "Server=a;Password=***;UID=u"},
      {"Password = $hunter;X=y", "Password = ***;X=y"},
      {"--password=$ecret1 x", "--password=*** x"},
      {"--password $ecret1 x", "--password *** x"},
      {"sqlcmd -P $ecret -i x", "sqlcmd -P *** -i x"},
      {"sqlcmd -P (hunter2 -i x", "sqlcmd -P *** -i x"},
      {"Password=$(hunter2;UID=u", "Password=***;UID=u"},
      {"Password=${hunter2;UID=u", "Password=***;UID=u"},
      {"Password=\"$hunter2\";UID=u", "Password=\"***\";UID=u"},
      {"{\"password\":\"$ecret1\"}", "{\"password\":\"***\"}"},
      {"password=$Passw0rd", "password=***"},
      {"password=$pw!hunter2", "password=***"},
      {"\"${hunter2\" | ConvertTo-SecureString", "\"***\" | ConvertTo-SecureString"},
  });
}

TEST(RedactSecrets, LeavesVariables) {
  for (const char* text : {
           "Connect -Password $pw -Name n",
           "Connect -Password $env:SQL -Name n",
           "Connect -Password $cred.GetNetworkCredential().Password",
           "Connect -Password ${x} -Name n",
           "Connect -Password (Get-Item x) -Name n",
           "Connect -Password $(Get-Item x) -Name n",
           "$p1 = Read-Host; Connect -Password $p1",
           "param($p1, $x); \"Server=a;Password=$p1;UID=u\"",
           "param($row); @{Password=$row[1]}",
           "@{Password=$pw}",
           "Password = $null",
           "sh x.sh --password $1",
           "Password=$(Var);UID=u",
           "{\"password\":\"$(Var)\"}",
           "password=${env:X}",
           "$password = $reader.GetString(0)",
           "curl -H \"X-API-Key: $key\" https://h",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
}

TEST(RedactSecrets, TakesNamesOfSecretsOfOneKindForAnother) {
  Expect({
      {"set DB_PASSWORD_PROD=hunter2", "set DB_PASSWORD_PROD=***"},
      {"@password_old = 'hunter2'", "@password_old = '***'"},
      {"\"ApiKeyTest\": \"hunter2\"", "\"ApiKeyTest\": \"***\""},
  });
}

TEST(RedactSecrets, TakesValuesOfNamesThatContainASecret) {
  for (const char* name : {"Password",
                           "Password_Prod",
                           "ProdDbPasswordOld",
                           "SecretKeyProd",
                           "PasswordLengthSecret",
                           "Passwd_x",
                           "PWD_SRV01",
                           "dbpwd2019",
                           "ApiKey_Stripe",
                           "TokenOfProd",
                           "My Password (prod)",
                           "StorageAccessKeyEast",
                           "PassphraseForPgp",
                           "Smtp.Password.Prod",
                           "$Project::PasswordX",
                           "PasswordAgent",
                           "MyToken",
                           "Password_Minsk",
                           "Password_Israel",
                           "PwdFileServer",
                           "Secret_MinIO",
                           "PasswordTypeOfProd"}) {
    EXPECT_EQ(RedactValue(name, "hunter2"), "***") << name;
    EXPECT_EQ(RedactValue(name, ""), "") << name;
  }
}

TEST(RedactSecrets, LeavesValuesOfNamesAboutSecrets) {
  for (const char* name :
       {"PasswordLength", "SecretaryName", "TokenCount", "PasswordFile", "Password_Policy",
        "PasswordExpiryDays", "TokenUrl", "SecretName", "PwdLastSet", "AccessKeyId", "Tokenizer",
        "PasswordRequired", "TokenTimeout", "PasswordIsExpired", "PasswordMinLength", "Rows",
        "Compass", "Keyword"}) {
    EXPECT_EQ(RedactValue(name, "visible"), "visible") << name;
  }
}

TEST(RedactSecrets, TakesPasswordsOutOfOddUrls) {
  Expect({
      {"https://bob:hun/ter2@host/", "https://bob:***@host/"},
      {"https://bob:hun?ter2@host/", "https://bob:***@host/"},
      {"https://bob:hun#ter2@host/", "https://bob:***@host/"},
      {"https://bob:hun@/ter2@host/", "https://bob:***@host/"},
      {"ftp://bob:hun@ter2@host", "ftp://bob:***@host"},
      {"redis://:hun/ter2@host/0", "redis://:***@host/0"},
  });
  for (const char* text : {
           "https://host:8080/x@visible",
           "https://host/a:b@visible",
           "https://[::1]:80/x@visible",
           "https://[fe80::1]/x@visible",
           "https://bob@host:80/x@visible",
           "http://$server:$port/x@visible",
           "http://{host}:{port}/x@visible",
           "sqlserver://host:1433;user=bob/x@visible",
           "https://host:/x@visible",
           "https://host:port/visible",
           "see `http://host:80`.",
           "see https://host:what/then and a@visible",
       }) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
}

}  // namespace
}  // namespace toolpost::tools::mssql
