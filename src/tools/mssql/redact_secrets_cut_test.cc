// Texts that end too early: whoever stored or read them cut them.
#include <span>
#include <string>

#include "tools/mssql/redact_secrets_fixture.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kSecret = "hunTer2hunTer3";
constexpr std::size_t kPiece = 4;
constexpr std::size_t kLongest = 2048;  // cells are cut to this, or more

void ExpectNoPiece(const std::string& redacted, std::string_view text) {
  for (std::size_t at = 0; at + kPiece <= kSecret.size(); ++at) {
    ASSERT_EQ(redacted.find(kSecret.substr(at, kPiece)), std::string::npos)
        << redacted.substr(redacted.rfind("visible") + 1) << "\nof\n"
        << text;
  }
}

constexpr std::string_view kTexts[] = {
    "CREATE LOGIN x WITH PASSWORD = N'hunTer2hunTer3', CHECK_POLICY = OFF",
    "EXEC('CREATE LOGIN x WITH PASSWORD = ''hunTer2hunTer3'', SID = 1')",
    "DECLARE @password AS nvarchar(50) = N'hunTer2hunTer3'; SELECT 1",
    "SET @c = 'Server=a;Password=' + 'hunTer2hunTer3' + ';x=y'",
    "EXEC sp_addlinkedsrvlogin 'srv', 'false', NULL, 'sa', 'hunTer2hunTer3'",
    "SELECT * FROM OPENROWSET('SQLNCLI', 'srv'; 'sa'; 'hunTer2hunTer3', 'SELECT 1')",
    "Server=a;User ID=u;Password=hunTer2hunTer3;Encrypt=yes",
    "Server=a;Password=\"hunTer2hunTer3\";Encrypt=yes",
    "Server=a;Password='hunTer2hunTer3';Encrypt=yes",
    "Server=a;PWD={hunTer2hunTer3}}x};Encrypt=yes",
    "Server=a;Password=a\"hunTer2hunTer3;Encrypt=yes",
    "{\"user\":\"u\",\"password\": \"hunTer2hunTer3\",\"port\":1}",
    "{\"password\": [\"hunTer2hunTer3\"], \"port\":1}",
    "\"{\\\"password\\\":\\\"hunTer2hunTer3\\\",\\\"port\\\":1}\"",
    "\"{`\"password`\":`\"hunTer2hunTer3`\",`\"port`\":1}\"",
    "{\"name\":\"Password\",\"value\":\"hunTer2hunTer3\"}",
    "<x><Password>hunTer2hunTer3</Password></x>",
    "<Password><![CDATA[hunTer2hunTer3]]></Password>",
    "&lt;Password&gt;hunTer2hunTer3&lt;/Password&gt;",
    "<add key=\"Password\" value=\"hunTer2hunTer3\"/>",
    "<setting name=\"Password\"><value>hunTer2hunTer3</value></setting>",
    "sqlcmd -S h -U sa -P hunTer2hunTer3 -Q x",
    "sqlcmd -S h -U sa -PhunTer2hunTer3 -Q x",
    "sqlcmd -S h -U sa -P \"hunTer2hunTer3\" -Q x",
    "mysql -uroot -phunTer2hunTer3 db",
    "curl -sku \"bob:hunTer2hunTer3\" https://h",
    "net use Z: \\\\srv\\share hunTer2hunTer3 /user:u",
    "setx /M DB_PASSWORD hunTer2hunTer3",
    "sc config svc obj= u password= hunTer2hunTer3 start= auto",
    "sqlplus bob/hunTer2hunTer3@db",
    "dtexec /F x /SET \"\\Package.Variables[Password].Value\";\"hunTer2hunTer3\" /Rep E",
    "dtutil /FILE a.dtsx /ENCRYPT \"FILE;b.dtsx;3;hunTer2hunTer3\" /Q",
    "ConvertTo-SecureString \"hunTer2hunTer3\" -AsPlainText -Force",
    "$env:DB_PASSWORD = 'hunTer2hunTer3'; x",
    "[Environment]::SetEnvironmentVariable('DB_PASSWORD', 'hunTer2hunTer3')",
    "https://bob:hunTer2hunTer3@host/",
    "https://bob:hunTer2/hunTer3@host/",
    "-----BEGIN RSA PRIVATE KEY-----\nhunTer2hunTer3\n-----END RSA PRIVATE KEY-----",
};

// What is known only by what comes behind it.
constexpr std::string_view kKnownLate[] = {
    "\"hunTer2hunTer3\" | ConvertTo-SecureString -AsPlainText -Force",
    "{\"value\":\"hunTer2hunTer3\",\"name\":\"Password\"}",
    "<add value=\"hunTer2hunTer3\" key=\"Password\"/>",
    "\"Password = hunTer2hunTer3; Server=a\"",
    "Authorization: Bearer hunTer2hunTer3hunTer2",
    "https://h/c?sv=1&sig=hunTer2hunTer3hunTer2",
    "imp bob/hunTer2hunTer3@db",
};

TEST(RedactSecrets, ShowsNoPieceOfASecretThatIsCut) {
  for (const std::string_view text : kTexts) {
    for (std::size_t size = 0; size <= text.size(); ++size)
      ExpectNoPiece(RedactSecrets(text.substr(0, size)), text.substr(0, size));
  }
}

// As Statements::Rows() cuts.
std::string Cut(std::string_view text) {
  std::string lines;
  while (lines.size() < kLongest) lines += "SELECT visible\n";
  return lines.append(text).append("…");
}

TEST(RedactSecrets, ShowsNothingOfWhatIsBesideACut) {
  for (const auto& texts : {std::span<const std::string_view>(kTexts), {kKnownLate}}) {
    for (const std::string_view text : texts) {
      for (std::size_t size = 0; size <= text.size(); ++size) {
        const std::string redacted = RedactSecrets(Cut(text.substr(0, size)));
        ExpectNoPiece(redacted, text.substr(0, size));
        EXPECT_TRUE(redacted.starts_with("SELECT visible\n"));
        EXPECT_TRUE(redacted.ends_with("…"));
        EXPECT_GE(redacted.size(), kLongest / 2);
      }
      // Around the last place that is shown.
      for (std::size_t more = 850; more < 1100; more += 9) {
        const std::string filler(more, ' ');
        ExpectNoPiece(RedactSecrets(Cut(std::string(text) + "\n" + filler)), text);
      }
    }
  }
}

TEST(RedactSecrets, LeavesTextThatOnlyEndsLikeACutOne) {
  for (const char* text : {"…", "Nightly…", "SELECT visible …"}) {
    EXPECT_EQ(RedactSecrets(text), text);
  }
  const std::string text(5000, ' ');
  EXPECT_EQ(RedactSecrets(text), text);
}

}  // namespace
}  // namespace toolpost::tools::mssql
