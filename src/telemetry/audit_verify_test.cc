// Tampering of every kind, on real files.
#include <fcntl.h>
#include <unistd.h>

#include "telemetry/audit_fixture.h"

namespace toolpost::telemetry {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AuditVerify : public AuditTest {};

TEST_F(AuditVerify, AWholeLogHasNoProblems) {
  WriteLog(SmallSegments(), 35);
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_EQ(report.records, 35U);
  EXPECT_EQ(report.segments, Segments().size());
  EXPECT_GT(report.segments, 3U);
  EXPECT_EQ(report.first_sequence, 1U);
  EXPECT_EQ(report.last_sequence, 35U);
  ASSERT_THAT(report.writers, SizeIs(1));
  EXPECT_FALSE(report.writers[0].alive);
}

TEST_F(AuditVerify, ADirectoryThatIsNotThereIsAnError) {
  const auto report = AuditLog::Verify(directory_);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Code::kNotFound);
}

TEST_F(AuditVerify, AnEmptyDirectoryIsAnEmptyLog) {
  std::filesystem::create_directory(directory_);
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.records, 0U);
}

// Every byte of a small log: whatever is changed, it is found.
TEST_F(AuditVerify, MissingAudit_EveryChangedByteOfASegmentIsFound) {
  WriteLog(3);
  const std::string name = Segments().at(0);
  const std::string whole = ReadFile(name);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char flip : {'\x01', '\x20'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      WriteFile(name, changed);
      ASSERT_NE(Problems(), "") << "byte " << at;
    }
  }
  WriteFile(name, whole);
  EXPECT_EQ(Problems(), "");
}

TEST_F(AuditVerify, EveryLengthASegmentIsCutToIsFound) {
  WriteLog(3);
  const std::string name = Segments().at(0);
  const std::string whole = ReadFile(name);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    WriteFile(name, whole.substr(0, size));
    ASSERT_NE(Problems(), "") << size << " bytes";
  }
}

TEST_F(AuditVerify, ChangedRecordsAreNamed) {
  WriteLog(10);
  const std::string name = Segments().at(0);
  auto lines = ReadLines(name);
  lines[4].replace(lines[4].find("\"OK\""), 4, "\"NO\"");
  WriteLines(name, lines);
  EXPECT_EQ(Problems(), name + ": the record with sequence 4 was changed\n");
}

TEST_F(AuditVerify, RemovedRecordsAreNamed) {
  WriteLog(10);
  const std::string name = Segments().at(0);
  auto lines = ReadLines(name);
  lines.erase(lines.begin() + 4, lines.begin() + 7);
  WriteLines(name, lines);
  EXPECT_THAT(Problems(), HasSubstr("records are missing: sequences 4 to 6"));
}

TEST_F(AuditVerify, ReorderedRecordsAreFound) {
  WriteLog(10);
  const std::string name = Segments().at(0);
  auto lines = ReadLines(name);
  std::swap(lines[4], lines[5]);
  WriteLines(name, lines);
  EXPECT_THAT(Problems(), HasSubstr("sequence 4 is there twice or out of order"));
}

TEST_F(AuditVerify, RepeatedRecordsAreFound) {
  WriteLog(10);
  const std::string name = Segments().at(0);
  auto lines = ReadLines(name);
  lines.insert(lines.begin() + 5, lines[4]);
  WriteLines(name, lines);
  EXPECT_THAT(Problems(), HasSubstr("sequence 4 is there twice or out of order"));
}

TEST_F(AuditVerify, InsertedRecordsAreFound) {
  WriteLog(10);
  const std::string name = Segments().at(0);
  auto lines = ReadLines(name);
  lines.insert(lines.begin() + 5, R"({"seq":5,"kind":"call"})");
  WriteLines(name, lines);
  EXPECT_THAT(Problems(), HasSubstr("line 6 is no line of the log"));
}

TEST_F(AuditVerify, LinesAfterTheEndAreFound) {
  WriteLog(10);
  const std::string name = Segments().at(0);
  auto lines = ReadLines(name);
  lines.push_back(lines[5]);
  WriteLines(name, lines);
  EXPECT_THAT(Problems(), HasSubstr("added after its end"));
}

TEST_F(AuditVerify, RecordsOfAnotherSegmentAreFound) {
  WriteLog(5);
  WriteLog(5);
  const auto names = Segments();
  auto lines = ReadLines(names.at(0));
  lines[3] = ReadLines(names.at(1))[3];
  WriteLines(names[0], lines);
  EXPECT_THAT(Problems(), HasSubstr("sequence 3 was changed"));
}

TEST_F(AuditVerify, ARemovedSegmentIsFoundWhereverItWas) {
  WriteLog(SmallSegments(), 35);
  for (const std::string& name : Segments()) {
    const std::string whole = ReadFile(name);
    std::filesystem::remove(Path(name));
    EXPECT_THAT(Problems(), HasSubstr(name + ": the whole segment was removed"));
    WriteFile(name, whole);
  }
  EXPECT_EQ(Problems(), "");
}

TEST_F(AuditVerify, SwappedSegmentsAreFound) {
  WriteLog(SmallSegments(), 35);
  const auto names = Segments();
  const std::string first = ReadFile(names.at(0));
  WriteFile(names[0], ReadFile(names.at(1)));
  WriteFile(names[1], first);
  EXPECT_THAT(Problems(), HasSubstr(names[0] + ": its head was changed, or belongs to another"));
}

TEST_F(AuditVerify, ACopiedSegmentIsFound) {
  WriteLog(5);
  SegmentName copy = *SegmentName::Parse(Segments().at(0));
  copy.number = 2;
  WriteFile(copy.File(), ReadFile(Segments()[0]));
  EXPECT_THAT(Problems(), HasSubstr("is not in the index"));
}

TEST_F(AuditVerify, EveryChangedByteOfTheIndexIsFound) {
  WriteLog(3);
  const std::string whole = ReadFile("audit.index");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (whole[at] == ' ') continue;  // padding
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    WriteFile("audit.index", changed);
    ASSERT_NE(Problems(), "") << "byte " << at;
  }
}

TEST_F(AuditVerify, ACutIndexHidesNoSegment) {
  WriteLog(3);
  const std::string before = ReadFile("audit.index");
  WriteLog(3);
  const std::string after = ReadFile("audit.index");
  // The new header on the old events, and the last segment gone with its entries.
  WriteFile("audit.index", after.substr(0, before.size()));
  std::filesystem::remove(Path(Segments().back()));
  EXPECT_THAT(Problems(), HasSubstr("the last 2 of 4 entries were removed"));
}

TEST_F(AuditVerify, ARemovedIndexIsFoundAndRemembered) {
  WriteLog(3);
  std::filesystem::remove(Path("audit.index"));
  EXPECT_THAT(Problems(), HasSubstr("audit.index was removed"));
  WriteLog(3);
  EXPECT_THAT(Problems(), HasSubstr("started anew"));
  EXPECT_THAT(Problems(), HasSubstr("is not in the index"));
}

TEST_F(AuditVerify, ADamagedIndexDoesNotStopTheLog) {
  WriteLog(3);
  std::string index = ReadFile("audit.index");
  index[index.size() - 10] ^= 1;
  WriteFile("audit.index", index);
  WriteLog(4);
  EXPECT_THAT(Segments(), SizeIs(2));
  EXPECT_THAT(Problems(), HasSubstr("entry 2 was changed"));
}

TEST_F(AuditVerify, ADamagedIndexIsRememberedWhenItIsReplaced) {
  WriteLog(3);
  std::string index = ReadFile("audit.index");
  WriteFile("audit.index", index.substr(0, index.size() - 10));
  WriteLog(4);
  EXPECT_THAT(Problems(), HasSubstr("started anew"));
}

// Tidying reads the whole index: what it cannot trust it must neither forget nor launder.
TEST_F(AuditVerify, RetentionDoesNotHideADamagedIndex) {
  AuditOptions options = SmallSegments();
  WriteLog(options, 35);
  std::string index = ReadFile("audit.index");
  index[index.size() - 10] ^= 1;
  WriteFile("audit.index", index);
  options.total_bytes = 4'000;
  WriteLog(options, 35);
  const std::string problems = Problems();
  EXPECT_THAT(problems, HasSubstr("started anew"));
  EXPECT_EQ(problems.find("started anew"), problems.rfind("started anew"));
}

TEST_F(AuditVerify, WithoutTheKeyNothingIsVouchedFor) {
  WriteLog(3);
  std::filesystem::remove(Path("audit.key"));
  EXPECT_THAT(Problems(), HasSubstr("audit.key was removed"));
  WriteFile("audit.key", "short\n");
  EXPECT_FALSE(AuditLog::Verify(directory_));
}

TEST_F(AuditVerify, AnotherKeyVouchesForNothing) {
  WriteLog(3);
  WriteFile("audit.key", std::string(43, 'A') + "=\n");
  EXPECT_NE(Problems(), "");
}

TEST_F(AuditVerify, ARunningLogIsVerifiedAsFarAsItIsWritten) {
  AuditLog log(Options());
  AppendCalls(log, 10);
  log.Flush();
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.last_sequence, 10U);
  ASSERT_THAT(report.writers, SizeIs(1));
  EXPECT_TRUE(report.writers[0].alive);
}

TEST_F(AuditVerify, TamperingWithARunningLogIsFound) {
  AuditLog log(Options());
  AppendCalls(log, 10);
  log.Flush();
  const std::string name = Segments().at(0);
  const auto lines = ReadLines(name);
  const auto fewer = Lines(lines.begin(), lines.end() - 1);
  WriteLines(name, fewer);
  EXPECT_THAT(Problems(), HasSubstr("it was cut: 10 records were signed, 9 are there"));
  WriteLines(name, lines);
  EXPECT_EQ(Problems(), "");
  const std::string state = States().at(0);
  const std::string signed_state = ReadFile(state);
  std::string changed = signed_state;
  changed[changed.find("\"records\":10") + 10] = '9';
  WriteFile(state, changed);
  EXPECT_THAT(Problems(), HasSubstr("the signed state of its writer was changed"));
  std::filesystem::remove(Path(state));
  EXPECT_THAT(Problems(), HasSubstr("the signed state of its writer was removed"));
}

TEST_F(AuditVerify, AStateOfAnotherWriterDoesNotCount) {
  AuditLog one(Options());
  AppendCalls(one, 10);
  one.Flush();
  const std::string state = States().at(0);
  AuditLog two(Options());
  AppendCalls(two, 1);
  two.Flush();
  const auto states = States();
  const std::string other = states[0] == state ? states[1] : states[0];
  WriteFile(state, ReadFile(other));
  EXPECT_THAT(Problems(), HasSubstr("the signed state of its writer was changed"));
}

TEST_F(AuditVerify, ASegmentLinkedElsewhereIsRefused) {
  WriteLog(3);
  const std::string name = Segments().at(0);
  std::filesystem::rename(Path(name), root_ + "/elsewhere");
  std::filesystem::create_symlink(root_ + "/elsewhere", Path(name));
  EXPECT_FALSE(AuditLog::Verify(directory_));
}

}  // namespace
}  // namespace toolpost::telemetry
