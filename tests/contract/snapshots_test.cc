// The full tools/list entry of every tool, as checked in: a difference is a change of the public
// contract. TOOLPOST_UPDATE_SNAPSHOTS=1 writes them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/source_directory_fixture.h"
#include "tests/contract/shipped_tools.h"

namespace toolpost {
namespace {

namespace fs = std::filesystem;

const fs::path kSnapshots = base::SourceDirectory() / "tests/snapshots";

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(ShippedTools, DefinitionsMatchTheirSnapshots) {
  const bool update = std::getenv("TOOLPOST_UPDATE_SNAPSHOTS") != nullptr;
  const auto page = server_.impl().core.registry.ListPage({}, mcp::Revision::k2025_11_25, {});
  ASSERT_TRUE(page);
  const auto list = base::ParseJson("{" + **page + "}");
  ASSERT_TRUE(list);
  std::set<std::string> names;
  for (const Json& tool : list->at("tools").as_array()) {
    const std::string name(tool.at("name").as_string());
    names.insert(name + ".json");
    const fs::path path = kSnapshots / (name + ".json");
    if (update) std::ofstream(path) << base::ToJson(tool) << "\n";
    EXPECT_EQ(ReadFile(path), base::ToJson(tool) + "\n") << name;
  }
  for (const auto& entry : fs::directory_iterator(kSnapshots)) {
    EXPECT_TRUE(names.contains(entry.path().filename()))
        << entry.path().filename() << " belongs to no tool";
  }
}

}  // namespace
}  // namespace toolpost
