// Processor time, memory, descriptors and start time from /proc.
#include "telemetry/process_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace toolpost::telemetry {
namespace {

void AppendOne(MetricFamilies& families, MetricFamily family, double value) {
  family.samples.push_back({.labels = {}, .value = value});
  families.push_back(std::move(family));
}

// The numbers of /proc/self/stat after the name, which may hold anything: the first is the third
// field of proc(5).
std::vector<double> StatFields() {
  std::ifstream file("/proc/self/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string state;
  rest >> state;
  std::vector<double> fields{0};
  for (double field = 0; rest >> field;) fields.push_back(field);
  return fields;
}

double BootTime() {
  timespec now{};
  timespec since_boot{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  return static_cast<double>(now.tv_sec - since_boot.tv_sec);
}

double OpenDescriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc/self/fd"), closedir);
  double count = -3;  // ".", ".." and the one this takes
  while (directory && readdir(directory.get()) != nullptr) ++count;
  return count;
}

}  // namespace

void AppendProcessMetrics(MetricFamilies& families) {
  constexpr std::size_t kThreads = 17;
  constexpr std::size_t kStart = 19;
  constexpr std::size_t kVirtual = 20;
  constexpr std::size_t kResident = 21;
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    AppendOne(families, {"process.cpu", MetricKind::kCounter, "s", "Processor time used."},
              seconds(used.ru_utime) + seconds(used.ru_stime));
  }
  if (const std::vector<double> fields = StatFields(); fields.size() > kResident) {
    AppendOne(families, {"process.resident_memory", MetricKind::kGauge, "By", "Memory in use."},
              fields[kResident] * static_cast<double>(sysconf(_SC_PAGESIZE)));
    AppendOne(families, {"process.virtual_memory", MetricKind::kGauge, "By", "Address space."},
              fields[kVirtual]);
    AppendOne(families, {"process.threads", MetricKind::kGauge, "", "Threads."}, fields[kThreads]);
    AppendOne(families,
              {"process.start_time", MetricKind::kGauge, "s", "Start, in seconds since 1970."},
              BootTime() + fields[kStart] / static_cast<double>(sysconf(_SC_CLK_TCK)));
  }
  if (const double open = OpenDescriptors(); open >= 0)
    AppendOne(families, {"process.open_fds", MetricKind::kGauge, "", "Open descriptors."}, open);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    AppendOne(families, {"process.max_fds", MetricKind::kGauge, "", "Most open descriptors."},
              static_cast<double>(limit.rlim_cur));
}

}  // namespace toolpost::telemetry
