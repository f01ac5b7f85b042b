#include <unistd.h>

#include "tools/file/content.h"
#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

using ::testing::HasSubstr;

using InfoTest = FileFixture;

TEST_F(InfoTest, DescribesFilesFoldersAndLinks) {
  Put(Root("f"), "hello");
  ASSERT_EQ(chmod(Root("f").c_str(), 0640), 0);
  ASSERT_EQ(symlink("f", Root("link").c_str()), 0);
  Put(Root("binary"), std::string("\x00\x01", 2));
  const Json file = Good("file/info", {{"path", "f"}, {"digest", true}});
  EXPECT_EQ(file.at("type"), "file");
  EXPECT_EQ(file.at("size"), 5);
  EXPECT_EQ(file.at("mode"), "0640");
  EXPECT_EQ(file.at("links"), 1);
  EXPECT_EQ(file.at("text"), true);
  EXPECT_EQ(Text(file.at("sha256")), Digest("hello"));
  EXPECT_EQ(Good("file/info", {{"path", "binary"}}).at("text"), false);
  EXPECT_EQ(Good("file/info", {{"path", "."}}).at("type"), "directory");
  EXPECT_EQ(Good("file/info", {{"path", "link"}}).at("type"), "symlink");
  EXPECT_THAT(Bad("file/info", {{"path", "none"}}), HasSubstr("does not exist"));
}

TEST_F(InfoTest, WithoutAPathItNamesTheFoldersOfTheCaller) {
  std::filesystem::create_directories(directory_ / "library");
  std::filesystem::create_directories(Root("mine"));
  options_.roots.read_only_roots = {(directory_ / "library").string()};
  const Json all = Good("file/info", {});
  ASSERT_EQ(all.at("roots").as_array().size(), 2u);
  EXPECT_EQ(Text(all.at("roots").at(0).at("path")), Root("").string());
  EXPECT_EQ(all.at("roots").at(1).at("readOnly"), true);
  auto credential = std::make_shared<Credential>();
  credential->grants.scopes = {"read"};
  credential->grants.roots = {"mine"};
  who_.credential = credential;
  const Json narrowed = Good("file/info", {});
  ASSERT_EQ(narrowed.at("roots").as_array().size(), 1u);
  EXPECT_EQ(Text(narrowed.at("roots").at(0).at("path")), Root("mine").string());
}

}  // namespace
}  // namespace toolpost::tools::file
