#include "config/telemetry_settings.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace toolpost::config {
namespace {

TEST(ParseListen, ReadsAddressAndPort) {
  const auto v4 = ParseListen("127.0.0.1:9464");
  ASSERT_TRUE(v4);
  EXPECT_EQ(v4->host, "127.0.0.1");
  EXPECT_EQ(v4->port, 9464);
  EXPECT_EQ(ParseListen("[::1]:0")->host, "::1");
  EXPECT_EQ(ParseListen("localhost:1")->host, "localhost");
}

TEST(ParseListen, RefusesEverythingElse) {
  for (const char* text : {"", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                           "127.0.0.1:-1", "127.0.0.1:80x", "example.com:80", "http://[::1]:1"})
    EXPECT_FALSE(ParseListen(text)) << text;
}

TEST(ParseShare, IsFromZeroToOne) {
  EXPECT_EQ(*ParseShare("0.01"), 0.01);
  EXPECT_EQ(*ParseShare("1"), 1);
  for (const char* text : {"", "-0.1", "1.01", "nan", "half", "1%", "inf"})
    EXPECT_FALSE(ParseShare(text)) << text;
}

TEST(ParsePairs, ReadsNamesAndValues) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(*ParsePairs({"a=1", " b = x%20y ", "", "c=", "d=e=f", "g=%zz%4"}),
            (Pairs{{"a", "1"}, {"b", "x y"}, {"c", ""}, {"d", "e=f"}, {"g", "%zz%4"}}));
  for (const char* text : {"novalue", "=1"}) EXPECT_FALSE(ParsePairs({text})) << text;
}

Result<Config> LoadWith(std::map<std::string, std::string, std::less<>> environment) {
  Sources sources;
  sources.working_directory = "/dev/null";
  sources.environment = std::move(environment);
  return Load(sources);
}

TEST(Telemetry, TakesTheVariablesOfOpenTelemetry) {
  const auto config = LoadWith({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"},
                                {"OTEL_SERVICE_NAME", "tools"},
                                {"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test,a=b"},
                                {"OTEL_TRACES_SAMPLER_ARG", "0.25"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->telemetry.endpoint, "http://127.0.0.1:4318");
  EXPECT_EQ(config->telemetry.service_name, "tools");
  EXPECT_EQ(config->telemetry.resource_attributes.size(), 2u);
  EXPECT_EQ(config->telemetry.sampling, "0.25");
}

TEST(Telemetry, NamesTheSettingThatIsWrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {"TOOLPOST_METRICS_LISTEN", "9464"},
      {"TOOLPOST_METRICS_LISTEN", "0.0.0.0:9464"},  // nothing authenticates
      {"TOOLPOST_TELEMETRY_SAMPLING", "2"},
      {"TOOLPOST_TELEMETRY_ENDPOINT", "collector:4318"},
      {"TOOLPOST_TELEMETRY_HEADERS", "secret-token"},
      {"TOOLPOST_TELEMETRY_RESOURCE_ATTRIBUTES", "x"}};
  for (const auto& [name, value] : wrong) {
    const auto config = LoadWith({{name, value}});
    ASSERT_FALSE(config) << name << value;
    EXPECT_NE(config.error().message.find(name), std::string::npos) << config.error().message;
    EXPECT_EQ(config.error().message.find("secret-token"), std::string::npos);
  }
}

TEST(Telemetry, MetricsMayBeServedToOtherMachinesBehindAuthentication) {
  EXPECT_TRUE(LoadWith({{"TOOLPOST_METRICS_LISTEN", "0.0.0.0:9464"},
                        {"TOOLPOST_AUTH_MASTER_KEY", "mk-4f9c1e77-a2d8-43b6-9d15"}}));
}

}  // namespace
}  // namespace toolpost::config
