// Resources and prompts that are a tool by another name.
#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error_table.h"
#include "mcp/catalog.h"
#include "mcp/registry_fixture.h"

namespace toolpost::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CatalogToolsTest : public RegistryFixture {
 protected:
  CatalogToolsTest() {
    for (const char* name : {"note/read", "system/info"}) {
      Tool tool = Plain(name);
      tool.info.hints.read_only = true;
      EXPECT_TRUE(registry.Add(std::move(tool)));
    }
    const auto reader = [](std::string_view, const UriVariables&,
                           CallContext&) -> Result<ResourceContents> {
      return ResourceContents{"", "text", false};
    };
    ResourceInfo all;
    all.uri = "note://all";
    all.name = "all";
    all.tool = "note/read";
    EXPECT_TRUE(catalog_.AddResource(all, reader));
    all.uri = "note://{id}";
    EXPECT_TRUE(catalog_.AddTemplate(all, reader, {}));
    PromptInfo prompt;
    prompt.name = "notes";
    prompt.tool = "note/read";
    EXPECT_TRUE(catalog_.AddPrompt(
        prompt,
        [](const auto&, CallContext&) -> Result<JsonArray> {
          return JsonArray{JsonObject{{"role", "user"},
                                      {"content", JsonObject{{"type", "text"}, {"text", "hi"}}}}};
        },
        {}));
  }

  std::string Lists(const ToolView& view) const {
    return *catalog_.ListResources(kModernRevision, "", view) +
           *catalog_.ListTemplates(kModernRevision, "", view) +
           *catalog_.ListPrompts(kModernRevision, "", view);
  }
  // What each way in says: OK, or the code.
  std::vector<std::string> Answers(const ToolView& view = {}) {
    const auto said = [](const auto& result) {
      return std::string(result ? "OK" : base::FormsOf(result.error().code).name);
    };
    caller_.who.credential = view.credential;
    const JsonObject of_template = {
        {"ref", JsonObject{{"type", "ref/resource"}, {"uri", "note://{id}"}}},
        {"argument", JsonObject{{"name", "id"}, {"value", ""}}}};
    return {said(catalog_.ReadResource("note://all", caller_, view)),
            said(catalog_.ReadResource("note://7", caller_, view)),
            said(catalog_.GetPrompt("notes", {}, kModernRevision, caller_, view)),
            said(catalog_.Watch("note://all", caller_.who, view)),
            said(catalog_.Watch("note://7", caller_.who, view)),
            said(catalog_.Complete(of_template, caller_.who, view))};
  }
  static ToolView With(const std::function<void(Grants&)>& change) {
    auto credential = std::make_shared<Credential>();
    credential->grants.scopes = {"read"};
    change(credential->grants);
    ToolView view;
    view.credential = std::move(credential);
    return view;
  }

  using Said = std::vector<std::string>;
  const Said all_ok_ = Said(6, "OK");
  const Said nothing_there_ = {"RESOURCE_NOT_FOUND", "RESOURCE_NOT_FOUND", "INVALID_ARGUMENT",
                               "NOT_FOUND",          "NOT_FOUND",          "INVALID_ARGUMENT"};
  const std::string nothing_listed_ = R"("resources":[]"resourceTemplates":[]"prompts":[])";
  Catalog catalog_{2, results, registry};
  TestContext caller_;
};

TEST_F(CatalogToolsTest, WhoMayCallTheToolHasThem) {
  EXPECT_THAT(Lists({}), HasSubstr("note://all"));
  EXPECT_EQ(Answers(), all_ok_);
  EXPECT_EQ(Answers({.read_only = true}), all_ok_);
  EXPECT_EQ(Answers({.toolset = "note"}), all_ok_);
  EXPECT_EQ(Answers(With([](Grants& grants) { grants.toolsets = {"note"}; })), all_ok_);
}

TEST_F(CatalogToolsTest, ADoorWithoutTheToolDoesNotHaveThem) {
  const ToolView system{.toolset = "system"};
  EXPECT_EQ(Lists(system), nothing_listed_);
  EXPECT_EQ(Answers(system), nothing_there_);
  const auto unknown = catalog_.GetPrompt("note", {}, kModernRevision, caller_, system);
  EXPECT_THAT(unknown.error().message, Not(HasSubstr("did you mean"))) << "names what is hidden";
}

TEST_F(CatalogToolsTest, ACredentialWithoutTheToolIsRefused) {
  const ToolView view = With([](Grants& grants) { grants.tools = {"system/info"}; });
  EXPECT_EQ(Lists(view), nothing_listed_);
  const Said refused(5, "PERMISSION_DENIED");
  Said answers = Answers(view);
  EXPECT_EQ(answers.back(), "INVALID_ARGUMENT");
  answers.pop_back();
  EXPECT_EQ(answers, refused);
}

TEST_F(CatalogToolsTest, SubscribingNeedsTheScopeOfReading) {
  const ToolView view = With([](Grants& grants) { grants.scopes = {"write"}; });
  EXPECT_EQ(catalog_.Watch("note://all", {.credential = view.credential}, view).error().code,
            Code::kPermissionDenied);
}

TEST_F(CatalogToolsTest, AConfigurationWithoutTheToolTakesThemAwayAndSaysSo) {
  int resources = 0;
  int prompts = 0;
  catalog_.OnResourcesChanged([&] { ++resources; });
  catalog_.OnPromptsChanged([&] { ++prompts; });
  registry.OnListChanged([&] { catalog_.ToolsChanged(); });
  Configure([](Registry::Options& options) { options.toolsets = {"system"}; });
  EXPECT_EQ(Lists({}), nothing_listed_);
  EXPECT_EQ(Answers(), nothing_there_);
  EXPECT_EQ(resources, 1);
  EXPECT_EQ(prompts, 1);
  Configure([](Registry::Options&) {});
  EXPECT_EQ(Answers(), all_ok_);
  EXPECT_EQ(resources, 2);
}

TEST_F(CatalogToolsTest, AToolThatIsRemovedTakesThemAlong) {
  ASSERT_TRUE(registry.Remove("note/read"));
  EXPECT_EQ(Lists({}), nothing_listed_);
  EXPECT_EQ(Answers(), nothing_there_);
}

TEST_F(CatalogToolsTest, PagesAreFullOfWhatIsShown) {
  const auto reader = [](std::string_view, const UriVariables&,
                         CallContext&) -> Result<ResourceContents> { return ResourceContents{}; };
  for (const char* uri : {"open://1", "open://2", "open://3"}) {
    ResourceInfo info;
    info.uri = uri;
    info.name = "n";
    ASSERT_TRUE(catalog_.AddResource(info, reader));
  }
  const ToolView system{.toolset = "system"};
  const Json first = Parse("{" + *catalog_.ListResources(kModernRevision, "", system) + "}");
  ASSERT_EQ(first.at("resources").as_array().size(), 2u);
  EXPECT_EQ(first.at("resources").at(0).at("uri"), "open://1");
  const Json second = Parse(
      "{" + *catalog_.ListResources(kModernRevision, first.at("nextCursor").as_string(), system) +
      "}");
  ASSERT_EQ(second.at("resources").as_array().size(), 1u);
  EXPECT_FALSE(second.as_object().contains("nextCursor"));
}

}  // namespace
}  // namespace toolpost::mcp
