#include "base/lazy_library.h"

#include <gtest/gtest.h>

namespace toolpost::base {
namespace {

TEST(LazyLibrary, ResolvesFunctionsOfALibraryThatIsThere) {
  LazyLibrary library("libm.so.6", "libc6");
  double (*cosine)(double) = nullptr;
  ASSERT_TRUE(library.Resolve("cos", cosine));
  EXPECT_EQ(cosine(0), 1);
}

TEST(LazyLibrary, NamesThePackageOfALibraryThatIsMissing) {
  LazyLibrary library("libnothing_of_this_name.so.9", "libnothing9");
  const Result<void> loaded = library.Load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::kUnavailable);
  EXPECT_NE(loaded.error().message.find("libnothing9"), std::string::npos);
}

TEST(LazyLibrary, RefusesFunctionsTheLibraryLacks) {
  LazyLibrary library("libm.so.6", "libc6");
  void (*missing)() = nullptr;
  EXPECT_FALSE(library.Resolve("no_such_function_here", missing));
  EXPECT_EQ(missing, nullptr);
}

struct Table {
  int filled = 0;
};

TEST(LoadOnce, TriesAgainUntilItSucceedsAndThenNeverAgain) {
  static int calls = 0;
  const auto fill = +[](Table& table) -> Result<void> {
    table.filled = ++calls;
    if (calls == 1) return Error::Unavailable("not yet");
    return {};
  };
  EXPECT_FALSE(LoadOnce(fill));
  const auto first = LoadOnce(fill);
  const auto second = LoadOnce(fill);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ((*first)->filled, 2);
}

}  // namespace
}  // namespace toolpost::base
