#include <unistd.h>

#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;

class SearchTest : public FileFixture {
 protected:
  std::vector<std::string> Found(JsonObject arguments) {
    std::vector<std::string> found;
    const Json result = Good("file/search", std::move(arguments));
    for (const Json& match : result.at("matches").as_array()) {
      found.push_back(Text(match.at("path")) + ":" + std::to_string(match.at("line").as_int64()) +
                      ":" + Text(match.at("text")));
    }
    return found;
  }
};

using ::testing::ElementsAre;

TEST_F(SearchTest, FindsTextWithPathLineAndText) {
  Put(Root("a.txt"), "one\ntwo needle\n");
  Put(Root("d/b.txt"), "needle\r\nx\nneedle at the end");
  Put(Root(".hidden/c"), "needle");
  EXPECT_THAT(Found({{"pattern", "needle"}}),
              ElementsAre("a.txt:2:two needle", "d/b.txt:1:needle", "d/b.txt:3:needle at the end"));
  EXPECT_THAT(Found({{"pattern", "needle"}, {"path", "d"}}),
              ElementsAre("d/b.txt:1:needle", "d/b.txt:3:needle at the end"));
  EXPECT_THAT(Found({{"pattern", "needle"}, {"path", "a.txt"}}), ElementsAre("a.txt:2:two needle"));
  EXPECT_EQ(Found({{"pattern", "needle"}, {"includeHidden", true}}).size(), 4u);
  EXPECT_THAT(Found({{"pattern", "needle"}, {"glob", "a*"}}), ElementsAre("a.txt:2:two needle"));
  EXPECT_TRUE(Found({{"pattern", "absent"}}).empty());
}

TEST_F(SearchTest, RegularExpressionsAndCase) {
  Put(Root("f"), "Foo(1)\nfoo(22)\nbar\n");
  EXPECT_THAT(Found({{"pattern", "o\\(\\d\\d\\)"}, {"regex", true}}), ElementsAre("f:2:foo(22)"));
  EXPECT_THAT(Found({{"pattern", "FOO("}, {"ignoreCase", true}}),
              ElementsAre("f:1:Foo(1)", "f:2:foo(22)"));
  EXPECT_THAT(Found({{"pattern", "^B"}, {"regex", true}, {"ignoreCase", true}}),
              ElementsAre("f:3:bar"));
  EXPECT_THAT(Found({{"pattern", "foo("}}), ElementsAre("f:2:foo(22)"));
  EXPECT_THAT(Bad("file/search", {{"pattern", "foo("}, {"regex", true}}), HasSubstr("pattern"));
  EXPECT_THAT(Bad("file/search", {{"pattern", "(?=x)"}, {"regex", true}}), HasSubstr("look"));
  EXPECT_THAT(Bad("file/search", {{"pattern", "a\nb"}}), HasSubstr("line"));
}

TEST_F(SearchTest, LinesAcrossBlocksAreFoundOnce) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 1; text.size() < 900'000; ++i) {
    text += "filler filler filler " + std::to_string(i) + "\n";
    if (i % 5000 != 0) continue;
    text += "needle\n";
    ++i;
  }
  Put(Root("long"), text);
  std::int64_t count = 0;
  const Json result = Good("file/search", {{"pattern", "needle"}});
  for (const Json& match : result.at("matches").as_array()) {
    EXPECT_EQ(match.at("line").as_int64() % 5000, 1) << match.at("line").as_int64();
    ++count;
  }
  EXPECT_GT(count, 4);
  EXPECT_EQ(Good("file/search", {{"pattern", "^needle$"}, {"regex", true}})
                .at("matches")
                .as_array()
                .size(),
            static_cast<std::size_t>(count));
}

TEST_F(SearchTest, OneVeryLongLineIsSearchedAndCut) {
  Put(Root("long"), std::string(1'000'000, 'x') + "needle");
  const Json result = Good("file/search", {{"pattern", "needle"}});
  ASSERT_EQ(result.at("matches").as_array().size(), 1u);
  EXPECT_LT(Text(result.at("matches").at(0).at("text")).size(), 400u);
  EXPECT_EQ(result.at("matches").at(0).at("line"), 1);
}

TEST_F(SearchTest, BinaryFilesAreSkippedAndCounted) {
  Put(Root("b"), std::string("\x00needle", 7));
  Put(Root("latin1"), "caf\xE9 needle");
  const Json result = Good("file/search", {{"pattern", "needle"}});
  EXPECT_EQ(result.at("binarySkipped"), 1);
  EXPECT_EQ(result.at("matches").at(0).at("text"), "caf\xEF\xBF\xBD needle");
}

TEST_F(SearchTest, StopsAtTheLimitAndSaysSo) {
  for (int i = 0; i < 20; ++i) Put(Root("f" + std::to_string(i)), "needle\nneedle\n");
  const Json result = Good("file/search", {{"pattern", "needle"}, {"maxResults", 5}});
  EXPECT_EQ(result.at("matches").as_array().size(), 5u);
  EXPECT_EQ(result.at("truncated"), true);
}

TEST_F(SearchTest, LinksAreNotFollowed) {
  ASSERT_EQ(symlink("../outside", Root("out").c_str()), 0);
  ASSERT_EQ(symlink("../outside/secret", Root("link").c_str()), 0);
  EXPECT_TRUE(Found({{"pattern", "SECRET"}}).empty());
  EXPECT_THAT(Bad("file/search", {{"pattern", "SECRET"}, {"path", "link"}}),
              HasSubstr("symbolic link"));
  EXPECT_THAT(Bad("file/search", {{"pattern", "SECRET"}, {"path", "out"}}),
              HasSubstr("symbolic link"));
}

TEST_F(SearchTest, CancelledSearchesEnd) {
  Put(Root("f"), "x");
  Start();
  context = std::make_shared<mcp::TestContext>();
  context->stop.request_stop();
  EXPECT_TRUE(CallWithContext("file/search", {{"pattern", "x"}}).error);
}

}  // namespace
}  // namespace toolpost::tools::file
