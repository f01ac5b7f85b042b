// Counts must equal what clients saw, whatever happens at once.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/health_report.h"
#include "toolpost/server.h"
#include "transport/server_impl.h"

namespace toolpost {
namespace {

using namespace std::chrono_literals;

Tool MakeOne(std::string name, Run run,
             std::function<Result<Output>(const JsonObject&, CallContext&)> handler) {
  Tool tool;
  tool.info.name = std::move(name);
  tool.info.run = run;
  tool.input_schema = {{"type", "object"}, {"additionalProperties", false}};
  tool.handler = std::move(handler);
  return tool;
}

Result<Output> Answer(const JsonObject&, CallContext&) { return Output::Text("ok"); }

Result<Output> SayNo(const JsonObject&, CallContext&) {
  Output output = Output::Text("no");
  output.is_error = true;
  return output;
}

Result<Output> UntilStopped(const JsonObject&, CallContext& context) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait(lock, context.stop_token(), [] { return false; });
  return Error::Cancelled();
}

ServerOptions Slow() {
  ServerOptions options;
  options.call_timeout = 3s;
  return options;
}

// What the clients of the test saw.
struct Seen {
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::uint64_t> quick{0};
  std::atomic<std::uint64_t> pooled{0};
  std::atomic<std::uint64_t> missing{0};
  std::atomic<std::uint64_t> reported{0};
  std::atomic<std::uint64_t> invalid{0};
  std::atomic<std::uint64_t> timeouts{0};
  std::atomic<std::uint64_t> cancelled{0};
};

class Exactness : public ::testing::Test {
 protected:
  Exactness() : server_(Slow()) {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    const auto add = [this](Tool tool) { EXPECT_TRUE(server_.AddTool(std::move(tool))); };
    add(MakeOne("demo/quick", Run::kInline, Answer));
    add(MakeOne("demo/pooled", Run::kPool, Answer));
    add(MakeOne("demo/missing", Run::kInline, [](const JsonObject&, CallContext&) {
      return Result<Output>(Error::NotFound("Nothing there"));
    }));
    add(MakeOne("demo/reported", Run::kPool, SayNo));
    add(MakeOne("demo/stopped", Run::kPool, UntilStopped));
  }

  void Call(const char* tool, const JsonObject& arguments, std::atomic<std::uint64_t>& kind,
            bool ok) {
    const Result<Output> result = server_.Call(tool, arguments);
    ++seen_.requests;
    const bool failed = !result || result->is_error;
    EXPECT_EQ(failed, !ok) << tool;
    if (failed) ++seen_.failed;
    ++kind;
  }

  void MixedCalls(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      Call("demo/quick", {}, seen_.quick, true);
      Call("demo_pooled", {}, seen_.pooled, true);
      Call("demo/missing", {}, seen_.missing, false);
      Call("demo/reported", {}, seen_.reported, false);
      Call("demo/quick", {{"unknown", 1}}, seen_.invalid, false);
    }
  }

  // A client that takes back every call it makes.
  void CancelledCalls(int count) {
    auto [mine, theirs] = MakeMemoryTransport();
    std::jthread serving([this, end = theirs] { server_.Serve(end); });
    mine->Write(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    EXPECT_TRUE(mine->Read());
    ++seen_.requests;
    mine->Write(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    for (int i = 1; i <= count; ++i) {
      mine->Write(base::StrCat(R"({"jsonrpc":"2.0","id":)", i,
                               R"(,"method":"tools/call","params":{"name":"demo_stopped"}})"));
      mine->Write(base::StrCat(
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)", i,
          "}}"));
      ++seen_.requests;
      ++seen_.failed;
      ++seen_.cancelled;
    }
    AwaitRequests();
    mine->Close();
  }

  // Cancelled requests are not answered: their end shows in the counts only.
  void AwaitRequests() {
    Await([this] { return Report().requests >= seen_.requests; });
  }
  template <typename Condition>
  static void Await(Condition condition) {
    const auto give_up = std::chrono::steady_clock::now() + 60s;
    while (!condition() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(1ms);
  }
  mcp::HealthReport Report() { return mcp::ReportHealth(server_.impl().core); }

  Server server_;
  Seen seen_;
};

TEST_F(Exactness,
       PRD_FR_007_2_PRD_AC_002_5_PRD_AC_INT_4_HundredThousandMixedCallsAreCountedExactly) {
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 4; ++i) clients.emplace_back([this] { MixedCalls(4'960); });
    for (int i = 0; i < 2; ++i) clients.emplace_back([this] { CancelledCalls(400); });
    for (int i = 0; i < 16; ++i) {
      clients.emplace_back([this] { Call("demo/stopped", {}, seen_.timeouts, false); });
    }
  }
  AwaitRequests();
  Await([this] { return Report().running_calls == 0; });  // counted a moment before it is over
  EXPECT_GE(seen_.requests, 100'000u);
  const mcp::HealthReport report = Report();
  EXPECT_EQ(report.requests, seen_.requests);
  EXPECT_EQ(report.failed_requests, seen_.failed);
  EXPECT_EQ(report.running_calls, 0u);
  EXPECT_EQ(report.queued_calls, 0u);

  std::map<std::string, std::uint64_t> counted;
  for (const mcp::ToolReport& tool : report.tools) {
    counted[tool.name + " OK"] = tool.metrics.successful_invocations;
    for (const mcp::ErrorReport& error : tool.errors)
      counted[base::StrCat(tool.name, " ", error.type)] = error.count;
  }
  const std::map<std::string, std::uint64_t> expected = {
      {"demo/quick OK", seen_.quick},
      {"demo/quick INVALID_ARGUMENT", seen_.invalid},
      {"demo/pooled OK", seen_.pooled},
      {"demo/missing OK", 0},
      {"demo/missing NOT_FOUND", seen_.missing},
      {"demo/reported OK", 0},
      {"demo/reported TOOL_ERROR", seen_.reported},
      {"demo/stopped OK", 0},
      {"demo/stopped CANCELLED", seen_.cancelled},
      {"demo/stopped TIMEOUT", seen_.timeouts}};
  EXPECT_EQ(counted, expected);
}

}  // namespace
}  // namespace toolpost
