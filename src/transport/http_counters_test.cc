#include "transport/http_counters.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

namespace toolpost::transport {
namespace {

std::map<std::string, double> Counted(const HttpCounters& counters) {
  telemetry::MetricFamilies families;
  counters.AppendTo(families);
  std::map<std::string, double> counted;
  for (const telemetry::Sample& sample : families.at(0).samples)
    counted[sample.labels.at(0).value + " " + sample.labels.at(1).value] = sample.value;
  return counted;
}

TEST(HttpCounters, CountsByRouteAndStatus) {
  HttpCounters counters;
  for (const char* path : {"/mcp", "/mcp/canonical", "/mcp/x/files"}) counters.Count(path, 200);
  counters.Count("/", 200);
  counters.Count("/rpc", 401);
  counters.Count("/.well-known/oauth-protected-resource", 200);
  const std::map<std::string, double> expected = {
      {"/mcp 200", 3}, {"/ 200", 1}, {"/rpc 401", 1}, {"/.well-known 200", 1}};
  EXPECT_EQ(Counted(counters), expected);
}

TEST(HttpCounters, StrangersShareOneLabel) {
  HttpCounters counters;
  for (const char* path : {"", "/admin.php", "/mcpx", "//mcp", "no slash", "/MCP"})
    counters.Count(path, 404);
  counters.Count("/mcp", 299);
  const std::map<std::string, double> expected = {{"_other 404", 6}, {"/mcp _other", 1}};
  EXPECT_EQ(Counted(counters), expected);
}

TEST(HttpCounters, LosesNothingBetweenThreads) {
  HttpCounters counters;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 10; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) counters.Count("/mcp", 200);
    });
  }
  threads.clear();
  EXPECT_EQ(Counted(counters).at("/mcp 200"), 10'000);
}

}  // namespace
}  // namespace toolpost::transport
