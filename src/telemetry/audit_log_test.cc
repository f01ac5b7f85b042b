#include "telemetry/audit_log.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "base/clock.h"
#include "telemetry/audit_fixture.h"

extern char** environ;

namespace toolpost::telemetry {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kFlushed = '\x01';
constexpr char kSegmentVariable[] = "TOOLPOST_TEST_AUDIT_SEGMENT";
constexpr char kWriterVariable[] = "TOOLPOST_TEST_AUDIT_WRITER";

// This program again, as a process that writes records until it is killed. It prints a dot after
// each Flush().
class WriterProcess : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* const directory = std::getenv(kWriterVariable);
    if (directory == nullptr) return;
    AuditLog log({.directory = directory,
                  .segment_bytes = std::strtoull(std::getenv(kSegmentVariable), nullptr, 10)});
    while (true) {
      for (int i = 0; i < 25; ++i) log.Append({.kind = "call", .tool = "child"});
      log.Flush();
      if (write(STDOUT_FILENO, &kFlushed, 1) != 1) _exit(1);
    }
  }
};
const auto* const kWriterProcess = ::testing::AddGlobalTestEnvironment(new WriterProcess);

class AuditLogTest : public AuditTest {
 protected:
  ~AuditLogTest() override { base::SetNowForTest({}); }

  struct Child {
    pid_t pid = 0;
    int out = -1;
  };

  Child StartWriter(std::uint64_t segment_bytes = 16 << 20) const {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    setenv(kWriterVariable, directory_.c_str(), 1);
    setenv(kSegmentVariable, std::to_string(segment_bytes).c_str(), 1);
    char program[] = "/proc/self/exe";
    char* arguments[] = {program, nullptr};
    Child child{.out = ends[0]};
    EXPECT_EQ(posix_spawn(&child.pid, program, &actions, nullptr, arguments, environ), 0);
    unsetenv(kWriterVariable);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    return child;
  }
  // Blocks for `count` flushes; what else the test framework prints does not count.
  static void AwaitFlushes(const Child& child, int count) {
    char byte = 0;
    while (count > 0 && read(child.out, &byte, 1) == 1) count -= byte == kFlushed ? 1 : 0;
    ASSERT_EQ(count, 0);
  }
  static void Kill(Child& child) {
    kill(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
    close(child.out);
  }
};

TEST_F(AuditLogTest, NothingIsCreatedBeforeTheFirstRecord) {
  { const AuditLog log(Options()); }
  EXPECT_FALSE(std::filesystem::exists(directory_));
}

TEST_F(AuditLogTest, FilesAreForTheirOwnerOnly) {
  WriteLog(1);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
    struct stat status {};
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 077, 0U) << entry.path();
  }
}

TEST_F(AuditLogTest, FlushedRecordsAreInTheFile) {
  AuditLog log(Options());
  AppendCalls(log, 3);
  log.Flush();
  const auto lines = ReadLines(Segments().at(0));
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines[3], HasSubstr(R"({"seq":3,"time":")"));
  EXPECT_THAT(lines[3], HasSubstr(R"("tool":"test/echo","outcome":"OK","ms":1.500,"bytes":10)"));
  EXPECT_EQ(log.lost(), 0U);
  log.Flush();  // nothing left to do
}

TEST_F(AuditLogTest, DigestsAreEqualForEqualArgumentsInOneLogOnly) {
  AuditLog log(Options());
  AuditLog same(Options());
  AuditLog other({.directory = root_ + "/other"});
  EXPECT_EQ(log.ArgumentDigest(R"({"a":1})"), same.ArgumentDigest(R"({"a":1})"));
  EXPECT_NE(log.ArgumentDigest(R"({"a":1})"), log.ArgumentDigest(R"({"a":2})"));
  EXPECT_NE(log.ArgumentDigest(R"({"a":1})"), other.ArgumentDigest(R"({"a":1})"));
}

TEST_F(AuditLogTest, ManyThreadsLoseAndMixNothing) {
  {
    AuditLog log({.directory = directory_, .segment_bytes = 100'000});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&log] {
        AppendCalls(log, 2'000);
        log.Flush();
      });
    }
    for (auto& thread : threads) thread.join();
  }
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.records, 8'000U);
  EXPECT_EQ(report.last_sequence, 8'000U);
  EXPECT_GT(report.segments, 5U);
}

TEST_F(AuditLogTest, TwoProcessesShareADirectory) {
  Child one = StartWriter(20'000);
  Child two = StartWriter(20'000);
  AwaitFlushes(one, 30);
  AwaitFlushes(two, 30);
  WriteLog(10);
  const auto running = Verify();
  EXPECT_THAT(running.problems, IsEmpty());
  EXPECT_THAT(running.writers, SizeIs(3));
  Kill(one);
  Kill(two);
  WriteLog(10);
  const auto after = Verify();
  EXPECT_THAT(after.problems, IsEmpty());
  EXPECT_GE(after.records, 2U * 30 * 25 + 20);
  EXPECT_THAT(States(), IsEmpty());
}

TEST_F(AuditLogTest, AKilledProcessIsNoTamperingAndItsFlushedRecordsAreSafe) {
  std::mt19937 random(20260728);
  for (int round = 0; round < 10; ++round) {
    Child child = StartWriter(5'000);
    AwaitFlushes(child, 1 + static_cast<int>(random() % 20));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3'000));
    Kill(child);
    const auto report = Verify();
    ASSERT_THAT(report.problems, IsEmpty()) << "round " << round;
    ASSERT_EQ(report.writers.size(), static_cast<std::size_t>(round) + 1);
  }
  WriteLog(1);
  EXPECT_THAT(Verify().problems, IsEmpty());
}

TEST_F(AuditLogTest, CuttingTheLogOfADeadProcessIsFoundDownToTheLastSignedRecord) {
  Child child = StartWriter();
  AwaitFlushes(child, 2);
  Kill(child);
  const std::string name = Segments().back();
  auto lines = ReadLines(name);
  const std::uint64_t before = Verify().last_sequence;
  ASSERT_GE(before, 50U);
  // More than one batch from the end is below what was signed.
  lines.resize(lines.size() - 26);
  WriteLines(name, lines);
  EXPECT_THAT(Problems(), HasSubstr("it was cut"));
  WriteLog(1);  // enters the dead writer in the index, as it was signed
  EXPECT_THAT(States(), IsEmpty());
  EXPECT_THAT(Problems(), HasSubstr("it was cut"));
}

TEST_F(AuditLogTest, AHalfWrittenLastRecordIsANoteAndTheNextProcessGoesOn) {
  Child child = StartWriter();
  AwaitFlushes(child, 2);
  Kill(child);
  const std::string name = Segments().back();
  WriteFile(name, ReadFile(name) + R"({"seq":51,"time":"2026)");
  auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  ASSERT_THAT(report.notes, SizeIs(1));
  EXPECT_THAT(report.notes[0], HasSubstr("only half written"));
  const std::uint64_t records = report.records;
  WriteLog(5);
  report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.records, records + 5);
  EXPECT_THAT(Segments(), SizeIs(2));
}

TEST_F(AuditLogTest, ASegmentOfADeadProcessCannotBeExtended) {
  Child child = StartWriter();
  AwaitFlushes(child, 2);
  Kill(child);
  const std::string name = Segments().back();
  auto lines = ReadLines(name);
  lines.push_back(lines.back());
  WriteLines(name, lines);
  EXPECT_NE(Problems(), "");
}

TEST_F(AuditLogTest, SizeRetentionRemovesTheOldestWholeSegments) {
  AuditOptions options = SmallSegments();
  options.total_bytes = 10'000;
  WriteLog(options, 200);
  WriteLog(options, 5);
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_GT(report.first_sequence, 0U);
  ASSERT_THAT(report.writers, SizeIs(2));
  EXPECT_GT(report.writers[0].first_sequence, 100U);
  EXPECT_EQ(report.writers[0].last_sequence, 200U);
  std::uintmax_t bytes = 0;
  for (const std::string& name : Segments()) bytes += std::filesystem::file_size(Path(name));
  EXPECT_LE(bytes, 10'000U);
}

TEST_F(AuditLogTest, AgeRetentionRemovesWhatIsTooOld) {
  const base::WallTime start(std::chrono::seconds(1'785'242'096));
  AuditOptions options = Options();
  options.keep = std::chrono::hours(48);
  base::SetNowForTest(start);
  WriteLog(options, 5);
  base::SetNowForTest(start + std::chrono::hours(47));
  WriteLog(options, 6);
  EXPECT_EQ(Verify().records, 11U);
  base::SetNowForTest(start + std::chrono::hours(60));
  WriteLog(options, 7);
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.records, 13U);
}

TEST_F(AuditLogTest, ALongRunningProcessChangesSegmentsDaily) {
  const base::WallTime start(std::chrono::seconds(1'785'242'096));
  base::SetNowForTest(start);
  AuditLog log(Options());
  AppendCalls(log, 1);
  log.Flush();
  base::SetNowForTest(start + std::chrono::hours(25));
  AppendCalls(log, 1);
  log.Flush();
  EXPECT_THAT(Segments(), SizeIs(2));
  EXPECT_THAT(Verify().problems, IsEmpty());
}

TEST_F(AuditLogTest, ManyRemovalsCompactTheIndex) {
  AuditOptions options = SmallSegments();
  options.total_bytes = 6'000;
  WriteLog(options, 1'000);
  EXPECT_THAT(Verify().problems, IsEmpty());
  EXPECT_LT(ReadLines("audit.index").size(), 250U);
}

TEST_F(AuditLogTest, WhatCannotBeWrittenIsCountedAndLaterAdmitted) {
  WriteFile("../blocked", "");
  std::filesystem::create_directory(root_ + "/state");
  std::ofstream(root_ + "/state/audit") << "a file where the directory should be";
  AuditLog log({.directory = root_ + "/state/audit"});
  AppendCalls(log, 3);
  log.Flush();
  EXPECT_EQ(log.lost(), 3U);
  EXPECT_NE(log.problem(), "");
  std::filesystem::remove(root_ + "/state/audit");
  AppendCalls(log, 2);
  log.Flush();
  EXPECT_EQ(log.lost(), 3U);
  EXPECT_EQ(log.problem(), "");
  directory_ = root_ + "/state/audit";
  EXPECT_THAT(ReadLines(Segments().at(0)).at(1), HasSubstr(R"("kind":"lost","count":3)"));
  EXPECT_EQ(Verify().records, 3U);
  EXPECT_THAT(Verify().problems, IsEmpty());
}

TEST_F(AuditLogTest, AFullDiskCostsRecordsButNotTheLog) {
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_IGN);
  AuditLog log(Options());
  AppendCalls(log, 10);
  log.Flush();
  const rlimit small{std::filesystem::file_size(Path(Segments().at(0))) + 700, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  AppendCalls(log, 100);
  log.Flush();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(log.lost(), 100U);
  AppendCalls(log, 5);
  log.Flush();
  const auto report = Verify();
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_EQ(report.records, 16U);
  EXPECT_EQ(report.last_sequence, 16U);
}

}  // namespace
}  // namespace toolpost::telemetry
