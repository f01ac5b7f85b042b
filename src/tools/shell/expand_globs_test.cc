#include "tools/shell/expand_globs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace toolpost::tools::shell {
namespace {

using Words = std::vector<std::string>;

class GlobExpansion : public ::testing::Test {
 protected:
  GlobExpansion() {
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_glob_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (const char* file : {"b.c", "a.c", "-rf", ".hidden", "sub/x.c", "sub/y.h", "secret/k.c"}) {
      std::filesystem::create_directories((folder_ / file).parent_path());
      std::ofstream(folder_ / file).put('x');
    }
    std::filesystem::create_directory_symlink("/etc", folder_ / "link");
    root_.path = folder_.string();
    root_.hidden = {"secret"};
    root_.directory = sandbox::Descriptor(open(folder_.c_str(), O_PATH | O_DIRECTORY));
  }
  ~GlobExpansion() override { std::filesystem::remove_all(folder_); }

  Result<Words> Expand(std::string_view command) {
    const auto parsed = ParseCommand(command);
    EXPECT_TRUE(parsed);
    std::size_t scanned = 0;
    return ExpandGlobs(parsed->front(), {root_.directory.get(), &root_, ""}, scanned);
  }

  std::filesystem::path folder_;
  sandbox::Root root_;
};

TEST_F(GlobExpansion, NamesComeSortedAndHiddenOnesNot) {
  EXPECT_EQ(*Expand("ls *.c"), (Words{"ls", "a.c", "b.c"}));
  EXPECT_EQ(*Expand("ls *"), (Words{"ls", "./-rf", "a.c", "b.c", "link", "sub"}));
  EXPECT_EQ(*Expand("ls .h*"), (Words{"ls", ".hidden"}));
  EXPECT_EQ(*Expand("ls */*.c"), (Words{"ls", "sub/x.c"}));
  EXPECT_EQ(*Expand("ls ./*.c"), (Words{"ls", "./a.c", "./b.c"}));
  EXPECT_EQ(*Expand("ls s*/"), (Words{"ls", "sub/"}));
  EXPECT_EQ(*Expand("ls ./s*/*"), (Words{"ls", "./sub/x.c", "./sub/y.h"}));
}

TEST_F(GlobExpansion, FileNamesNeverBecomeOptions) {
  EXPECT_EQ(*Expand("ls -*"), (Words{"ls", "./-rf"}));
}

TEST_F(GlobExpansion, WhatMatchesNothingStaysAsItIs) {
  EXPECT_EQ(*Expand("grep --include=*.c a[bc]*z"), (Words{"grep", "--include=*.c", "a[bc]*z"}));
  EXPECT_EQ(*Expand("ls '*.c'"), (Words{"ls", "*.c"}));
  EXPECT_EQ(*Expand("l* a.c"), (Words{"l*", "a.c"}));
}

TEST_F(GlobExpansion, LinksAndHiddenPlacesAreNotEntered) {
  EXPECT_EQ(*Expand("ls link/*"), (Words{"ls", "link/*"}));
  EXPECT_EQ(*Expand("ls sec*/*"), (Words{"ls", "sec*/*"}));
}

TEST_F(GlobExpansion, PatternsThatLeaveAreRefused) {
  for (const char* command : {"ls ../*", "ls /etc/*", "ls sub/../../*"})
    EXPECT_FALSE(Expand(command)) << command;
}

TEST_F(GlobExpansion, LimitsRefuse) {
  for (int i = 0; i < 4096; ++i) std::ofstream(folder_ / ("f" + std::to_string(i)));
  EXPECT_FALSE(Expand("ls f*"));
  EXPECT_TRUE(Expand("ls f1*"));
}

}  // namespace
}  // namespace toolpost::tools::shell
