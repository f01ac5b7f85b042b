// Temporary stores and child processes.
#include "store/store_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "db/postgres_fixture.h"

namespace toolpost::store {
namespace {

namespace fs = std::filesystem;

constexpr int kReports = 3;  // descriptor in the child

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

void StoreTest::SetUp() {
  std::string pattern = (fs::temp_directory_path() / "toolpost-store-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  directory_ = pattern;
  options_.directory = directory_ / "state";
  if (IsPostgres()) options_.url = db::PostgresServer::Get().NewDatabase();
  store_ = std::make_shared<Store>(options_);
}

void StoreTest::TearDown() {
  store_.reset();
  fs::remove_all(directory_);
}

ChildProcess::ChildProcess(const std::string& test, const StoreOptions& options) {
  const std::string filter = "--gtest_filter=" + test;
  const std::string directory = "TOOLPOST_TEST_DIRECTORY=" + options.directory;
  const std::string url = "TOOLPOST_TEST_URL=" + options.url;
  const std::vector<const char*> arguments = {"tests", filter.c_str(),
                                              "--gtest_also_run_disabled_tests", nullptr};
  const std::vector<const char*> environment = {directory.c_str(), url.c_str(), nullptr};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  reports_ = ends[0];
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    if (ends[1] == kReports) {
      fcntl(kReports, F_SETFD, 0);
    } else {
      dup2(ends[1], kReports);
    }
    execve("/proc/self/exe", const_cast<char* const*>(arguments.data()),
           const_cast<char* const*>(environment.data()));
    _exit(127);
  }
  close(ends[1]);
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) Kill();
  close(reports_);
}

std::string ChildProcess::NextReport() {
  std::string line;
  char byte;
  while (read(reports_, &byte, 1) == 1) {
    if (byte == '\n') return line;
    line += byte;
  }
  return {};
}

bool ChildProcess::Succeeded() {
  int status = -1;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return status == 0;
}

void ChildProcess::Kill() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

StoreOptions ChildStoreOptions() {
  return {.url = Variable("TOOLPOST_TEST_URL"), .directory = Variable("TOOLPOST_TEST_DIRECTORY")};
}

void ChildReports(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  if (write(kReports, text.data(), text.size()) < 0) std::abort();
}

void ChildWaitsToBeKilled() {
  for (;;) pause();
}

}  // namespace toolpost::store
