// Tests of settings as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/crypto.h"
#include "base/strings.h"
#include "config/config.h"
#include "config/options.h"

namespace toolpost::config {
namespace {

using ::testing::HasSubstr;

TEST(RenderEffective, SaysWhereEachValueComesFrom) {
  const auto config = Load({.config_file = "",
                            .working_directory = "/nonexistent",
                            .environment = {{"MCP_PORT", "4000"}},
                            .flags = {{"toolsets", "a,b"}}});
  ASSERT_TRUE(config);
  const std::string text = RenderEffective(*config);
  EXPECT_THAT(text, HasSubstr("http.port = 4000  # environment MCP_PORT\n"));
  EXPECT_THAT(text, HasSubstr("http.host = [\"127.0.0.1\", \"::1\"]  # default\n"));
  EXPECT_THAT(text, HasSubstr("tools.toolsets = [\"a\", \"b\"]  # flag --toolsets\n"));
  EXPECT_THAT(text, HasSubstr("http.max_body = \"10MiB\"  # default\n"));
  EXPECT_THAT(text, HasSubstr("limits.result_keep = \"15m\"  # default\n"));
  EXPECT_EQ(base::Split(text, '\n').size(), Options().size() + 1);
}

TEST(RenderEffective, IsAFileThatGivesTheSameSettings) {
  const auto directory =
      std::filesystem::path(::testing::TempDir()) / ("render-" + base::RandomHex(8));
  std::filesystem::create_directories(directory);
  Sources sources{.config_file = "",
                  .working_directory = directory.string(),
                  .environment = {{"HOME", "/h"}},
                  .flags = {{"mcp-instructions", "a \"quoted\" ${X}\nline $$ \\"},
                            {"http-body-timeout", "1500ms"},
                            {"http-max-body", "4097"},
                            {"read-only", ""}}};
  const auto config = Load(sources);
  ASSERT_TRUE(config);
  std::ofstream(directory / "toolpost.toml", std::ios::binary) << RenderEffective(*config);
  sources.flags.clear();
  const auto again = Load(sources);
  std::filesystem::remove_all(directory);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(Diff(*config, *again).empty());
  EXPECT_EQ(again->origins.at("http.port").layer, Layer::kFile);
}

TEST(RenderDocs, NamesEveryOptionOnce) {
  const std::string docs = RenderDocs();
  for (const Option& option : Options()) {
    const std::string row = base::StrCat("\n| `", option.key, "` | ");
    const std::size_t at = docs.find(row);
    ASSERT_NE(at, std::string::npos) << option.key;
    EXPECT_EQ(docs.find(row, at + 1), std::string::npos) << option.key;
    const std::string line = docs.substr(at + 1, docs.find('\n', at + 1) - at - 1);
    EXPECT_THAT(line, HasSubstr(base::StrCat("`", option.environment, "`")));
    EXPECT_THAT(line, HasSubstr(base::StrCat("`--", option.flag, "`")));
    EXPECT_THAT(line, HasSubstr(std::string(option.help)));
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 7) << line;
  }
}

TEST(RenderDocs, ShowsDefaultsAndAliases) {
  const std::string docs = RenderDocs();
  EXPECT_THAT(
      docs,
      HasSubstr("| `http.port` | number 0 to 65535 | `3001` | `TOOLPOST_HTTP_PORT`, `MCP_PORT` | "
                "`--http-port`, `--port` | "));
  EXPECT_THAT(docs, HasSubstr("`[\"127.0.0.1\", \"::1\"]`"));
  EXPECT_THAT(docs, HasSubstr("$XDG_STATE_HOME/toolpost"));
  EXPECT_THAT(docs, HasSubstr("## [limits]"));
}

}  // namespace
}  // namespace toolpost::config
