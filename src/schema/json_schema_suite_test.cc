// The published JSON Schema Test Suite, draft 2020-12: every required case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/json_parse.h"
#include "base/source_directory_fixture.h"
#include "schema/json_schema.h"

namespace toolpost::schema {
namespace {

namespace fs = std::filesystem;

fs::path SuiteDirectory() { return base::SharedData() / "json-schema-test-suite"; }

std::optional<Json> ReadJson(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  auto parsed = base::ParseJson(text);
  if (!parsed) {
    ADD_FAILURE() << path.filename() << ": " << parsed.error().message;
    return std::nullopt;
  }
  return *std::move(parsed);
}

JsonSchema::Options RemoteOptions() {
  JsonSchema::Options options;
  options.documents = [](std::string_view uri) -> std::optional<Json> {
    constexpr std::string_view kHost = "http://localhost:1234/";
    if (!uri.starts_with(kHost)) return std::nullopt;
    return ReadJson(SuiteDirectory() / "remotes" / uri.substr(kHost.size()));
  };
  return options;
}

struct Score {
  std::size_t run = 0;
  std::size_t failed = 0;
};

void RunGroup(const std::string& file, const JsonObject& group, Score& score) {
  const std::string title = file + ": " + std::string(group.at("description").as_string());
  const JsonArray& tests = group.at("tests").as_array();
  auto schema = JsonSchema::Compile(group.at("schema"), RemoteOptions());
  if (!schema) {
    score.run += tests.size();
    score.failed += tests.size();
    ADD_FAILURE() << title << ": " << schema.error().message;
    return;
  }
  for (const Json& test : tests) {
    ++score.run;
    const Json& data = test.at("data");
    const bool expected = test.at("valid").as_bool();
    bool right = schema->IsValid(data) == expected && schema->Validate(data).empty() == expected;
    if (data.is_object()) right &= schema->Validate(data.get_object()).empty() == expected;
    if (right) continue;
    ++score.failed;
    ADD_FAILURE() << title << ": " << test.at("description").as_string() << ": expected "
                  << (expected ? "valid" : "invalid");
  }
}

Score RunFiles(std::vector<fs::path> files) {
  std::ranges::sort(files);
  Score score;
  for (const fs::path& path : files) {
    const auto document = ReadJson(path);
    if (!document) continue;
    for (const Json& group : document->as_array()) {
      RunGroup(path.filename().string(), group.as_object(), score);
    }
  }
  return score;
}

TEST(JsonSchemaSuite, EveryRequiredCaseOfDraft202012) {
  const fs::path directory = SuiteDirectory() / "tests" / "draft2020-12";
  if (!fs::exists(directory)) GTEST_SKIP() << "skipped: no test data";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  const Score score = RunFiles(std::move(files));
  std::cout << "JSON Schema Test Suite: " << score.run << " cases, " << score.failed << " failed\n";
  EXPECT_GT(score.run, 1200u);
  EXPECT_EQ(score.failed, 0u);
}

TEST(JsonSchemaSuite, OptionalCasesThatNeedNoFormats) {
  const fs::path directory = SuiteDirectory() / "tests" / "draft2020-12" / "optional";
  if (!fs::exists(directory)) GTEST_SKIP() << "skipped: no test data";
  std::vector<fs::path> files;
  for (const char* name : {"anchor", "dynamicRef", "ecmascript-regex", "float-overflow", "id",
                           "no-schema", "non-bmp-regex", "refOfUnknownKeyword", "unknownKeyword"}) {
    files.push_back(directory / (std::string(name) + ".json"));
  }
  const Score score = RunFiles(std::move(files));
  std::cout << "JSON Schema Test Suite, optional: " << score.run << " cases, " << score.failed
            << " failed\n";
  EXPECT_GT(score.run, 100u);
  EXPECT_EQ(score.failed, 0u);
}

}  // namespace
}  // namespace toolpost::schema
