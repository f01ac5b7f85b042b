// What the sandbox adds to a command: `true` through shell/execute against a bare fork and exec, in
// a small process and in one of 256 MiB. Prints one JSON line, in milliseconds.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "child.h"
#include "mcp/test_context.h"
#include "sandbox/spawner.h"
#include "tools/shell/shell.h"

namespace {

using namespace toolpost;

constexpr std::size_t kGrown = std::size_t{256} << 20;

void RunBare() {
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/usr/bin/true", "true", nullptr);
    _exit(1);
  }
  waitpid(pid, nullptr, 0);
}

struct Times {
  double median = 0;
  double p99 = 0;
};

template <typename Action>
Times Measure(int runs, Action action) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t begin = bench::Now();
    action();
    times.push_back(static_cast<double>(bench::Now() - begin) / 1e6);
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

tools::shell::ShellServices MakeServices(const std::string& folder) {
  sandbox::RootsOptions options;
  options.roots = {folder};
  auto roots = sandbox::Roots::Open(options);
  if (!roots) bench::Fail(roots.error().message);
  tools::shell::ShellServices services;
  services.roots = [roots = *roots](CallContext&) {
    return Result<std::shared_ptr<const sandbox::Roots>>(roots);
  };
  services.spawner = sandbox::Spawner::OfProcess();
  services.confinement = std::make_shared<sandbox::ConfinementProbe>(services.spawner);
  services.slots = std::make_shared<tools::shell::RunSlots>(tools::shell::RunSlots::Limits{});
  services.policy.allowed = {"true"};
  return services;
}

void Report(std::string_view name, const Times& times, bool last = false) {
  std::printf("\"%.*s_ms\":%.3f,\"%.*s_p99_ms\":%.3f%s", static_cast<int>(name.size()), name.data(),
              times.median, static_cast<int>(name.size()), name.data(), times.p99,
              last ? "}\n" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  sandbox::Spawner::ForkForProcess();
  base::ConfigureLog(base::Severity::kWarning, base::LogFormat::kText);
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 300;
  std::string folder = (std::filesystem::temp_directory_path() / "toolpost_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) bench::Fail("no folder to work in");
  const tools::shell::ShellServices services = MakeServices(folder);
  const Tool tool = tools::shell::ExecuteTool(services);
  const auto run_boxed = [&] {
    mcp::TestContext context;
    const auto called = tool.handler({{"command", "true"}}, context);
    if (!called) bench::Fail(called.error().message);
  };
  run_boxed();
  const Times bare = Measure(runs, RunBare);
  const Times boxed = Measure(runs, run_boxed);
  std::vector<char> grown(kGrown);
  std::memset(grown.data(), 1, grown.size());
  const Times grown_bare = Measure(runs / 10 + 1, RunBare);
  const Times grown_boxed = Measure(runs, run_boxed);
  std::filesystem::remove_all(folder);
  std::printf("{\"level\":%d,", services.confinement->Get().level);
  Report("bare", bare);
  Report("boxed", boxed);
  Report("grown_bare", grown_bare);
  Report("grown_boxed", grown_boxed, true);
  return 0;
}
