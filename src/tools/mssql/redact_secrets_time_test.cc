// Long texts that would take minutes if every secret in them were looked for up to their end.
#include <chrono>

#include "tools/mssql/redact_secrets_fixture.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::size_t kLong = 300'000;
constexpr std::chrono::seconds kMost{30};  // ten times what a sanitizer makes of the slowest

struct Hostile {
  const char* beginning;
  const char* unit;  // again and again
};

TEST(RedactSecrets, TakesLinearTimeOnLongText) {
  for (const auto& [beginning, unit] : {
           Hostile{"", "password"},
           {"", "password "},
           {"", "password= "},
           {"", "password = a "},
           {"", "; password"},
           {"", "'password =x"},
           {"", "'password=x y"},
           {"", "\"password\":[\""},
           {"", "&lt;password"},
           {"x", ":password"},
           {"", "name=password>"},
           {"", "\\"},
           {"", "<password "},
           {"", "@password a b("},
           {"password=", "'"},
           {"password='", "''"},
           {"", "password=''>"},
           {"", "password=\"\\\""},
           {"", "password={"},
           {"", "\\\"password\\\":"},
           {"", "'"},
           {"", "\" "},
           {"", "'' "},
           {"", "://"},
           {"", "://a:"},
           {"", "://a:b/"},
           {"https://", "a@"},
           {"", "name='a' "},
           {"", "key=a "},
           {"", "value='x' "},
           {"", "key='password' "},
           {"", "value='x' key='password' "},
           {"", "OPENROWSET('a',"},
           {"", "'a' | ConvertTo-SecureString "},
           {"", "Authorization: Basic "},
           {"", "-----BEGIN PRIVATE KEY"},
           {"", "eyJ."},
           {"sqlcmd ", "/Pa."},
           {"sqlcmd ", "-P "},
           {"dtexec ", "/en:"},
           {"dtexec ", "/set a.password"},
           {"curl ", "-u."},
           {"curl ", "-u \""},
           {"", "net use \\\\ "},
           {"", "setx /M "},
           {"", " ^\n"},
           {"", "exp a "},
           {"", "$a "},
           {"", "-P (a "},
           {"", "://u:p/"},
           {"", "password=$a "},
           {"", "sqlplus a/"},
           {"sqlplus a/", "@"},
           {"", "                "},
       }) {
    std::string text = beginning;
    while (text.size() < kLong) text += unit;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(RedactSecrets(text).empty());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kMost) << beginning << unit;
  }
}

}  // namespace
}  // namespace toolpost::tools::mssql
