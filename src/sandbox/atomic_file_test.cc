#include "sandbox/atomic_file.h"

#include <fcntl.h>

#include "sandbox/roots_fixture.h"
#include "sandbox/write_journal.h"

namespace toolpost::sandbox {
namespace {

class AtomicFileTest : public RootsFixture {
 protected:
  Parent ParentOf(std::string_view path) {
    auto parent = OpenParent(Opened(), At(path), true);
    EXPECT_TRUE(parent);
    return *std::move(parent);
  }
  std::size_t Entries(const std::string& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(directory_ / folder))
      ++count;
    return count;
  }
};

TEST_F(AtomicFileTest, TheOldContentStaysUntilCommit) {
  Put("root/f", "old");
  const Parent parent = ParentOf("f");
  {
    auto file = AtomicFile::Create(parent, "f");
    ASSERT_TRUE(file->Write("new"));
    EXPECT_EQ(Get("root/f"), "old");
    EXPECT_EQ(Entries("root"), 2u);
  }
  EXPECT_EQ(Get("root/f"), "old");
  EXPECT_EQ(Entries("root"), 1u);
  auto file = AtomicFile::Create(parent, "f");
  ASSERT_TRUE(file->Write("new"));
  ASSERT_TRUE(file->Commit(nullptr));
  EXPECT_EQ(Get("root/f"), "new");
  EXPECT_EQ(Entries("root"), 1u);
}

TEST_F(AtomicFileTest, TemporaryFilesArePrivateAndRandom) {
  const Parent parent = ParentOf("f");
  const auto one = AtomicFile::Create(parent, "f");
  const auto two = AtomicFile::Create(parent, "f");
  ASSERT_TRUE(one && two);
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "root")) {
    EXPECT_TRUE(IsTemporaryName(entry.path().filename().string()));
    struct stat at {};
    ASSERT_EQ(stat(entry.path().c_str(), &at), 0);
    EXPECT_EQ(at.st_mode & 0777, 0600u);
    ++seen;
  }
  EXPECT_EQ(seen, 2u);
  // Both are in use.
  EXPECT_EQ(RemoveLeftovers(parent.directory.get()), 0u);
}

TEST_F(AtomicFileTest, CopiesWhatWasThere) {
  const std::string old(300'000, 'o');
  Put("root/f", old);
  const Parent parent = ParentOf("f");
  auto file = AtomicFile::Create(parent, "f");
  const auto source = OpenRegular(Opened(), At("f"));
  ASSERT_TRUE(file->CopyFrom(source->descriptor.get(), old.size()));
  ASSERT_TRUE(file->Write("+"));
  ASSERT_TRUE(file->Commit(&source->at));
  EXPECT_EQ(Get("root/f"), old + "+");
  auto other = AtomicFile::Create(parent, "f");
  EXPECT_EQ(other->CopyFrom(source->descriptor.get(), old.size() + 1).error().code,
            Code::kConflict);
}

TEST_F(AtomicFileTest, NamesOfOthersAreNotTemporary) {
  for (const char* name : {".toolpost-.tmp", ".toolpost-0123456789abcdef0123456789abcdeF.tmp",
                           ".toolpost-0123456789abcdef0123456789abcdef.tmp2",
                           "toolpost-0123456789abcdef0123456789abcdef.tmp", ".f.swp"})
    EXPECT_FALSE(IsTemporaryName(name)) << name;
}

TEST_F(AtomicFileTest, ACleanEndLeavesNoJournal) {
  {
    WriteJournal journal((directory_ / "state/deep").string());
    journal.Note(At("a/f"));
    journal.Note(At("a/g"));
    journal.Note(At("f"));
    EXPECT_EQ(Entries("state/deep"), 1u);
  }
  EXPECT_EQ(Entries("state/deep"), 0u);
}

TEST_F(AtomicFileTest, JournalsOfLivingProcessesAreKept) {
  WriteJournal journal((directory_ / "state").string());
  journal.Note(At("f"));
  Put("root/.toolpost-0123456789abcdef0123456789abcdef.tmp");
  WriteJournal other((directory_ / "state").string());
  EXPECT_EQ(other.CleanUp(Opened()), 0u);
  EXPECT_EQ(Entries("state"), 1u);
}

}  // namespace
}  // namespace toolpost::sandbox
