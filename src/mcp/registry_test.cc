#include "mcp/registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "base/strings.h"
#include "mcp/registry_fixture.h"

namespace toolpost::mcp {
namespace {

using RegistryTest = RegistryFixture;
using Strings = std::vector<std::string>;

const ToolView kReadOnly{.canonical = false, .read_only = true, .toolset = ""};

TEST_F(RegistryTest, PRD_FR_005_1_PRD_AC_002_1_FindsAToolByEverySpelling) {
  Tool tool = Plain("file/read");
  tool.info.aliases = {"ReadFile", "fs/read"};
  ASSERT_TRUE(registry.Add(std::move(tool)));
  for (const char* name : {"file/read", "file_read", "ReadFile", "fs/read"}) {
    const auto found = registry.Find(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->tool.info.name, "file/read");
    EXPECT_EQ(found->tool.info.wire, "file_read");
    EXPECT_EQ(found->tool.info.toolset, "file");
  }
  EXPECT_FALSE(registry.Find("FILE/READ")) << "names are case-sensitive";
  EXPECT_FALSE(registry.Find(""));
}

TEST_F(RegistryTest, PRD_FR_005_2_RefusesBadDefinitions) {
  const auto refused = [&](auto change) {
    Tool tool = Plain("a/b");
    change(tool);
    const auto added = registry.Add(std::move(tool));
    EXPECT_FALSE(added);
    return added ? "" : added.error().message;
  };
  refused([](Tool& t) { t.info.name = "ab"; });
  EXPECT_NE(refused([](Tool& t) { t.info.wire = "a__b"; }).find("a/b"), std::string::npos);
  refused([](Tool& t) { t.info.aliases = {"no good"}; });
  refused([](Tool& t) { t.handler = nullptr; });
  refused([](Tool& t) { t.input_schema = nullptr; });
  refused([](Tool& t) { t.input_schema = Parse(R"({"type":"array"})"); });
  refused([](Tool& t) {
    t.input_schema = Parse(R"({"type":"object","properties":{"a":{"type":"nonsense"}}})");
  });
  refused([](Tool& t) {
    t.output_schema = Parse(R"({"type":"object","$ref":"https://example.com/x"})");
  });
  refused([](Tool& t) {
    t.input_schema =
        Parse(R"({"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}})");
  });
  refused([](Tool& t) { t.info.page_argument = "offset"; });
  EXPECT_TRUE(registry.All().empty());
}

TEST_F(RegistryTest, PRD_FR_005_4_KeepsVersionTagsAndPermissions) {
  Tool tool = Plain("a/b");
  tool.info.version = "2.1";
  tool.info.tags = {"x", "y"};
  tool.info.permissions = {"shell", "write"};
  ASSERT_TRUE(registry.Add(std::move(tool)));
  const ToolInfo& kept = registry.Find("a/b")->tool.info;
  EXPECT_EQ(kept.version, "2.1");
  EXPECT_EQ(kept.tags, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(kept.permissions, (std::vector<std::string>{"shell", "write"}));
  Tool plain = Plain("a/c");
  plain.info.hints.read_only = true;
  ASSERT_TRUE(registry.Add(std::move(plain)));
  EXPECT_EQ(registry.Find("a/c")->tool.info.permissions, std::vector<std::string>{"read"});
}

TEST_F(RegistryTest, PRD_FR_005_3_PRD_AC_002_2_ToolShadowing_RefusesDuplicatesNamingTheHolder) {
  ASSERT_TRUE(registry.Add(Plain("file/read")));
  Tool other = Plain("file/read");
  other.info.description = "another";
  auto added = registry.Add(std::move(other));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, Code::kConflict);
  for (const char* taken : {"file_read", "FILE_Read"}) {
    Tool same_wire = Plain("fs/get");
    same_wire.info.wire = taken;
    added = registry.Add(std::move(same_wire));
    ASSERT_FALSE(added) << taken;
    EXPECT_NE(added.error().message.find("\"file/read\""), std::string::npos)
        << added.error().message;
  }
  Tool same_alias = Plain("fs/get");
  same_alias.info.aliases = {"file/read"};
  EXPECT_FALSE(registry.Add(std::move(same_alias)));
  EXPECT_EQ(registry.All().size(), 1u);
}

TEST_F(RegistryTest, PRD_NFR_014_AddingTheSameDefinitionAgainIsANoOp) {
  int changes = 0;
  registry.OnListChanged([&] { ++changes; });
  ASSERT_TRUE(registry.Add(Plain("file/read")));
  ASSERT_TRUE(registry.Add(Plain("file/read")));
  EXPECT_EQ(changes, 1);
}

TEST_F(RegistryTest, PRD_FR_005_5_EmitsEvents) {
  Strings heard;
  const auto stop = events.Subscribe([&](const Event& event) {
    heard.push_back(base::StrCat(NameOf(event.kind), " ", event.data.at("tool").as_string()));
  });
  ASSERT_TRUE(registry.Add(Plain("file/read")));
  (void)Call("file_read");
  ASSERT_TRUE(registry.Remove("file_read"));
  EXPECT_EQ(heard, (Strings{"toolRegistered file/read", "toolExecuted file/read",
                            "toolUnregistered file/read"}));
}

TEST_F(RegistryTest, RemoveFreesEveryNameAndTheHandler) {
  auto token = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = token;
  Tool tool = Plain("file/read");
  tool.info.aliases = {"ReadFile"};
  tool.handler = [token = std::move(token)](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Text("ok");
  };
  ASSERT_TRUE(registry.Add(std::move(tool)));
  (void)Call("file/read");
  EXPECT_FALSE(registry.Remove("readfile"));
  ASSERT_TRUE(registry.Remove("ReadFile"));
  EXPECT_TRUE(watch.expired());
  EXPECT_FALSE(registry.Find("file/read"));
  const auto again = registry.Remove("file/read");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kNotFound);
  Tool next = Plain("fs/read");
  next.info.wire = "ReadFile";
  EXPECT_TRUE(registry.Add(std::move(next)));
}

TEST_F(RegistryTest, PRD_FR_006_2_FiltersByCategory) {
  for (const char* name : {"web/fetch", "file/read", "file/list"})
    ASSERT_TRUE(registry.Add(Plain(name)));
  ASSERT_EQ(registry.All({}, "file").size(), 2u);
  EXPECT_EQ(registry.All({}, "file")[0]->tool.info.name, "file/list") << "sorted by canonical id";
  EXPECT_TRUE(registry.All({}, "fil").empty());
  EXPECT_EQ(registry.Toolsets(), (Strings{"file", "web"}));
}

TEST_F(RegistryTest, OptionsAndViewsHideTools) {
  Tool read = Plain("file/read");
  read.info.hints.read_only = true;
  Tool fetch = Plain("web/fetch");
  fetch.info.hints.read_only = true;
  ASSERT_TRUE(registry.Add(std::move(read)));
  ASSERT_TRUE(registry.Add(Plain("file/write")));
  ASSERT_TRUE(registry.Add(std::move(fetch)));

  EXPECT_EQ(Names(Page({}, kReadOnly)), (Strings{"file_read", "web_fetch"}));
  EXPECT_EQ(Names(Page({}, {.toolset = "file"})), (Strings{"file_read", "file_write"}));
  EXPECT_EQ(Names(Page({}, {.canonical = true, .toolset = "web"})), (Strings{"web/fetch"}));
  EXPECT_EQ(Page({}, {.toolset = "nope"}).at("count"), 0);
  EXPECT_FALSE(registry.Find("file/write", kReadOnly));
  EXPECT_TRUE(Call("file/write", {}, kReadOnly).protocol_error);

  int changes = 0;
  registry.OnListChanged([&] { ++changes; });
  Configure([](auto& o) {
    o.toolsets = {"web"};
    o.include_tools = {"file_write"};
  });
  EXPECT_EQ(Names(Page()), (Strings{"file_write", "web_fetch"}));
  Configure([](auto& o) { o.exclude_tools = {"web_fetch"}; });
  EXPECT_EQ(Names(Page()), (Strings{"file_read", "file_write"}));
  Configure([](auto& o) {
    o.canonical_names = true;
    o.read_only = true;
  });
  EXPECT_EQ(Names(Page()), (Strings{"file/read", "web/fetch"}));
  EXPECT_EQ(changes, 3);
}

TEST_F(RegistryTest, NamesThatSelectNothingAreFound) {
  ASSERT_TRUE(registry.Add(Plain("file/read")));
  ASSERT_TRUE(registry.Add(Plain("shell/execute")));
  const auto complaint = [&](auto change) {
    Configure(change);
    const auto checked = registry.CheckNames();
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(complaint([](auto&) {}), "");
  EXPECT_EQ(complaint([](auto& options) {
              options.toolsets = {"file"};
              options.include_tools = {"shell_execute"};
              options.exclude_tools = {"file/read"};
            }),
            "");
  EXPECT_EQ(complaint([](auto& options) {
              options.toolsets = {"file", "fle"};
            }),
            "No toolset is called \"fle\"; there are file, shell");
  EXPECT_EQ(complaint([](auto& options) { options.exclude_tools = {"shell/exceute"}; }),
            "No tool is called \"shell/exceute\"; did you mean shell/execute?");
  EXPECT_EQ(complaint([](auto& options) { options.include_tools = {"web/search"}; }),
            "No tool is called \"web/search\"");
  EXPECT_TRUE(registry.HasToolset("file")) << "also when it is not shown";
  EXPECT_FALSE(registry.HasToolset("fle"));
}

TEST_F(RegistryTest, HiddenToolsChangeNoList) {
  Configure([](auto& o) { o.toolsets = {"web"}; });
  int changes = 0;
  registry.OnListChanged([&] { ++changes; });
  ASSERT_TRUE(registry.Add(Plain("file/read")));
  ASSERT_TRUE(registry.Remove("file/read"));
  EXPECT_EQ(changes, 0);
}

TEST_F(RegistryTest, PRD_FR_006_3_PRD_AC_002_3_PagesAndCount) {
  Configure([](auto& o) { o.page_size = 2; });
  for (const char* name : {"a/a", "a/b", "a/c", "a/d", "a/e"})
    ASSERT_TRUE(registry.Add(Plain(name)));
  JsonObject page = Page();
  EXPECT_EQ(page.at("count"), 5);
  Strings names = Names(page);
  while (page.contains("nextCursor")) {
    page = Page(page.at("nextCursor").as_string());
    EXPECT_EQ(page.at("count"), 5);
    for (auto& name : Names(page)) names.push_back(std::move(name));
  }
  EXPECT_EQ(names, (Strings{"a_a", "a_b", "a_c", "a_d", "a_e"}));
}

TEST_F(RegistryTest, ACursorSurvivesChanges) {
  Configure([](auto& o) { o.page_size = 2; });
  for (const char* name : {"a/b", "a/c", "a/d", "a/e"}) ASSERT_TRUE(registry.Add(Plain(name)));
  const std::string cursor(Page().at("nextCursor").as_string());
  ASSERT_TRUE(registry.Add(Plain("a/a")));
  ASSERT_TRUE(registry.Remove("a/c"));
  EXPECT_EQ(Names(Page(cursor)), (Strings{"a_d", "a_e"}));
}

TEST_F(RegistryTest, BadCursorsAreRefused) {
  for (const std::string& cursor :
       {std::string("x"), std::string("dG9vbHM6"), std::string("dG9vbHM6YWI"),
        std::string(5000, 'A'), std::string("\xFF")}) {
    const auto page = registry.ListPage({}, kModernRevision, cursor);
    ASSERT_FALSE(page) << cursor;
    EXPECT_EQ(page.error().code, Code::kInvalidArgument);
    EXPECT_TRUE(page.error().message.starts_with("Unknown cursor"));
  }
}

TEST_F(RegistryTest, ListingShowsWhatEachRevisionKnows) {
  Tool tool = Plain("file/read");
  tool.info.title = "Read";
  tool.info.description = "Reads.";
  tool.info.hints = {
      .read_only = true, .destructive = false, .idempotent = {}, .open_world = false};
  tool.info.task = TaskSupport::kOptional;
  tool.info.icons = {JsonObject{{"src", "data:,"}}};
  tool.info.meta = {{"x/y", 1}};
  tool.output_schema = Parse(R"({"type":"array"})");
  ASSERT_TRUE(registry.Add(std::move(tool)));
  const auto entry = [&](Revision revision) { return Page({}, {}, revision).at("tools").at(0); };
  EXPECT_EQ(
      entry(Revision::k2024_11_05),
      Parse(
          R"({"name":"file_read","description":"Reads.","inputSchema":{"type":"object","additionalProperties":false}})"));
  EXPECT_EQ(
      entry(Revision::k2025_03_26).at("annotations"),
      Parse(
          R"({"title":"Read","readOnlyHint":true,"destructiveHint":false,"openWorldHint":false})"));
  const JsonObject june = entry(Revision::k2025_06_18).as_object();
  EXPECT_EQ(june.at("title"), "Read");
  EXPECT_EQ(june.at("_meta"), Parse(R"({"toolpost/id":"file/read","x/y":1})"));
  EXPECT_FALSE(june.at("annotations").as_object().contains("title"));
  EXPECT_FALSE(june.contains("outputSchema")) << "legacy clients refuse array schemas";
  EXPECT_FALSE(june.contains("icons"));
  const JsonObject november = entry(Revision::k2025_11_25).as_object();
  EXPECT_EQ(november.at("execution"), Parse(R"({"taskSupport":"optional"})"));
  EXPECT_TRUE(november.contains("icons"));
  const JsonObject modern = entry(kModernRevision).as_object();
  EXPECT_FALSE(modern.contains("execution"));
  EXPECT_EQ(modern.at("outputSchema"), Parse(R"({"type":"array"})"));
}

TEST_F(RegistryTest, PRD_NFR_007_ThousandsOfTools) {
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(registry.Add(Plain(base::StrCat("many/tool", i))));
  EXPECT_EQ(registry.All().size(), 2000u);
  EXPECT_EQ(TextOf(Call("many_tool1999")), "ok");
  EXPECT_EQ(Page().at("count"), 2000);
}

TEST_F(RegistryTest, PRD_FR_007_2_PRD_NFR_009_MetricsPerTool) {
  base::SetNowForTest(base::WallTime(std::chrono::seconds(1'000'000)));
  ASSERT_TRUE(registry.Add(Plain("a/b")));
  (void)Call("a_b");
  (void)Call("a/b", {{"unknown", 1}});
  Metrics metrics = registry.GetMetrics();
  EXPECT_EQ(metrics.tools.at("a/b").total_invocations, 2u);
  EXPECT_EQ(metrics.tools.at("a/b").failed_invocations, 1u);
  registry.ResetMetrics();
  metrics = registry.GetMetrics();
  EXPECT_EQ(metrics.tools.at("a/b").total_invocations, 0u);
  EXPECT_EQ(metrics.since, base::Now());
  base::SetNowForTest({});
}

TEST_F(RegistryTest, ChangesWhileCallsRun) {
  ASSERT_TRUE(registry.Add(Plain("a/fixed")));
  std::atomic<bool> stop{false};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        auto mine = std::make_shared<TestContext>();
        registry.Call({"a/fixed", nullptr, {}, mine},
                      [](const CallOutcome& outcome) { EXPECT_FALSE(outcome.error); });
        EXPECT_TRUE(registry.ListPage({}, kModernRevision, {}));
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(registry.Add(Plain("b/moving")));
    ASSERT_TRUE(registry.Find("b_moving"));
    ASSERT_TRUE(registry.Remove("b/moving"));
    ASSERT_FALSE(registry.Find("b_moving"));
  }
  stop = true;
}

}  // namespace
}  // namespace toolpost::mcp
