// Which paths the tools accept: the tables of tests/vectors/paths.json against every tool, and who
// may use which folder.
#include "tools/file/place.h"

#include <unistd.h>

#include <map>
#include <set>

#include "base/source_directory_fixture.h"
#include "tools/file/file_fixture.h"
#include "tools/file/file_uri.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PlaceTest : public FileFixture {
 protected:
  PlaceTest() {
    Put(Root("inside/file"), "inside");
    Put(Root("inside/deep/other"), "inside");
    Put(Root("caf\xE9"), "inside");
    Link("../outside/secret", "link_secret");
    Link("../outside", "link_outside");
    Link(Outside("").string(), "link_absolute");
    Link("../..", "inside/link_up");
    Link("link_outside", "link_chain");
    Link("../outside/nothing", "link_dangling");
    Link("link_loop", "link_loop");
    Link("inside", "link_inside");
    Link("/proc/self", "link_proc");
    options_.state_directory = Root("own_state").string();
    options_.roots.hidden = {options_.state_directory};
    Put(Root("own_state/key"), "KEY");
    vectors_ = Parse(base::VectorFile("paths.json"));
  }

  void Link(const std::string& target, const std::string& name) {
    ASSERT_EQ(symlink(target.c_str(), Root(name).c_str()), 0) << name;
  }

  std::string Filled(std::string text) const {
    const std::map<std::string, std::string> places = {
        {"${root}", Root("").string()},
        {"${outside}", (directory_ / "outside").string()},
        {"${twin}", (directory_ / "root_twin").string()},
        {"${state}", options_.state_directory}};
    for (const auto& [name, place] : places) {
      const std::size_t at = text.find(name);
      if (at != std::string::npos) text.replace(at, name.size(), place);
    }
    return text;
  }

  // Every tool with `path` where a path goes.
  static std::vector<std::pair<std::string, JsonObject>> Calls(const std::string& path) {
    const JsonArray edits{JsonObject{{"oldText", "S"}, {"newText", "x"}}};
    return {{"file/read", {{"path", path}}},
            {"file/list", {{"path", path}}},
            {"file/info", {{"path", path}}},
            {"file/search", {{"path", path}, {"pattern", "S"}}},
            {"file/write", {{"path", path}, {"content", "x"}}},
            {"file/write", {{"path", path}, {"content", "x"}, {"append", true}}},
            {"file/edit", {{"path", path}, {"edits", edits}}},
            {"file/move", {{"source", path}, {"destination", "moved"}}},
            {"file/move", {{"source", "inside/file"}, {"destination", path}}},
            {"file/delete", {{"path", path}, {"recursive", true}}}};
  }

  void ExpectUntouched() {
    EXPECT_EQ(Get(Outside("secret")), "SECRET");
    EXPECT_EQ(Get(directory_ / "root_twin" / "secret"), "SECRET");
    EXPECT_EQ(Get(Root("own_state/key")), "KEY");
    std::size_t outside = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::recursive_directory_iterator(directory_ / "outside"))
      ++outside;
    EXPECT_EQ(outside, 1u);
    EXPECT_FALSE(std::filesystem::exists(Root("moved")));
    EXPECT_EQ(Get(Root("inside/file")), "inside");
  }

  // A link, and a name that is free, may be used as what they are.
  static bool ActsOnTheNameItself(const std::string& id, const std::string& tool,
                                  const JsonObject& arguments) {
    static const std::set<std::string> kLinks = {"F-10", "F-16", "F-17"};
    static const std::set<std::string> kFreeNames = {"F-23", "F-24", "F-24b", "F-25", "F-25b",
                                                     "F-26", "F-27", "F-28",  "F-29"};
    const bool creates =
        tool == "file/write" || (tool == "file/move" && arguments.at("source") == "inside/file");
    if (kLinks.contains(id))
      return tool == "file/delete" || tool == "file/info" ||
             (tool == "file/move" && arguments.at("source") != "inside/file");
    return kFreeNames.contains(id) && creates;
  }

  Json vectors_;
};

TEST_F(PlaceTest, PRD_NFR_022_NoToolLeavesTheRoots) {
  for (const Json& row : vectors_.at("paths").as_array()) {
    if (row.at("allow").as_bool()) continue;
    const std::string id = Text(row.at("id"));
    const std::string path = Filled(Text(row.at("path")));
    for (const auto& [tool, arguments] : Calls(path)) {
      if (ActsOnTheNameItself(id, tool, arguments)) continue;
      const auto outcome = Run(tool, arguments);
      EXPECT_TRUE(outcome.error) << id << " " << tool << " " << path;
      const std::string message = TextOf(outcome);
      EXPECT_THAT(message, Not(HasSubstr("SECRET"))) << id;
      if (path.find(directory_.string()) != std::string::npos) continue;
      EXPECT_THAT(message, Not(HasSubstr(directory_.string()))) << id << " " << tool;
    }
    ExpectUntouched();
    if (HasFailure()) return;
  }
}

TEST_F(PlaceTest, PRD_NFR_022_WhatIsInsideStaysUsable) {
  for (const Json& row : vectors_.at("paths").as_array()) {
    if (!row.at("allow").as_bool()) continue;
    const std::string path = Filled(Text(row.at("path")));
    EXPECT_EQ(Good("file/read", {{"path", path}}).at("content"), "inside") << Text(row.at("id"));
  }
}

TEST_F(PlaceTest, KernelsWithoutOpenat2AreAsSafe) {
  options_.roots.walk = true;
  for (const Json& row : vectors_.at("paths").as_array()) {
    const std::string path = Filled(Text(row.at("path")));
    const auto outcome = Run("file/read", {{"path", path}});
    EXPECT_NE(outcome.error.has_value(), row.at("allow").as_bool()) << Text(row.at("id"));
  }
  ExpectUntouched();
}

TEST_F(PlaceTest, ProtectedNamesAreNeverWritten) {
  for (const Json& row : vectors_.at("protected").as_array()) {
    const std::string path = Text(row.at("path"));
    const auto outcome = Run("file/write", {{"path", path}, {"content", "x"}});
    EXPECT_NE(outcome.error.has_value(), row.at("writable").as_bool())
        << path << ": " << TextOf(outcome);
    if (row.at("writable").as_bool()) continue;
    EXPECT_THAT(TextOf(outcome), HasSubstr("protected")) << path;
    // Nothing was made on the way either.
    EXPECT_FALSE(std::filesystem::exists(Root(path))) << path;
  }
}

TEST_F(PlaceTest, ProtectedNamesCanBeRead) {
  Put(Root(".git/config"), "[core]");
  EXPECT_EQ(Good("file/read", {{"path", ".git/config"}}).at("content"), "[core]");
  EXPECT_THAT(Bad("file/delete", {{"path", ".git/config"}}), HasSubstr("protected"));
  EXPECT_THAT(Bad("file/delete", {{"path", ".git"}, {"recursive", true}}), HasSubstr("protected"));
}

TEST_F(PlaceTest, HiddenFoldersAreNotListedOrSearched) {
  const Json listed = Good("file/list", {{"path", "."}, {"recursive", true}});
  for (const Json& entry : listed.at("entries").as_array())
    EXPECT_THAT(Text(entry.at("name")), Not(HasSubstr("own_state")));
  EXPECT_EQ(Good("file/search", {{"pattern", "KEY"}}).at("filesMatched"), 0);
  EXPECT_THAT(Bad("file/move", {{"source", "own_state"}, {"destination", "x"}}),
              HasSubstr("outside"));
}

TEST_F(PlaceTest, ReadOnlyRootsAreReadOnlyByEveryName) {
  Put(directory_ / "library" / "book", "text");
  Put(Root("vendor/lib"), "text");
  ASSERT_EQ(symlink("library", (directory_ / "alias").c_str()), 0);
  options_.roots.read_only_roots = {(directory_ / "alias").string(), Root("vendor").string()};
  for (const std::string& path :
       {(directory_ / "library/book").string(), (directory_ / "alias/book").string(),
        std::string("vendor/lib"), Root("vendor/lib").string(), std::string("vendor/new")}) {
    EXPECT_THAT(Bad("file/write", {{"path", path}, {"content", "x"}}), HasSubstr("only read"));
    EXPECT_THAT(Bad("file/delete", {{"path", path}}), HasSubstr("only read"));
    EXPECT_THAT(Bad("file/move", {{"source", "inside/file"}, {"destination", path}}),
                HasSubstr("only read"));
  }
}

TEST_F(PlaceTest, CredentialsNarrowTheRoots) {
  Put(Root("mine/f"), "mine");
  Put(Root("mine_too/f"), "other");
  auto credential = std::make_shared<Credential>();
  credential->grants.scopes = {"read", "write"};
  credential->grants.roots = {"mine"};
  who_.credential = credential;
  EXPECT_EQ(Good("file/read", {{"path", "f"}}).at("content"), "mine");
  EXPECT_EQ(Good("file/read", {{"path", Root("mine/f").string()}}).at("content"), "mine");
  for (const std::string& path : {std::string("../inside/file"), Root("inside/file").string(),
                                  Root("mine_too/f").string(), Root("").string()}) {
    for (const auto& [tool, arguments] : Calls(path)) {
      const auto outcome = Run(tool, arguments);
      EXPECT_TRUE(outcome.error) << tool << " " << path;
    }
  }
  EXPECT_EQ(Get(Root("inside/file")), "inside");
}

TEST_F(PlaceTest, CredentialsNeverWiden) {
  auto credential = std::make_shared<Credential>();
  credential->grants.scopes = {"read"};
  who_.credential = credential;
  // All of it, given from above.
  credential->grants.roots = {"/"};
  EXPECT_EQ(Good("file/read", {{"path", "inside/file"}}).at("content"), "inside");
  EXPECT_THAT(Bad("file/read", {{"path", Outside("secret").string()}}), HasSubstr("outside"));
  for (const std::vector<std::string>& none : {std::vector<std::string>{},
                                               {Outside("").string()},
                                               {"link_outside"},
                                               {"../outside"},
                                               {"missing"},
                                               {"own_state"}}) {
    credential->grants.roots = none;
    EXPECT_THAT(Bad("file/read", {{"path", "secret"}}), HasSubstr("allowedRoots"));
  }
}

// A client that answers roots/list.
class RootsContext : public mcp::TestContext {
 public:
  std::vector<std::string> uris;
  int asked = 0;
  bool ClientHas(std::string_view capability) const override { return capability == "roots"; }
  Result<InputResponses> Ask(std::vector<InputRequest> requests) override {
    ++asked;
    EXPECT_EQ(requests.at(0).method, "roots/list");
    JsonArray roots;
    for (const std::string& uri : uris) roots.push_back(JsonObject{{"uri", uri}});
    return InputResponses{{"roots", JsonObject{{"roots", roots}}}};
  }
};

TEST_F(PlaceTest, ClientRootsNarrowWhenConfigured) {
  Put(Root("pro ject/f"), "x");
  options_.client_roots = true;
  Start();
  const auto read = [&](std::vector<std::string> uris, const std::string& path) {
    const auto client = std::make_shared<RootsContext>();
    client->uris = std::move(uris);
    context = client;
    const auto outcome = CallWithContext("file/read", {{"path", path}});
    EXPECT_EQ(client->asked, 1);
    return outcome.error ? TextOf(outcome) : Text(outcome.output.structured.at("content"));
  };
  const std::string project = UriOfPath(Root("pro ject").string());
  EXPECT_THAT(project, HasSubstr("pro%20ject"));
  EXPECT_EQ(read({project}, "f"), "x");
  EXPECT_THAT(read({project}, Root("inside/file").string()), HasSubstr("outside"));
  EXPECT_EQ(read({"file:///"}, "inside/file"), "inside");
  EXPECT_THAT(read({UriOfPath(Outside("").string())}, "secret"), HasSubstr("roots/list"));
  EXPECT_THAT(read({"https://x/", "file://host/x", "file:///%zz", ""}, "f"),
              HasSubstr("roots/list"));
  EXPECT_THAT(read({}, "inside/file"), HasSubstr("roots/list"));
}

TEST_F(PlaceTest, ClientsAreNotAskedByDefault) {
  Start();
  const auto client = std::make_shared<RootsContext>();
  context = client;
  EXPECT_FALSE(CallWithContext("file/read", {{"path", "inside/file"}}).error);
  EXPECT_EQ(client->asked, 0);
}

TEST_F(PlaceTest, TheWorkingDirectoryIsTheRootUnlessItIsTooMuch) {
  options_.roots.roots.clear();
  options_.roots.working_directory = Root("inside").string();
  EXPECT_EQ(Good("file/read", {{"path", "file"}}).at("content"), "inside");
}

TEST_F(PlaceTest, ImplicitRootsThatAreTooMuchAreRefusedByTheTools) {
  options_.roots.roots.clear();
  options_.roots.home = Root("inside").string();
  const std::vector<std::string> too_much = {"/", Root("inside").string(), Root("").string(),
                                             Root("own_state").string()};
  for (const std::string& directory : too_much) {
    options_.roots.working_directory = directory;
    const auto services = MakeServices(options_);
    ASSERT_TRUE(services) << directory;
    for (const Tool& tool : Tools(*services)) {
      mcp::TestContext caller;
      const JsonObject arguments =
          tool.info.name == "file/move"
              ? JsonObject{{"source", "a"}, {"destination", "b"}}
              : JsonObject{
                    {"path", "a"}, {"content", ""}, {"pattern", "x"}, {"edits", JsonArray()}};
      const auto result = tool.handler(arguments, caller);
      ASSERT_FALSE(result) << tool.info.name << " " << directory;
      EXPECT_THAT(result.error().message, HasSubstr("files.roots")) << tool.info.name;
    }
  }
}

TEST_F(PlaceTest, ConfiguredRootsMustExist) {
  for (const std::string& missing : {Root("none").string(), Root("inside/file").string()}) {
    options_.roots.roots = {missing};
    const auto services = MakeServices(options_);
    ASSERT_FALSE(services);
    EXPECT_THAT(services.error().message, HasSubstr("files.roots"));
  }
}

TEST_F(PlaceTest, FollowedLinksStayInside) {
  options_.roots.follow_links = true;
  Put(Root("repo/.git/config"), "[core]");
  Link("repo/.git", "link_git");
  Link("own_state", "link_state");
  Link("inside/file", "link_file");
  EXPECT_EQ(Good("file/read", {{"path", "link_inside/file"}}).at("content"), "inside");
  EXPECT_EQ(Good("file/read", {{"path", "link_file"}}).at("content"), "inside");
  Good("file/write", {{"path", "link_inside/new"}, {"content", "x"}});
  EXPECT_EQ(Get(Root("inside/new")), "x");
  for (const char* path :
       {"link_outside/secret", "link_secret", "link_absolute/secret", "link_chain/secret",
        "inside/link_up/outside/secret", "link_loop", "link_state/key", "link_proc/environ"}) {
    EXPECT_TRUE(Run("file/read", {{"path", path}}).error) << path;
    EXPECT_TRUE(Run("file/write", {{"path", path}, {"content", "x"}}).error) << path;
  }
  EXPECT_THAT(Bad("file/write", {{"path", "link_git/config"}, {"content", "x"}}),
              HasSubstr("protected"));
  EXPECT_EQ(Get(Root("repo/.git/config")), "[core]");
}

TEST(FileUri, RoundTripsAndRefuses) {
  for (const std::string& path : {std::string("/a b/c%d#e?f"), std::string("/caf\xE9\xFF/\n"),
                                  std::string("/"), std::string("/plain-._~/x")}) {
    EXPECT_EQ(PathOfUri(UriOfPath(path)), path);
  }
  EXPECT_EQ(PathOfUri("file://localhost/x"), "/x");
  for (const char* bad :
       {"", "/x", "file:x", "file:/x", "file://host/x", "http:///x", "file:///%", "file:///%0",
        "file:///%0g", "file:///%00", "file:///a?b", "file:///a#b"}) {
    EXPECT_FALSE(PathOfUri(bad)) << bad;
  }
}

}  // namespace
}  // namespace toolpost::tools::file
