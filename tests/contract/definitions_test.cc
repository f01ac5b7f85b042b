// Lint over every tool definition: what a model and a person see of it.
#include <map>

#include "auth/policy.h"
#include "base/json_write.h"
#include "tests/contract/shipped_tools.h"

namespace toolpost {
namespace {

constexpr std::size_t kMaxDescription = 200;
constexpr std::size_t kMaxVisibleBytes = 350;
// Tools whose arguments cannot be said in fewer bytes, with the bytes they may take.
const std::map<std::string, std::size_t> kLargerBudgets = {
    {"database/explain", 880},
    {"database/query", 700},
    {"database/schema", 450},
    {"database/tables", 570},
    {"database/top_queries", 410},
    {"file/delete", 410},
    {"file/edit", 720},
    {"file/list", 800},
    {"file/read", 670},
    {"file/search", 740},
    {"file/write", 630},
    {"system/tools", 400},
    {"keys/CreateApiKey", 1300},
    {"keys/GenerateSecureKey", 400},
    {"keys/GetApiKeyUsageLogs", 370},
    {"keys/GetUserUsageLogs", 370},
    {"keys/RotateKey", 410},
    {"mssql/AddConnection", 1150},
    {"mssql/ExecuteQuery", 1100},
    {"mssql/GetAzureDevOpsInfo", 400},
    {"mssql/GetDatabaseObjectsByType", 850},
    {"mssql/GetDatabaseObjectsMetadata", 780},
    {"mssql/GetSqlServerAgentJobDetails", 510},
    {"mssql/GetSqlServerAgentJobs", 510},
    {"mssql/GetSsisCatalogInfo", 400},
    {"mssql/GetTableMetadata", 700},
    {"mssql/TestConnection", 950},
    {"mssql/UpdateConnection", 1150},
    {"mssql/mssql-query", 420},
    {"shell/execute", 560},
    {"todo/list_tasks", 620},
    {"todo/search_tasks", 420},
    {"todo/add_task", 420},
    {"web/fetch", 690},
    {"web/request", 680}};

void ExpectDescribed(const std::string& tool, const JsonObject& schema) {
  const Json* properties = schema.if_contains("properties");
  if (properties == nullptr) return;
  for (const auto& [name, property] : properties->as_object()) {
    EXPECT_TRUE(property.is_object() && property.get_object().contains("description"))
        << tool << ": argument " << name << " has no description";
  }
}

TEST_F(ShippedTools, PRD_FR_005_1_DefinitionsAreComplete) {
  ASSERT_FALSE(All().empty());
  for (const auto& entry : All()) {
    const ToolInfo& info = entry->tool.info;
    EXPECT_FALSE(info.title.empty()) << info.name;
    EXPECT_FALSE(info.description.empty()) << info.name;
    EXPECT_LE(info.description.size(), kMaxDescription) << info.name;
    EXPECT_TRUE(info.hints.read_only && info.hints.destructive && info.hints.idempotent &&
                info.hints.open_world)
        << info.name << ": all four annotations must be said";
    EXPECT_FALSE(entry->tool.output_schema->is_null()) << info.name << ": no output schema";
    ExpectDescribed(info.name, entry->tool.input_schema->as_object());
  }
}

TEST_F(ShippedTools, DefinitionsStayWithinTheirTokenBudget) {
  for (const auto& entry : All()) {
    const ToolInfo& info = entry->tool.info;
    const std::size_t visible =
        info.wire.size() + info.description.size() + base::ToJson(*entry->tool.input_schema).size();
    const auto larger = kLargerBudgets.find(info.name);
    EXPECT_LE(visible, larger == kLargerBudgets.end() ? kMaxVisibleBytes : larger->second)
        << info.name;
  }
}

TEST_F(ShippedTools, PRD_FR_006_1_TheOrderOfTheListNeverChanges) {
  const auto list = [this] {
    std::vector<std::string> names;
    for (const auto& entry : All()) names.push_back(entry->tool.info.name);
    return names;
  };
  const auto first = list();
  EXPECT_EQ(first, list());
  Server other;
  Fill(other);
  std::vector<std::string> names;
  for (const auto& entry : other.impl().core.registry.All()) names.push_back(entry->tool.info.name);
  EXPECT_EQ(first, names);
}

// Private data and untrusted content need no way out: whoever may read files and run commands
// cannot reach the network by any tool.
TEST_F(ShippedTools, LethalTrifecta_KeysThatReadAndRunCommandsCannotReachTheNetwork) {
  auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read", "shell"};
  Principal principal;
  principal.credential = credential;
  int refused = 0;
  for (const auto& entry : All()) {
    if (!entry->tool.info.hints.open_world.value_or(true)) continue;
    EXPECT_TRUE(auth::Refusal(principal, entry->tool.info)) << entry->tool.info.name;
    ++refused;
  }
  // web/fetch, web/request, and what takes connection strings.
  EXPECT_EQ(refused, 5);
}

TEST_F(ShippedTools, D1_EverySpellingCallsTheTool) {
  for (const auto& entry : All()) {
    std::vector<std::string> spellings = {entry->tool.info.name, entry->tool.info.wire};
    spellings.insert(spellings.end(), entry->tool.info.aliases.begin(),
                     entry->tool.info.aliases.end());
    for (const std::string& spelling : spellings) {
      EXPECT_EQ(server_.impl().core.registry.Find(spelling), entry) << spelling;
    }
  }
}

TEST_F(ShippedTools, PRD_FR_002_4_InstructionsAreShortAndNameTheToolsets) {
  const std::string instructions = server_.impl().core.Instructions({});
  EXPECT_LT(instructions.size(), 1500u);
  for (const std::string& toolset : server_.impl().core.registry.Toolsets()) {
    EXPECT_NE(instructions.find(toolset), std::string::npos) << toolset;
  }
}

}  // namespace
}  // namespace toolpost
