#include <dirent.h>
#include <unistd.h>

#include <set>

#include "base/crypto.h"
#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ListTest : public FileFixture {
 protected:
  ListTest() {
    Put(Root("b.txt"), "12345");
    Put(Root("a.cc"), "");
    Put(Root(".hidden/inside"), "");
    Put(Root("src/main.cc"), "");
    Put(Root("src/deep/x.h"), "");
  }
  std::vector<std::string> Names(JsonObject arguments) {
    if (!arguments.contains("path")) arguments["path"] = ".";
    return NamesOf(Good("file/list", std::move(arguments)));
  }
  static std::vector<std::string> NamesOf(const Json& result) {
    std::vector<std::string> names;
    for (const Json& entry : result.at("entries").as_array())
      names.push_back(Text(entry.at("name")));
    return names;
  }
};

TEST_F(ListTest, PRD_FR_010_1_PRD_FR_010_4_PRD_US_003_ListsWithMetadataAndType) {
  ASSERT_EQ(symlink("b.txt", Root("link").c_str()), 0);
  ASSERT_EQ(mkfifo(Root("pipe").c_str(), 0600), 0);
  const Json result = Good("file/list", {{"path", "."}});
  EXPECT_THAT(NamesOf(result), ElementsAre("a.cc", "b.txt", "link", "pipe", "src"));
  const JsonArray& entries = result.at("entries").as_array();
  EXPECT_EQ(entries[1].at("type"), "file");
  EXPECT_EQ(entries[1].at("size"), 5);
  EXPECT_EQ(Text(entries[1].at("modified")).substr(0, 2), "20");
  EXPECT_EQ(entries[2].at("type"), "symlink");
  EXPECT_EQ(entries[3].at("type"), "other");
  EXPECT_EQ(entries[4].at("type"), "directory");
  EXPECT_FALSE(entries[4].as_object().contains("size"));
  EXPECT_EQ(result.at("total"), 5);
}

TEST_F(ListTest, PRD_FR_010_2_PRD_AC_004_3_ListsRecursively) {
  EXPECT_THAT(Names({{"recursive", true}}),
              ElementsAre("a.cc", "b.txt", "src", "src/deep", "src/deep/x.h", "src/main.cc"));
  EXPECT_THAT(Names({{"recursive", true}, {"depth", 2}}),
              ElementsAre("a.cc", "b.txt", "src", "src/deep", "src/main.cc"));
  EXPECT_THAT(Names({{"path", "src"}, {"recursive", true}}),
              ElementsAre("deep", "deep/x.h", "main.cc"));
}

TEST_F(ListTest, PRD_FR_010_3_HiddenFilesAreLeftOutUnlessAskedFor) {
  EXPECT_THAT(Names({{"includeHidden", true}, {"recursive", true}}),
              ElementsAre(".hidden", ".hidden/inside", "a.cc", "b.txt", "src", "src/deep",
                          "src/deep/x.h", "src/main.cc"));
}

TEST_F(ListTest, GlobAndTypeFilter) {
  EXPECT_THAT(Names({{"recursive", true}, {"glob", "*.cc"}}), ElementsAre("a.cc", "src/main.cc"));
  EXPECT_THAT(Names({{"recursive", true}, {"glob", "src/**"}, {"type", "file"}}),
              ElementsAre("src/deep/x.h", "src/main.cc"));
  EXPECT_THAT(Names({{"recursive", true}, {"type", "directory"}}), ElementsAre("src", "src/deep"));
  EXPECT_THAT(Bad("file/list", {{"path", "."}, {"glob", "[a"}}), HasSubstr("]"));
  EXPECT_TRUE(Run("file/list", {{"path", "."}, {"type", "device"}}).error);
}

TEST_F(ListTest, PagesMakeUpTheWholeWhileEntriesComeAndGo) {
  std::set<std::string> expected;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "d" + std::to_string(i % 7) + "/f" + std::to_string(i);
    Put(Root("many/" + name), "");
    expected.insert(name);
  }
  std::multiset<std::string> seen;
  JsonObject arguments{{"path", "many"}, {"recursive", true}, {"type", "file"}, {"limit", 17}};
  for (int page = 0;; ++page) {
    ASSERT_LT(page, 40);
    const Json result = Good("file/list", arguments);
    for (std::string& name : NamesOf(result)) seen.insert(std::move(name));
    EXPECT_EQ(result.as_object().contains("total"), page == 0);
    if (page == 0) {
      EXPECT_EQ(result.at("total"), 300);
      // The last one shown goes away; the next page starts after where it was.
      std::filesystem::remove(Root("many/" + *seen.rbegin()));
    }
    if (!result.as_object().contains("nextCursor")) break;
    arguments["cursor"] = result.at("nextCursor");
  }
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()), expected);
  EXPECT_EQ(seen.size(), expected.size());
}

TEST_F(ListTest, PagesGoOnInsideAFolderAndAfterIt) {
  // "src" is shown last on the first page, "src/deep" last on the second.
  JsonObject arguments{{"path", "."}, {"recursive", true}, {"limit", 1}};
  std::vector<std::string> seen;
  for (int page = 0; page < 20; ++page) {
    const Json result = Good("file/list", arguments);
    for (std::string& name : NamesOf(result)) seen.push_back(std::move(name));
    if (!result.as_object().contains("nextCursor")) break;
    arguments["cursor"] = result.at("nextCursor");
  }
  EXPECT_THAT(seen, ElementsAre("a.cc", "b.txt", "src", "src/deep", "src/deep/x.h", "src/main.cc"));
}

TEST_F(ListTest, ForeignCursorsAreRefused) {
  for (const std::string& cursor : {std::string("x"), std::string(""), base::ToBase64Url("../x"),
                                    base::ToBase64Url("/etc"), base::ToBase64Url("a//b")}) {
    EXPECT_THAT(Bad("file/list", {{"path", "."}, {"cursor", cursor}}), HasSubstr("cursor"))
        << cursor;
  }
}

TEST_F(ListTest, NamesThatAreNotUtf8GoOutAndComeBack) {
  const std::vector<std::string> names = {"caf\xE9.txt", "\xFF\xFE", "plain\\xe9",    "back\\slash",
                                          "new\nline",   "\xC3",     "ok\xE2\x82\xAC"};
  for (const std::string& name : names)
    Put(Root("odd/" + name), "content of " + name.substr(0, 0) + "x");
  const Json result = Good("file/list", {{"path", "odd"}});
  ASSERT_EQ(result.at("entries").as_array().size(), names.size());
  std::set<std::string> exact;
  for (const Json& entry : result.at("entries").as_array()) {
    const std::string name = Text(entry.at("name"));
    EXPECT_EQ(Good("file/read", {{"path", "odd/" + name}}).at("content"), "content of x") << name;
    if (entry.as_object().contains("nameBase64"))
      exact.insert(*base::FromBase64(Text(entry.at("nameBase64"))));
    Good("file/delete", {{"path", "odd/" + name}});
  }
  EXPECT_EQ(exact, (std::set<std::string>{"caf\xE9.txt", "\xFF\xFE", "\xC3"}));
  EXPECT_TRUE(std::filesystem::is_empty(Root("odd")));
}

TEST_F(ListTest, FilesAndMissingFoldersAreNamed) {
  EXPECT_THAT(Bad("file/list", {{"path", "b.txt"}}), HasSubstr("b.txt is no folder"));
  EXPECT_THAT(Bad("file/list", {{"path", "none"}}), HasSubstr("none does not exist"));
}

TEST_F(ListTest, LinkedFoldersAreShownNotEntered) {
  ASSERT_EQ(symlink("../outside", Root("out").c_str()), 0);
  ASSERT_EQ(symlink("..", Root("src/loop").c_str()), 0);
  const auto names = Names({{"recursive", true}});
  EXPECT_THAT(names, ::testing::Contains("out"));
  EXPECT_THAT(names, ::testing::Contains("src/loop"));
  EXPECT_THAT(names, ::testing::Not(::testing::Contains(HasSubstr("secret"))));
  EXPECT_EQ(names.size(), 8u);
}

TEST_F(ListTest, VeryDeepTreesAreCutAndSaySo) {
  std::filesystem::path deep = Root("deep");
  for (int i = 0; i < 140; ++i) deep /= "d";
  std::filesystem::create_directories(deep);
  const Json result = Good("file/list", {{"path", "deep"}, {"recursive", true}, {"limit", 1000}});
  EXPECT_EQ(result.at("truncated"), true);
  EXPECT_EQ(result.at("entries").as_array().size(), 128u);
  EXPECT_FALSE(result.as_object().contains("total"));
}

}  // namespace
}  // namespace toolpost::tools::file
