// Tests of layered loading, conversion and comparison of configurations.
#include "config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/crypto.h"
#include "config/options.h"

namespace toolpost::config {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class ConfigTest : public ::testing::Test {
 protected:
  ConfigTest()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("config-" + base::RandomHex(8))) {
    std::filesystem::create_directories(directory_);
    sources_.working_directory = directory_.string();
    sources_.environment = {{"HOME", (directory_ / "home").string()}};
  }
  ~ConfigTest() override { std::filesystem::remove_all(directory_); }

  void WriteFile(std::string_view text, const std::string& name = "toolpost.toml") {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    if (name != "toolpost.toml") sources_.config_file = (directory_ / name).string();
  }
  Config Loaded() {
    auto config = Load(sources_);
    EXPECT_TRUE(config.has_value()) << (config ? "" : config.error().message);
    return config ? *std::move(config) : Config{};
  }
  std::string LoadError() {
    const auto config = Load(sources_);
    EXPECT_FALSE(config.has_value());
    return config ? "" : config.error().message;
  }

  std::filesystem::path directory_;
  Sources sources_;
};

TEST_F(ConfigTest, WithoutAnythingEverySettingHasItsDefault) {
  const Config config = Loaded();
  EXPECT_THAT(config.http.host, ElementsAre("127.0.0.1", "::1"));
  EXPECT_EQ(config.http.port, 3001u);
  EXPECT_EQ(config.mcp.transport, "http");
  EXPECT_EQ(config.limits.result_keep, milliseconds(900'000));
  EXPECT_EQ(config.log.level, "info");
  EXPECT_EQ(config.state.dir, (directory_ / "home/.local/state/toolpost").string());
  EXPECT_EQ(config.file, "");
  EXPECT_TRUE(config.warnings.empty());
  for (const Option& option : Options()) {
    EXPECT_EQ(OriginOf(config, option.key), (Origin{Layer::kDefault, "default"})) << option.key;
  }
}

TEST_F(ConfigTest, DefaultsAreThoseOfTheLibrary) {
  const Config config = Loaded();
  const ServerOptions server = ToServerOptions(config);
  const ServerOptions server_defaults;
  EXPECT_EQ(server.instructions, server_defaults.instructions);
  EXPECT_EQ(server.canonical_names, server_defaults.canonical_names);
  EXPECT_EQ(server.read_only, server_defaults.read_only);
  EXPECT_EQ(server.toolsets, server_defaults.toolsets);
  EXPECT_EQ(server.page_size, server_defaults.page_size);
  EXPECT_EQ(server.result_chars, server_defaults.result_chars);
  EXPECT_EQ(server.result_keep, server_defaults.result_keep);
  EXPECT_EQ(server.max_sessions, server_defaults.max_sessions);
  EXPECT_EQ(server.session_idle, server_defaults.session_idle);
  EXPECT_EQ(server.worker_threads, server_defaults.worker_threads);
  EXPECT_EQ(server.worker_queue, server_defaults.worker_queue);
  EXPECT_EQ(server.call_timeout, server_defaults.call_timeout);
  EXPECT_EQ(server.max_message_bytes, server_defaults.max_message_bytes);
  const HttpOptions http = ToHttpOptions(config);
  const HttpOptions http_defaults;
  EXPECT_EQ(http.hosts, http_defaults.hosts);
  EXPECT_EQ(http.port, http_defaults.port);
  EXPECT_EQ(http.threads, http_defaults.threads);
  EXPECT_EQ(http.max_connections, http_defaults.max_connections);
  EXPECT_EQ(http.max_body_bytes, http_defaults.max_body_bytes);
  EXPECT_EQ(http.header_timeout, http_defaults.header_timeout);
  EXPECT_EQ(http.body_timeout, http_defaults.body_timeout);
  EXPECT_EQ(http.idle_timeout, http_defaults.idle_timeout);
  EXPECT_EQ(http.drain_timeout, http_defaults.drain_timeout);
  EXPECT_EQ(http.tls_cert, http_defaults.tls_cert);
  EXPECT_EQ(http.tls_key, http_defaults.tls_key);
}

TEST_F(ConfigTest, EachLayerOverridesTheOneBefore) {
  const std::string file = (directory_ / "toolpost.toml").string();
  WriteFile("[http]\nport = 1000\n");
  EXPECT_EQ(Loaded().http.port, 1000u);
  EXPECT_EQ(Loaded().origins.at("http.port"), (Origin{Layer::kFile, file + ":2"}));
  EXPECT_EQ(Loaded().file, file);
  sources_.environment["MCP_PORT"] = "2000";
  EXPECT_EQ(Loaded().http.port, 2000u);
  EXPECT_EQ(Loaded().origins.at("http.port"),
            (Origin{Layer::kEnvironment, "environment MCP_PORT"}));
  sources_.environment["TOOLPOST_HTTP_PORT"] = "3000";
  EXPECT_EQ(Loaded().http.port, 3000u);
  EXPECT_EQ(Loaded().origins.at("http.port").name, "environment TOOLPOST_HTTP_PORT");
  sources_.flags = {{"--port", "4000"}};
  EXPECT_EQ(Loaded().http.port, 4000u);
  EXPECT_EQ(Loaded().origins.at("http.port"), (Origin{Layer::kFlag, "flag --port"}));
  sources_.flags.emplace_back("http-port", "5000");
  EXPECT_EQ(Loaded().http.port, 5000u);
  EXPECT_EQ(OriginOf(Loaded(), "http.host").layer, Layer::kDefault);
}

// A value of the option that is not its default.
std::string OtherValue(const Option& option) {
  if (option.key == "http.host") return "127.0.0.9";
  if (option.key == "database.url_file") return "url.txt";
  if (option.key == "store.url" || option.key == "database.url")
    return "postgresql://user:pass@db.example/toolpost";
  if (option.key == "appsettings.file") return "appsettings.json";
  if (option.key == "metrics.listen") return "127.0.0.1:9464";
  if (option.key == "mssql.connection_string") return "Server=sql1";
  if (option.key == "telemetry.headers" || option.key == "telemetry.resource_attributes")
    return "a=b";
  if (option.key == "telemetry.sampling") return "0.5";
  if (option.secret) return "a6Xw0rQd93kfLmZt-71bVyNs4uEjHpGc2";
  switch (option.type) {
    case Type::kChoice:
      return std::string(option.choices.back());
    case Type::kBoolean:
      return option.default_value == "true" ? "false" : "true";
    case Type::kInteger:
      return option.maximum < 1001 ? std::to_string(option.minimum) : "1001";
    case Type::kDuration:
      return option.minimum > 7000 ? "2h" : "7s";
    case Type::kSize:
      return option.minimum > 2048 ? "2MiB" : "2KiB";
    default:
      return "http://localhost";
  }
}

TEST_F(ConfigTest, EveryKeyCanBeSetInEveryLayer) {
  std::ofstream(directory_ / "appsettings.json") << "{}";
  std::ofstream(directory_ / "url.txt") << "sqlite:x.db";
  // Settings another one needs beside it.
  const std::map<std::string_view, std::vector<std::pair<std::string, std::string>>> needs = {
      {"http.tls", {{"http-tls-cert", "c.pem"}, {"http-tls-key", "k.pem"}}},
      {"auth.jwks_url", {{"auth-issuer", "i"}, {"auth-audience", "a"}}}};
  for (const Option& option : Options()) {
    const std::string value = OtherValue(option);
    const bool bare = option.type == Type::kInteger || option.type == Type::kBoolean;
    Sources sources = sources_;
    if (needs.contains(option.key)) sources.flags = needs.at(option.key);
    WriteFile("");
    const auto before = Load(sources);
    ASSERT_TRUE(before) << before.error().message;
    WriteFile(std::string(option.key) + " = " + (bare ? value : "\"" + value + "\"") + "\n");
    auto config = Load(sources);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->origins.at(std::string(option.key)).layer, Layer::kFile);
    const std::string from_file = RenderEffective(*config);
    WriteFile("");
    sources.environment[option.environment] = value;
    config = Load(sources);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->origins.at(std::string(option.key)).layer, Layer::kEnvironment);
    sources.environment.erase(option.environment);
    sources.flags.emplace_back(option.flag, value);
    config = Load(sources);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->origins.at(std::string(option.key)).layer, Layer::kFlag);
    const auto changes = Diff(*before, *config);
    ASSERT_EQ(changes.size(), 1u) << option.key;
    EXPECT_EQ(changes[0].key, option.key);
    EXPECT_THAT(from_file, HasSubstr(changes[0].key + " = " + changes[0].after + "  # "));
  }
}

TEST_F(ConfigTest, JsonHasTheSameTree) {
  WriteFile(R"({"http": {"port": 4000, "host": "::1"},
 "limits": {"call_timeout": "2m", "result_keep": 60}, "tools": {"read_only": true, "toolsets": ["a"]}})",
            "c.json");
  const Config config = Loaded();
  EXPECT_EQ(config.http.port, 4000u);
  EXPECT_THAT(config.http.host, ElementsAre("::1"));
  EXPECT_EQ(config.limits.call_timeout, milliseconds(120'000));
  EXPECT_EQ(config.limits.result_keep, milliseconds(60'000));
  EXPECT_TRUE(config.tools.read_only);
  EXPECT_THAT(config.tools.toolsets, ElementsAre("a"));
  EXPECT_THAT(config.origins.at("limits.call_timeout").name, EndsWith("c.json:2"));
}

TEST_F(ConfigTest, FileWithByteOrderMarkIsRead) {
  WriteFile("\xEF\xBB\xBF[http]\nport = 1000\n");
  EXPECT_EQ(Loaded().http.port, 1000u);
  WriteFile("\xEF\xBB\xBF{\"http\":{\"port\":1001}}", "c.json");
  EXPECT_EQ(Loaded().http.port, 1001u);
}

TEST_F(ConfigTest, FileErrorsNameFileLineKeyAndFix) {
  WriteFile("\n[http]\nport = 70000\n");
  EXPECT_THAT(
      LoadError(),
      EndsWith("toolpost.toml:3: http.port must be a whole number from 0 to 65535, not 70000"));
  WriteFile("[http]\nport = \"3001\"\n");
  EXPECT_THAT(LoadError(), EndsWith("not \"3001\"; write it without quotes"));
  WriteFile("[http]\nprot = 3001\n");
  EXPECT_THAT(LoadError(),
              EndsWith("toolpost.toml:2: unknown key http.prot; did you mean http.port?"));
  WriteFile("[htpp]\nport = 3001\n");
  EXPECT_THAT(LoadError(), EndsWith(":2: unknown key htpp.port; did you mean http.port?"));
  WriteFile("port = 3001\n");
  EXPECT_THAT(LoadError(), EndsWith(":1: unknown key port; did you mean http.port?"));
  WriteFile("[zzzzzzzzzz]\nq = 1\n");
  EXPECT_THAT(LoadError(),
              EndsWith(":2: unknown key zzzzzzzzzz.q; docs/configuration.md lists all"));
  WriteFile("[zzzzzzzzzz]\n");
  EXPECT_THAT(LoadError(), HasSubstr(":1: unknown key zzzzzzzzzz"));
  WriteFile("http = 3001\n");
  EXPECT_THAT(LoadError(), EndsWith(":1: http is a section, not a key; write http.KEY = VALUE"));
  WriteFile("[http.port]\nx = 1\n");
  EXPECT_THAT(LoadError(),
              HasSubstr("http.port must be a whole number from 0 to 65535, not a table"));
  WriteFile("[http]\nport = 1\nport = 2\n");
  EXPECT_THAT(LoadError(), HasSubstr("toolpost.toml:3: not valid TOML"));
  WriteFile("[http]\n[mcp]\n");
  EXPECT_TRUE(Load(sources_));
}

TEST_F(ConfigTest, MissingFileIsAnErrorOnlyWhenAskedFor) {
  EXPECT_TRUE(Load(sources_));
  sources_.config_file = (directory_ / "none.toml").string();
  const auto config = Load(sources_);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, Code::kNotFound);
  EXPECT_THAT(config.error().message, HasSubstr("none.toml"));
}

TEST_F(ConfigTest, DanglingLinkIsNotTakenForNoFile) {
  std::filesystem::create_symlink("gone", directory_ / "toolpost.toml");
  EXPECT_FALSE(Load(sources_));
}

TEST_F(ConfigTest, HugeFileIsRefused) {
  WriteFile(std::string(2'000'000, '#'));
  EXPECT_THAT(LoadError(), HasSubstr("larger than 1MiB"));
}

TEST_F(ConfigTest, EnvironmentErrorsNameTheVariable) {
  sources_.environment["MCP_PORT"] = "tcp://10.0.0.1:80";
  EXPECT_EQ(LoadError(),
            "environment MCP_PORT: http.port must be a whole number from 0 to 65535, not "
            "\"tcp://10.0.0.1:80\"");
  sources_.environment["MCP_PORT"] = "";
  EXPECT_EQ(Loaded().http.port, 3001u);
  sources_.environment["MCP_TRANSPORT"] = "htp";
  EXPECT_EQ(LoadError(),
            "environment MCP_TRANSPORT: mcp.transport must be one of http, stdio, websocket, not "
            "\"htp\"; did you mean http?");
}

TEST_F(ConfigTest, MisspeltVariablesAreWarnedAbout) {
  sources_.environment["TOOLPOST_HTTP_PROT"] = "1";
  sources_.environment["TOOLPOST_TOKEN"] = "secret";
  const Config config = Loaded();
  EXPECT_THAT(
      config.warnings,
      ElementsAre(
          "environment variable TOOLPOST_HTTP_PROT is not used; did you mean TOOLPOST_HTTP_PORT?"));
}

TEST_F(ConfigTest, FlagErrorsNameTheFlag) {
  sources_.flags = {{"port", "x"}};
  EXPECT_THAT(LoadError(), testing::StartsWith("flag --port: http.port must be"));
  sources_.flags = {{"--prt", "1"}};
  EXPECT_EQ(LoadError(), "Unknown option --prt; did you mean --port?");
  sources_.flags = {{"--", "1"}};
  EXPECT_EQ(LoadError(), "Unknown option --");
}

TEST_F(ConfigTest, SwitchesNeedNoValue) {
  sources_.flags = {{"read-only", ""}};
  EXPECT_TRUE(Loaded().tools.read_only);
  sources_.flags = {{"read-only", ""}, {"tools-read-only", "false"}};
  EXPECT_FALSE(Loaded().tools.read_only);
}

TEST_F(ConfigTest, ListsInFlagsAreSeparatedByCommas) {
  sources_.flags = {{"toolsets", "a,b"}, {"tools", "x/y"}, {"exclude-tools", "z"}};
  const ServerOptions options = ToServerOptions(Loaded());
  EXPECT_THAT(options.toolsets, ElementsAre("a", "b"));
  EXPECT_THAT(options.include_tools, ElementsAre("x/y"));
  EXPECT_THAT(options.exclude_tools, ElementsAre("z"));
}

TEST_F(ConfigTest, VariablesAreExpandedInFilesOnly) {
  sources_.environment["PORT"] = "4242";
  sources_.environment["SETS"] = "a,b";
  WriteFile(
      "[http]\nport = \"${PORT}\"\nallowed_hosts = [\"${NAME:-box}.local\"]\n[tools]\ntoolsets = "
      "\"${SETS}\"\n"
      "read_only = \"${RO:-true}\"\n[mcp]\ninstructions = \"$${PORT} is ${PORT}\"\n");
  const Config config = Loaded();
  EXPECT_EQ(config.http.port, 4242u);
  EXPECT_THAT(config.http.allowed_hosts, ElementsAre("box.local"));
  EXPECT_THAT(config.tools.toolsets, ElementsAre("a", "b"));
  EXPECT_TRUE(config.tools.read_only);
  EXPECT_EQ(config.mcp.instructions, "${PORT} is 4242");
  sources_.environment["TOOLPOST_MCP_INSTRUCTIONS"] = "${PORT}";
  EXPECT_EQ(Loaded().mcp.instructions, "${PORT}");
}

TEST_F(ConfigTest, ExpansionErrorsNameFileLineAndKey) {
  WriteFile("[mcp]\ninstructions = \"${NOPE}\"\n");
  EXPECT_THAT(
      LoadError(),
      EndsWith("toolpost.toml:2: mcp.instructions uses the variable NOPE, which is not set; set "
               "it or write ${NOPE:-default}"));
  sources_.environment["BAD"] = "x";
  WriteFile("[http]\nport = \"${BAD}\"\n");
  EXPECT_THAT(LoadError(),
              EndsWith(":2: http.port must be a whole number from 0 to 65535, not \"x\""));
}

TEST_F(ConfigTest, HostsMustBeAddresses) {
  sources_.flags = {{"host", "example.com"}};
  EXPECT_EQ(LoadError(),
            "flag --host: http.host must be IP addresses or localhost, not \"example.com\"");
  sources_.flags = {{"host", ","}};
  EXPECT_EQ(LoadError(),
            "flag --host: http.host must name at least one address, such as 127.0.0.1");
  sources_.flags = {{"host", "localhost,::1,127.0.0.2"}};
  EXPECT_THAT(ToHttpOptions(Loaded()).hosts, ElementsAre("127.0.0.1", "::1", "127.0.0.2"));
}

TEST_F(ConfigTest, OriginsMustBeOrigins) {
  for (const char* origin : {"app.example", "https://app.example/", "https://", "*", "https://*",
                             "ftp://x", "https://u@x"}) {
    sources_.flags = {{"http-allowed-origins", origin}};
    EXPECT_THAT(LoadError(), HasSubstr("http.allowed_origins must be origins")) << origin;
  }
  sources_.flags = {{"http-allowed-origins", "https://app.example:8443,http://[::1]:1"}};
  EXPECT_EQ(Loaded().http.allowed_origins.size(), 2u);
}

TEST_F(ConfigTest, StateDirectoryFollowsXdg) {
  sources_.environment["XDG_STATE_HOME"] = "/x/state";
  EXPECT_EQ(Loaded().state.dir, "/x/state/toolpost");
  sources_.environment["XDG_STATE_HOME"] = "relative";
  EXPECT_EQ(Loaded().state.dir, (directory_ / "home/.local/state/toolpost").string());
  sources_.environment["TOOLPOST_STATE_DIR"] = "/mine";
  EXPECT_EQ(ToServerOptions(Loaded()).state_directory, "/mine");
  sources_.environment = {};
  EXPECT_EQ(Loaded().state.dir, "");
  sources_.flags = {{"state-dir", "~/x"}};
  EXPECT_THAT(LoadError(), HasSubstr("state.dir must not start with \"~\""));
}

TEST_F(ConfigTest, OptionsOfTheServerCarryTheSettings) {
  WriteFile(
      "[mcp]\ntool_names = \"canonical\"\npage_size = 7\ninstructions = "
      "\"I\"\n[limits]\nresult_chars = 5000\n"
      "result_keep = \"1500ms\"\nsessions = 8\nsession_idle = \"1h\"\nworkers = 2\nqueue = "
      "3\ncall_timeout = 4\n"
      "message_bytes = \"2KiB\"\n[http]\nport = 0\nthreads = 2\nmax_connections = 5\nmax_body = "
      "4096\n"
      "header_timeout = 1\nbody_timeout = 2\nidle_timeout = 3\ndrain_timeout = 0\nallowed_hosts = "
      "[\"h\"]\n"
      "allowed_origins = [\"http://o\"]\n");
  const Config config = Loaded();
  const ServerOptions server = ToServerOptions(config);
  EXPECT_TRUE(server.canonical_names);
  EXPECT_EQ(server.page_size, 7u);
  EXPECT_EQ(server.instructions, "I");
  EXPECT_EQ(server.result_chars, 5000u);
  EXPECT_EQ(server.result_keep, seconds(2));
  EXPECT_EQ(server.max_sessions, 8u);
  EXPECT_EQ(server.session_idle, seconds(3600));
  EXPECT_EQ(server.worker_threads, 2u);
  EXPECT_EQ(server.worker_queue, 3u);
  EXPECT_EQ(server.call_timeout, seconds(4));
  EXPECT_EQ(server.max_message_bytes, 2048u);
  const HttpOptions http = ToHttpOptions(config);
  EXPECT_EQ(http.port, 0);
  EXPECT_EQ(http.threads, 2u);
  EXPECT_EQ(http.max_connections, 5u);
  EXPECT_EQ(http.max_body_bytes, 4096u);
  EXPECT_EQ(http.header_timeout, seconds(1));
  EXPECT_EQ(http.body_timeout, seconds(2));
  EXPECT_EQ(http.idle_timeout, seconds(3));
  EXPECT_EQ(http.drain_timeout, seconds(0));
  EXPECT_THAT(http.allowed_hosts, ElementsAre("h"));
  EXPECT_THAT(http.allowed_origins, ElementsAre("http://o"));
}

TEST_F(ConfigTest, DiffSaysWhatChangedAndWhetherItIsLive) {
  const Config before = Loaded();
  EXPECT_TRUE(Diff(before, before).empty());
  sources_.flags = {{"read-only", ""}, {"port", "1"}};
  const auto changes = Diff(before, Loaded());
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].key, "http.port");
  EXPECT_EQ(changes[0].before, "3001");
  EXPECT_EQ(changes[0].after, "1");
  EXPECT_FALSE(changes[0].live);
  EXPECT_EQ(changes[1].key, "tools.read_only");
  EXPECT_TRUE(changes[1].live);
}

TEST_F(ConfigTest, SameValueFromAnotherLayerIsNoChange) {
  const Config before = Loaded();
  sources_.flags = {{"port", "3001"}};
  EXPECT_TRUE(Diff(before, Loaded()).empty());
}

TEST(ProcessEnvironment, HoldsTheVariablesOfTheProcess) {
  ::setenv("TOOLPOST_TEST_ONLY", "a=b", 1);
  const auto environment = ProcessEnvironment();
  ::unsetenv("TOOLPOST_TEST_ONLY");
  ASSERT_TRUE(environment.contains("TOOLPOST_TEST_ONLY"));
  EXPECT_EQ(environment.at("TOOLPOST_TEST_ONLY"), "a=b");
}

}  // namespace
}  // namespace toolpost::config
