#include <unistd.h>

#include "tools/file/content.h"
#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;

class EditTest : public FileFixture {
 protected:
  static JsonArray One(std::string_view old_text, std::string_view new_text, bool all = false) {
    JsonObject edit{{"oldText", old_text}, {"newText", new_text}};
    if (all) edit["all"] = true;
    return {edit};
  }
};

TEST_F(EditTest, ReplacesExactTextAndShowsTheDiff) {
  Put(Root("f"), "one\ntwo\nthree\n");
  const Json result = Good("file/edit", {{"path", "f"}, {"edits", One("two", "TWO")}});
  EXPECT_EQ(Get(Root("f")), "one\nTWO\nthree\n");
  EXPECT_EQ(result.at("diff"), "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n");
  EXPECT_EQ(result.at("replacements"), 1);
  EXPECT_EQ(Text(result.at("sha256")), Digest("one\nTWO\nthree\n"));
}

TEST_F(EditTest, EditsFollowEachOther) {
  Put(Root("f"), "a b");
  JsonArray edits = One("a", "b2");
  edits.push_back(One("b2 b", "c")[0]);
  EXPECT_EQ(Good("file/edit", {{"path", "f"}, {"edits", edits}}).at("replacements"), 2);
  EXPECT_EQ(Get(Root("f")), "c");
}

TEST_F(EditTest, AllOrNothing) {
  Put(Root("f"), "a\nb\n");
  JsonArray edits = One("a", "x");
  edits.push_back(One("missing", "y")[0]);
  EXPECT_THAT(Bad("file/edit", {{"path", "f"}, {"edits", edits}}), HasSubstr("edit 2"));
  EXPECT_EQ(Get(Root("f")), "a\nb\n");
}

TEST_F(EditTest, AmbiguousTextIsRefusedWithItsLines) {
  Put(Root("f"), "x\ny\nx\n");
  const std::string message = Bad("file/edit", {{"path", "f"}, {"edits", One("x", "z")}});
  EXPECT_THAT(message, HasSubstr("2 times (lines 1, 3)"));
  Good("file/edit", {{"path", "f"}, {"edits", One("x", "z", true)}});
  EXPECT_EQ(Get(Root("f")), "z\ny\nz\n");
}

TEST_F(EditTest, DryRunShowsOnly) {
  Put(Root("f"), "a\n");
  const Json result =
      Good("file/edit", {{"path", "f"}, {"edits", One("a", "b")}, {"dryRun", true}});
  EXPECT_EQ(result.at("diff"), "@@ -1,1 +1,1 @@\n-a\n+b\n");
  EXPECT_EQ(Get(Root("f")), "a\n");
}

TEST_F(EditTest, LineEndsAreExplained) {
  Put(Root("f"), "a\r\nb\r\n");
  EXPECT_THAT(Bad("file/edit", {{"path", "f"}, {"edits", One("a\nb", "c")}}), HasSubstr("CR LF"));
}

TEST_F(EditTest, RefusesWhatItCannotEdit) {
  Put(Root("binary"), "\xFF");
  EXPECT_THAT(Bad("file/edit", {{"path", "binary"}, {"edits", One("a", "b")}}), HasSubstr("UTF-8"));
  EXPECT_THAT(Bad("file/edit", {{"path", "none"}, {"edits", One("a", "b")}}),
              HasSubstr("does not exist"));
  ASSERT_EQ(symlink("../outside/secret", Root("link").c_str()), 0);
  EXPECT_THAT(Bad("file/edit", {{"path", "link"}, {"edits", One("SECRET", "b")}}),
              HasSubstr("symbolic link"));
  Put(Root("f"), "a");
  EXPECT_THAT(Bad("file/edit", {{"path", "f"}, {"edits", One("a", "b")}, {"ifMatch", "00"}}),
              HasSubstr("changed"));
  EXPECT_TRUE(Run("file/edit", {{"path", "f"}, {"edits", JsonArray()}}).error);
  EXPECT_TRUE(Run("file/edit", {{"path", "f"}, {"edits", One("", "b")}}).error);
}

TEST_F(EditTest, TooLargeFilesAreRefused) {
  options_.max_read = 4;
  Put(Root("large"), "12345");
  EXPECT_THAT(Bad("file/edit", {{"path", "large"}, {"edits", One("1", "b")}}), HasSubstr("larger"));
}

}  // namespace
}  // namespace toolpost::tools::file
