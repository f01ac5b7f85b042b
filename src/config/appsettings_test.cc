// Tests of appsettings.json.
#include "config/appsettings.h"

#include <gmock/gmock.h>

#include "config/testing.h"

namespace toolpost::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

constexpr char kKey[] = "a6Xw0rQd93kfLmZt-71bVyNs4uEjHpGc2";

AppSettings Parsed(std::string_view text) {
  auto settings = ParseAppSettings(text, "a.json");
  EXPECT_TRUE(settings) << (settings ? "" : settings.error().message);
  return settings ? *std::move(settings) : AppSettings{};
}

std::string ErrorOf(std::string_view text) {
  const auto settings = ParseAppSettings(text, "a.json");
  EXPECT_FALSE(settings) << text;
  return settings ? "" : settings.error().message;
}

TEST(AppSettings, ReadsKeyAndConnections) {
  const AppSettings settings = Parsed(R"({
    "Logging": {"LogLevel": {"Default": "Information"}},
    "ConnectionStrings": {"Main": "Server=a;Password=x", "Other": "Server=b", "None": null, "Empty": ""},
    "ApiSecurity": {"HeaderName": "X-API-Key", "ApiKey": "k"}, "AllowedHosts": "*"})");
  EXPECT_EQ(settings.api_key, "k");
  EXPECT_THAT(settings.connections,
              ElementsAre(Pair("Main", "Server=a;Password=x"), Pair("Other", "Server=b")));
}

TEST(AppSettings, NamesAreComparedWithoutCaseAndMayBeFlat) {
  EXPECT_EQ(Parsed(R"({"APISECURITY":{"apikey":"k"}})").api_key, "k");
  const AppSettings settings =
      Parsed(R"({"ApiSecurity:ApiKey":"k","connectionstrings:Main":"Server=a"})");
  EXPECT_EQ(settings.api_key, "k");
  EXPECT_THAT(settings.connections, ElementsAre(Pair("Main", "Server=a")));
}

TEST(AppSettings, CommentsAndTrailingCommasAreAllowed) {
  const AppSettings settings = Parsed(R"(// the key, "quoted"
{ /* { */ "ApiSecurity": { "ApiKey": "k//x/*y*/,}", }, // end
  "ConnectionStrings": { "A": "Server=tcp:h,1433;\"q\\", /* , */ }, "L": [1, 2, ], })");
  EXPECT_EQ(settings.api_key, "k//x/*y*/,}");
  EXPECT_THAT(settings.connections, ElementsAre(Pair("A", "Server=tcp:h,1433;\"q\\")));
}

TEST(AppSettings, NothingToReadIsNoError) {
  EXPECT_EQ(Parsed("{}").api_key, "");
  EXPECT_THAT(Parsed(R"({"ConnectionStrings":{}})").connections, IsEmpty());
}

TEST(AppSettings, MalformedTextIsRefusedWithTheLine) {
  EXPECT_THAT(ErrorOf("{\n\"ApiSecurity\": nope}"), HasSubstr("a.json:2: not valid JSON"));
  for (const char* text : {"", "[]", "\"x", "{\"a\":", "/*", "//", "{,}", "{\"a\":1,,}", "{} {}",
                           "{\"a\":\"\\", "/", "{\"a\":[,]}"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("a.json:")) << text;
  }
}

TEST(AppSettings, WrongTypesAndRepeatedNamesAreRefusedWithoutTheirValues) {
  EXPECT_EQ(ErrorOf(R"({"ApiSecurity":{"ApiKey":12345}})"),
            "a.json: ApiSecurity:ApiKey must be a string");
  EXPECT_EQ(ErrorOf(R"({"ConnectionStrings":{"A":["Server"]}})"),
            "a.json: ConnectionStrings:A must be a string");
  EXPECT_EQ(ErrorOf(R"({"ConnectionStrings":{"A":"planted","a":"planted"}})"),
            "a.json: ConnectionStrings:a is given twice");
  EXPECT_EQ(ErrorOf(R"({"ApiSecurity":{"ApiKey":"a\u0000b"}})"),
            "a.json: ApiSecurity:ApiKey must not contain a NUL");
}

class AppSettingsFile : public LoadTest {
 protected:
  AppSettingsFile() { sources_.environment["TOOLPOST_APPSETTINGS_FILE"] = "appsettings.json"; }
};

TEST_F(AppSettingsFile, GivesTheMasterKeyAndTheConnections) {
  Write("appsettings.json", std::string(R"({"ApiSecurity":{"ApiKey":")") + kKey +
                                R"("},"ConnectionStrings":{"Main":"Server=a"}})");
  const Config config = Loaded();
  EXPECT_EQ(config.auth.master_key, kKey);
  EXPECT_EQ(config.origins.at("auth.master_key").name, "appsettings.json: ApiSecurity.ApiKey");
  EXPECT_THAT(config.appsettings_connections, ElementsAre(Pair("Main", "Server=a")));
  EXPECT_TRUE(AuthenticationConfigured(config));
  EXPECT_THAT(RenderEffective(config), Not(HasSubstr("Server=a")));
}

TEST_F(AppSettingsFile, AKeyFromAnywhereElseWins) {
  Write("appsettings.json", R"({"ApiSecurity":{"ApiKey":"******"}})");
  sources_.environment["MSSQL_MCP_API_KEY"] = kKey;
  const Config config = Loaded();
  EXPECT_EQ(config.auth.master_key, kKey);
  EXPECT_EQ(config.origins.at("auth.master_key").name, "environment MSSQL_MCP_API_KEY");
}

TEST_F(AppSettingsFile, DEFECT_6_TheSampleKeyIsRefused) {
  Write("appsettings.json", R"({"ApiSecurity":{"ApiKey":"******"}})");
  EXPECT_THAT(LoadError(), HasSubstr("appsettings.json: ApiSecurity.ApiKey: auth.master_key is one "
                                     "character repeated"));
}

TEST_F(AppSettingsFile, MissingOrUnreadableFileIsAnError) {
  EXPECT_THAT(LoadError(), HasSubstr("environment TOOLPOST_APPSETTINGS_FILE: Cannot read the file "
                                     "of appsettings.file"));
  std::filesystem::create_directory(directory_ / "appsettings.json");
  EXPECT_THAT(LoadError(), HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace toolpost::config
