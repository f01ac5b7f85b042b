// Tests of finding, reading and parsing the configuration file.
#include "config/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/crypto.h"

namespace toolpost::config {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class FileTest : public ::testing::Test {
 protected:
  FileTest()
      : directory_(std::filesystem::path(::testing::TempDir()) / ("config-" + base::RandomHex(8))) {
    std::filesystem::create_directories(directory_);
  }
  ~FileTest() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name, std::string_view text) {
    const auto path = directory_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  std::filesystem::path directory_;
};

void ExpectError(const auto& result, std::string_view text) {
  ASSERT_FALSE(result.has_value()) << text;
  EXPECT_EQ(result.error().code, Code::kInvalidArgument);
  EXPECT_THAT(result.error().message, HasSubstr(std::string(text)));
}

TEST_F(FileTest, ExplicitFileComesBeforeTheSearch) {
  Write("toolpost.toml", "");
  EXPECT_EQ(FindFile({.config_file = "x.toml",
                      .working_directory = directory_.string(),
                      .environment = {},
                      .flags = {}}),
            "x.toml");
}

TEST_F(FileTest, SearchesWorkingDirectoryThenXdg) {
  Sources sources;
  sources.working_directory = (directory_ / "cwd").string();
  sources.environment = {{"HOME", (directory_ / "home").string()}};
  EXPECT_EQ(FindFile(sources), "");
  const std::string home = Write("home/.config/toolpost/toolpost.toml", "");
  EXPECT_EQ(FindFile(sources), home);
  const std::string xdg = Write("xdg/toolpost/toolpost.toml", "");
  sources.environment["XDG_CONFIG_HOME"] = (directory_ / "xdg").string();
  EXPECT_EQ(FindFile(sources), xdg);
  sources.environment["XDG_CONFIG_HOME"] = "relative";
  EXPECT_EQ(FindFile(sources), home);
  const std::string cwd = Write("cwd/toolpost.toml", "");
  EXPECT_EQ(FindFile(sources), cwd);
}

TEST_F(FileTest, ReadsTextWithoutByteOrderMark) {
  EXPECT_EQ(*ReadText(Write("a", "\xEF\xBB\xBFx = 1\n")), "x = 1\n");
  EXPECT_EQ(*ReadText(Write("b", "")), "");
}

TEST_F(FileTest, SizeIsLimited) {
  EXPECT_TRUE(ReadText(Write("fits", std::string(kMaxFileBytes, '#'))));
  ExpectError(ReadText(Write("huge", std::string(kMaxFileBytes + 1, '#'))), "larger than 1MiB");
}

TEST_F(FileTest, WhatCannotBeReadSaysWhy) {
  const auto missing = ReadText((directory_ / "none.toml").string());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("none.toml: No such file"));
  ExpectError(ReadText(directory_.string()), "not a regular file");
  ExpectError(ReadText(Write("file", "") + "/toolpost.toml"), "Not a directory");
  const std::string fifo = (directory_ / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  ExpectError(ReadText(fifo), "not a regular file");
}

TEST_F(FileTest, UnreadableFileSaysWhy) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const std::string file = Write("secret.toml", "");
  ASSERT_EQ(::chmod(file.c_str(), 0), 0);
  ExpectError(ReadText(file), "Permission denied");
}

TEST(ReadToml, GivesKeysValuesAndLines) {
  const auto entries = ReadToml(
      "top = 1\n[http]\nport = 4000\nhost = [\"a\", \"b\"]\n\n[tools]\nread_only = true\n[empty]\n",
      "f");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 5u);
  EXPECT_EQ((*entries)[0].key, "top");
  EXPECT_EQ((*entries)[1].key, "http.port");
  EXPECT_EQ((*entries)[1].line, 3u);
  EXPECT_EQ(std::get<std::int64_t>((*entries)[1].value), 4000);
  EXPECT_EQ(std::get<std::vector<std::string>>((*entries)[2].value).size(), 2u);
  EXPECT_EQ((*entries)[3].line, 7u);
  EXPECT_TRUE(std::get<bool>((*entries)[3].value));
  EXPECT_EQ(std::get<Other>((*entries)[4].value).what, kEmptySection);
}

TEST(ReadToml, NamesKindsNoOptionTakes) {
  const auto entries = ReadToml("[a]\nb = 1.5\nc = 1979-05-27\nd = [1]\ne = {f = 1}\n", "f");
  ASSERT_TRUE(entries);
  EXPECT_EQ(std::get<Other>((*entries)[0].value).what, "a number with a fraction");
  EXPECT_EQ(std::get<Other>((*entries)[1].value).what, "a date or time");
  EXPECT_EQ(std::get<Other>((*entries)[2].value).what, "a list of something else");
  EXPECT_EQ(std::get<Other>((*entries)[3].value).what, "a table");
}

TEST(ReadToml, SyntaxErrorsNameTheLine) {
  ExpectError(ReadToml("[http]\nport = \n", "f.toml"), "f.toml:2: not valid TOML: ");
  ExpectError(ReadToml("[http]\nport = 1\nport = 2\n", "f.toml"), "f.toml:3: not valid TOML: ");
  ExpectError(ReadToml("[http]\n[http]\n", "f.toml"), "f.toml:2: not valid TOML: ");
  ExpectError(ReadToml("a = \"\xFF\"\n", "f.toml"), "f.toml:1: not valid TOML: ");
  ExpectError(ReadToml("\x01", "f.toml"), "not valid TOML");
}

TEST(ReadToml, HostileNestingIsRefused) {
  EXPECT_FALSE(ReadToml("a = " + std::string(100'000, '['), "f"));
  std::string dotted;
  for (int i = 0; i < 400'000; ++i) dotted += "a.";
  ExpectError(ReadToml("# a\n" + dotted + "a = 1\n", "f"),
              "f:2: not valid TOML: more than 200 dots");
  ExpectError(ReadToml("[" + dotted + "a]\n", "f"), "f:1: ");
  EXPECT_TRUE(ReadToml("a = \"" + dotted + "\\\"" + dotted + "\"\nb = '" + dotted + "'\n", "f"));
}

TEST(ReadJson, GivesKeysValuesAndLines) {
  const auto entries = ReadJson(
      "{\n \"http\": {\"port\": 4000,\n  \"host\": [\"a\", \"port\"]},\n \"tools\": {\n  "
      "\"read_only\" : true},\n"
      " \"empty\": {}, \"x\": null}",
      "f");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 5u);
  EXPECT_EQ((*entries)[0].key, "http.port");
  EXPECT_EQ((*entries)[0].line, 2u);
  EXPECT_EQ((*entries)[1].line, 3u);
  EXPECT_EQ((*entries)[2].key, "tools.read_only");
  EXPECT_EQ((*entries)[2].line, 5u);
  EXPECT_EQ(std::get<Other>((*entries)[3].value).what, kEmptySection);
  EXPECT_EQ(std::get<Other>((*entries)[4].value).what, "null");
}

TEST(ReadJson, NamesKindsNoOptionTakes) {
  const auto entries =
      ReadJson(R"({"a":{"b":1.5,"c":[1],"d":{"e":1},"f":18446744073709551615}})", "f");
  ASSERT_TRUE(entries);
  EXPECT_THAT(std::get<Other>((*entries)[0].value).what, StartsWith("a number with a fraction"));
  EXPECT_EQ(std::get<Other>((*entries)[1].value).what, "a list of something else");
  EXPECT_EQ(std::get<Other>((*entries)[2].value).what, "an object");
  EXPECT_THAT(std::get<Other>((*entries)[3].value).what, HasSubstr("out of range"));
}

TEST(ReadJson, EscapedNamesHaveNoLine) {
  const auto entries = ReadJson(R"({"http":{"\u0070ort":1,"q\"}":2}})", "f");
  ASSERT_TRUE(entries);
  EXPECT_EQ((*entries)[0].key, "http.port");
  EXPECT_EQ((*entries)[0].line, 0u);
}

TEST(ReadJson, SyntaxErrorsNameTheLine) {
  ExpectError(ReadJson("{\n\"http\": {\n\"port\": }}", "f.json"), "f.json:3: not valid JSON: ");
  ExpectError(ReadJson("{\"a\":1,\n\"a\":2}", "f.json"), "f.json:2: not valid JSON: ");
  ExpectError(ReadJson("", "f.json"), "f.json:1: not valid JSON: ");
  ExpectError(ReadJson("[]", "f.json"), "f.json:1: must be a JSON object");
  ExpectError(ReadJson(std::string(100'000, '['), "f.json"), "f.json:1: ");
}

}  // namespace
}  // namespace toolpost::config
