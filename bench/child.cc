// Starting, pinning and reading a measured process.
#include "child.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace bench {

Child::Child(char** command, int core) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) Fail("pipe failed");
  pid_ = fork();
  if (pid_ < 0) Fail("fork failed");
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    if (core >= 0) {
      cpu_set_t cores;
      CPU_ZERO(&cores);
      CPU_SET(static_cast<unsigned>(core), &cores);
      sched_setaffinity(0, sizeof cores, &cores);
    }
    execvp(command[0], command);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

Child::~Child() {
  close(input_);
  close(output_);
  waitpid(pid_, nullptr, 0);
}

void Child::Write(std::string_view data) {
  while (!data.empty()) {
    const ssize_t put = write(input_, data.data(), data.size());
    if (put <= 0) Fail("the server stopped reading");
    data.remove_prefix(static_cast<std::size_t>(put));
  }
}

void Child::Read(std::string& buffer) {
  char chunk[65536];
  const ssize_t got = read(output_, chunk, sizeof chunk);
  if (got <= 0) Fail("the server closed its output");
  buffer.append(chunk, static_cast<std::size_t>(got));
}

std::uint64_t Child::CpuNanoseconds() const {
  std::uint64_t total = 0;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task")) {
    std::uint64_t on_cpu = 0;
    std::ifstream(task.path() / "schedstat") >> on_cpu;
    total += on_cpu;
  }
  return total;
}

std::uint64_t Child::RssKib() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string word; status >> word;) {
    if (word != "VmRSS:") continue;
    std::uint64_t kib = 0;
    status >> kib;
    return kib;
  }
  return 0;
}

void Child::Terminate() { kill(pid_, SIGTERM); }

std::uint64_t Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

void Fail(std::string_view message) {
  std::fprintf(stderr, "bench: %.*s\n", static_cast<int>(message.size()), message.data());
  std::exit(1);
}

}  // namespace bench
