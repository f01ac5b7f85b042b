// An attacker swaps a folder for a link to the outside while the tools work in it.
//
// 100,000 swaps per operation, a million with TOOLPOST_FULL.
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <thread>

#include "tools/file/file_fixture.h"

namespace toolpost::tools::file {
namespace {

std::uint64_t Swaps() { return std::getenv("TOOLPOST_FULL") != nullptr ? 1'000'000 : 100'000; }

class RaceTest : public FileFixture {
 protected:
  RaceTest() {
    Put(Root("dir/file"), "inside");
    Put(Outside("file"), "OUTSIDE");
    Put(Outside("only_outside"), "OUTSIDE");
    EXPECT_EQ(symlink("../outside", Root("other").c_str()), 0);
  }

  // Runs `operation` again and again until the attacker has swapped often enough. The operation
  // tells whether it succeeded; both must happen, or there was no race.
  void Race(std::uint64_t swaps, const std::function<bool()>& operation) {
    Start();
    std::atomic<std::uint64_t> swapped = 0;
    std::atomic<bool> done = false;
    std::thread attacker([&] {
      const int root = open(Root("").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
      while (!done) {
        if (renameat2(root, "dir", root, "other", RENAME_EXCHANGE) == 0) ++swapped;
      }
      // The folder ends under its own name.
      struct stat at {};
      if (fstatat(root, "dir", &at, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(at.st_mode))
        renameat2(root, "dir", root, "other", RENAME_EXCHANGE);
      close(root);
    });
    std::uint64_t succeeded = 0;
    std::uint64_t refused = 0;
    while (swapped < swaps || succeeded == 0 || refused == 0) {
      if (swapped > 100 * swaps + 10'000'000) break;
      ++(operation() ? succeeded : refused);
    }
    done = true;
    attacker.join();
    EXPECT_GT(succeeded, 0u);
    EXPECT_GT(refused, 0u);
    RecordProperty("swaps", static_cast<int>(swapped));
    RecordProperty("calls", static_cast<int>(succeeded + refused));
  }

  // Calls the handler itself: no queue between the call and the race.
  Result<Output> Handle(std::string_view tool, const JsonObject& arguments) {
    mcp::TestContext caller;
    return registry.Find(tool)->tool.handler(arguments, caller);
  }

  void ExpectOutsideUntouched() {
    EXPECT_EQ(Get(Outside("file")), "OUTSIDE");
    EXPECT_EQ(Get(Outside("only_outside")), "OUTSIDE");
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(directory_ / "outside"))
      ++count;
    EXPECT_EQ(count, 3u);  // the two and `secret`
  }

  bool Read() {
    const auto result = Handle("file/read", {{"path", "dir/file"}});
    if (!result) return false;
    EXPECT_EQ(result->structured.at("content"), "inside");
    return true;
  }
};

TEST_F(RaceTest, R_1_ReadsNeverLeaveTheRoot) {
  Race(Swaps(), [&] { return Read(); });
}

TEST_F(RaceTest, R_1_WritesNeverLeaveTheRoot) {
  std::uint64_t number = 0;
  Race(Swaps(), [&] {
    const std::string name = "dir/written" + std::to_string(++number % 4);
    return Handle("file/write", {{"path", name}, {"content", "x"}}).has_value();
  });
  ExpectOutsideUntouched();
}

TEST_F(RaceTest, R_1_OverwritesAndEditsNeverLeaveTheRoot) {
  Race(Swaps(), [&] {
    const JsonArray edits{JsonObject{{"oldText", "inside"}, {"newText", "inside"}}};
    return Handle("file/edit", {{"path", "dir/file"}, {"edits", edits}}).has_value();
  });
  ExpectOutsideUntouched();
}

TEST_F(RaceTest, R_1_ListsNeverLeaveTheRoot) {
  Race(Swaps(), [&] {
    const auto result = Handle("file/list", {{"path", "."}, {"recursive", true}});
    if (!result) return false;
    bool entered = false;
    for (const Json& entry : result->structured.at("entries").as_array()) {
      const std::string name = Text(entry.at("name"));
      EXPECT_EQ(name.find("only_outside"), std::string::npos);
      EXPECT_EQ(name.find("secret"), std::string::npos);
      entered = entered || name == "dir/file";
    }
    return entered;
  });
}

TEST_F(RaceTest, R_1_DeletesNeverLeaveTheRoot) {
  Race(Swaps(), [&] {
    const bool deleted = Handle("file/delete", {{"path", "dir/file"}}).has_value();
    // Put back through whichever name the folder has now.
    for (const char* name : {"dir/file", "other/file"})
      (void)Handle("file/write",
                   {{"path", name}, {"content", "inside"}, {"createDirectories", false}});
    return deleted;
  });
  ExpectOutsideUntouched();
}

TEST_F(RaceTest, R_1_RecursiveDeletesNeverLeaveTheRoot) {
  Race(Swaps(), [&] {
    const bool deleted =
        Handle("file/delete", {{"path", "dir/sub"}, {"recursive", true}}).has_value();
    (void)Handle("file/write", {{"path", "dir/sub/a/b"}, {"content", "x"}});
    return deleted;
  });
  ExpectOutsideUntouched();
}

TEST_F(RaceTest, R_1_SearchesAndMovesNeverLeaveTheRoot) {
  Race(Swaps(), [&] {
    const auto found = Handle("file/search", {{"pattern", "OUTSIDE"}});
    EXPECT_TRUE(!found || found->structured.at("matches").as_array().empty());
    const bool moved =
        Handle("file/move", {{"source", "dir/file"}, {"destination", "dir/moved"}}).has_value();
    (void)Handle("file/move", {{"source", "dir/moved"}, {"destination", "dir/file"}});
    (void)Handle("file/move", {{"source", "other/moved"}, {"destination", "other/file"}});
    return moved;
  });
  ExpectOutsideUntouched();
}

TEST_F(RaceTest, R_1_TheWalkOfOlderKernelsHoldsToo) {
  options_.roots.walk = true;
  Race(Swaps() / 4, [&] {
    (void)Handle("file/write", {{"path", "dir/written"}, {"content", "x"}});
    return Read();
  });
  ExpectOutsideUntouched();
}

TEST_F(RaceTest, R_1_FollowedLinksHoldToo) {
  options_.roots.follow_links = true;
  Race(Swaps() / 4, [&] {
    (void)Handle("file/write", {{"path", "dir/written"}, {"content", "x"}});
    return Read();
  });
  ExpectOutsideUntouched();
}

}  // namespace
}  // namespace toolpost::tools::file
