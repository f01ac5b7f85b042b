#include "mcp/request_counters.h"

#include <gtest/gtest.h>

#include <thread>

namespace toolpost::mcp {
namespace {

using namespace std::chrono_literals;

TEST(RequestCounters, PRD_FR_001_5_CountsRequests) {
  RequestCounters counters;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 10; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) counters.Count(n % 4 != 0);
    });
  }
  threads.clear();
  EXPECT_EQ(counters.total(), 10'000u);
  EXPECT_EQ(counters.failed(), 2'500u);
  counters.Reset();
  EXPECT_EQ(counters.total(), 0u);
  EXPECT_EQ(counters.failed(), 0u);
}

TEST(RequestCounters, TimesMethodsOfMcpEachAndAllOthersTogether) {
  RequestCounters counters;
  const auto now = std::chrono::steady_clock::now();
  for (const char* method : {"tools/list", "ping", "ping", "no/such", "", "another"})
    counters.Record(method, {}, 1ms, now, "r");
  counters.Record("ping", Ending::Failed(Code::kInternal, true), 1ms, now, "r");
  const auto methods = counters.Methods();
  ASSERT_EQ(methods.size(), 3u);
  EXPECT_EQ(methods[0].name, "tools/list");
  EXPECT_EQ(methods[1].name, "ping");
  EXPECT_EQ(methods[1].reading.total(), 3u);
  EXPECT_EQ(methods[1].reading.failed(), 1u);
  EXPECT_EQ(methods[2].name, RequestCounters::kOther);
  EXPECT_EQ(methods[2].reading.total(), 3u);
  EXPECT_EQ(RequestCounters::KnownMethod("prompts/get"), "prompts/get");
  EXPECT_EQ(RequestCounters::KnownMethod("Prompts/get"), RequestCounters::kOther);
}

TEST(RequestCounters, CanBeToldNotToTime) {
  RequestCounters counters;
  counters.SetTimed(false);
  counters.Record("ping", {}, 1ms, std::chrono::steady_clock::now(), "r");
  counters.Count(true);
  EXPECT_TRUE(counters.Methods().empty());
  EXPECT_EQ(counters.total(), 1u);
}

}  // namespace
}  // namespace toolpost::mcp
