#include "mcp/tool_gate.h"

#include <gtest/gtest.h>

#include <latch>
#include <stdexcept>
#include <thread>

#include "base/strings.h"
#include "mcp/registry_fixture.h"

namespace toolpost::mcp {
namespace {

class ToolGateTest : public RegistryFixture {
 protected:
  // Adds test/tool with this handler.
  void Add(ToolHandler handler, toolpost::Run run = toolpost::Run::kInline) {
    Tool tool = Plain("test/tool");
    tool.info.run = run;
    tool.input_schema = Parse(R"({"type":"object","properties":{
        "path":{"type":"string"},"limit":{"type":"integer","maximum":200},"note":{"type":["string","null"]}},
        "required":["path"],"additionalProperties":false})");
    tool.handler = std::move(handler);
    ASSERT_TRUE(registry.Add(std::move(tool)));
  }
  void AddFailing(Error error) {
    Add([error = std::move(error)](const JsonObject&, CallContext&) -> Result<Output> {
      return error;
    });
  }
  CallOutcome CallTool() { return Call("test/tool", {{"path", "x"}}); }

  static Result<Output> Echo(const JsonObject& arguments, CallContext&) {
    return Output::Structured(arguments);
  }
};

TEST_F(ToolGateTest, PRD_FR_007_1_RunsInlineAndOnThePool) {
  for (const toolpost::Run run : {toolpost::Run::kInline, toolpost::Run::kPool}) {
    Add(Echo, run);
    const CallOutcome outcome = CallTool();
    EXPECT_FALSE(outcome.error);
    EXPECT_EQ(outcome.output.structured, Parse(R"({"path":"x"})"));
    ASSERT_TRUE(registry.Remove("test/tool"));
  }
}

TEST_F(ToolGateTest, UnknownToolsGetASuggestion) {
  Add(Echo);
  CallOutcome outcome = Call("test_tol");
  ASSERT_TRUE(outcome.error);
  EXPECT_TRUE(outcome.protocol_error);
  EXPECT_EQ(outcome.error->code, Code::kInvalidArgument);
  EXPECT_EQ(outcome.error->message, "Unknown tool: test_tol. Did you mean test_tool?");
  EXPECT_EQ(Call("test/tol").error->message, "Unknown tool: test/tol. Did you mean test/tool?");
  EXPECT_EQ(Call("xyz").error->message, "Unknown tool: xyz");
  EXPECT_LT(Call(std::string(100'000, 'x')).error->message.size(), 200u);
}

TEST_F(ToolGateTest, PRD_FR_007_5_ListsAllArgumentErrors) {
  bool ran = false;
  Add([&](const JsonObject&, CallContext&) -> Result<Output> {
    ran = true;
    return Output::Text("ok");
  });
  const CallOutcome outcome = Call("test/tool", {{"limit", 500}});
  EXPECT_FALSE(ran);
  ASSERT_TRUE(outcome.error);
  EXPECT_FALSE(outcome.protocol_error);
  EXPECT_TRUE(outcome.output.is_error);
  EXPECT_EQ(outcome.error->code, Code::kInvalidArgument);
  EXPECT_EQ(outcome.error->data.as_array().size(), 2u);
  const std::string text = TextOf(outcome);
  EXPECT_TRUE(text.starts_with("Invalid arguments for test/tool: ")) << text;
  EXPECT_NE(text.find("/path is required"), std::string::npos) << text;
  EXPECT_NE(text.find("/limit must be at most 200"), std::string::npos) << text;
}

TEST_F(ToolGateTest, ArgumentErrorsInTheToolsOwnShape) {
  Tool tool = Plain("test/tool");
  tool.render_argument_errors = [](const std::vector<Violation>& violations) {
    return Output::Text(violations.at(0).rule);
  };
  ASSERT_TRUE(registry.Add(std::move(tool)));
  const CallOutcome outcome = Call("test/tool", {{"x", 1}});
  EXPECT_EQ(TextOf(outcome), "additionalProperties");
  EXPECT_TRUE(outcome.output.is_error);
}

TEST_F(ToolGateTest, FailuresAndRefusalsInTheToolsOwnShape) {
  Tool tool = Plain("test/tool");
  tool.info.permissions = {"write"};
  tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Error::NotFound("gone");
  };
  tool.render_failure = [](const Error& error) { return Output::Text("own: " + error.message); };
  ASSERT_TRUE(registry.Add(tool));
  EXPECT_EQ(TextOf(Call("test/tool")), "own: gone");
  context = std::make_shared<TestContext>();
  context->who.credential = std::make_shared<Credential>();
  const CallOutcome refused = CallWithContext("test/tool");
  EXPECT_TRUE(TextOf(refused).starts_with("own: Permission denied: ")) << TextOf(refused);
  EXPECT_TRUE(refused.output.is_error);
  EXPECT_EQ(refused.error->code, Code::kPermissionDenied);
  context = std::make_shared<TestContext>();
  context->stop.request_stop();
  EXPECT_TRUE(CallWithContext("test/tool").protocol_error) << "cancellation has no result";
}

TEST_F(ToolGateTest, ARendererThatThrowsLeavesTheMessage) {
  Tool tool = Plain("test/tool");
  tool.info.permissions = {"write"};
  tool.render_failure = [](const Error&) -> Output { throw std::runtime_error("no"); };
  ASSERT_TRUE(registry.Add(std::move(tool)));
  context = std::make_shared<TestContext>();
  context->who.credential = std::make_shared<Credential>();
  const CallOutcome refused = CallWithContext("test/tool");
  EXPECT_TRUE(TextOf(refused).starts_with("Permission denied: ")) << TextOf(refused);
  EXPECT_TRUE(refused.output.is_error);
}

TEST_F(ToolGateTest, NullMeansAbsentForOptionalArguments) {
  for (const toolpost::Run run : {toolpost::Run::kInline, toolpost::Run::kPool}) {
    Add(Echo, run);
    EXPECT_EQ(
        Call("test/tool", {{"path", "x"}, {"limit", nullptr}, {"note", nullptr}}).output.structured,
        Parse(R"({"path":"x"})"));
    EXPECT_TRUE(Call("test/tool", {{"path", nullptr}}).error)
        << "a required one stays null and is refused";
    EXPECT_TRUE(Call("test/tool", {{"path", "x"}, {"unknown", nullptr}}).error);
    ASSERT_TRUE(registry.Remove("test/tool"));
  }
}

TEST_F(ToolGateTest, NoArgumentsMeansAnEmptyObject) {
  ASSERT_TRUE(registry.Add(Plain("a/b")));
  auto mine = std::make_shared<TestContext>();
  bool called = false;
  registry.Call({"a/b", nullptr, {}, mine},
                [&](const CallOutcome& outcome) { called = !outcome.error; });
  EXPECT_TRUE(called);
}

TEST_F(ToolGateTest, WithoutValidationArgumentsArriveAsSent) {
  Tool tool = Plain("test/tool");
  tool.validate = false;
  tool.handler = Echo;
  ASSERT_TRUE(registry.Add(std::move(tool)));
  EXPECT_EQ(Call("test/tool", {{"any", nullptr}}).output.structured, Parse(R"({"any":null})"));
}

TEST_F(ToolGateTest, PRD_FR_007_4_ErrorsAreResultsTheModelCanRead) {
  AddFailing(Error::NotFound("No such file"));
  const CallOutcome outcome = CallTool();
  EXPECT_FALSE(outcome.protocol_error);
  EXPECT_EQ(outcome.error->code, Code::kNotFound);
  EXPECT_TRUE(outcome.output.is_error);
  EXPECT_EQ(TextOf(outcome), "No such file");
}

TEST_F(ToolGateTest, VerbatimErrorsKeepTheirStructure) {
  AddFailing(Error::Verbatim("Login failed", {{"number", 18456}}));
  EXPECT_EQ(TextOf(CallTool()), "Login failed");
  EXPECT_EQ(CallTool().output.structured, Parse(R"({"error":{"number":18456}})"));
  ASSERT_TRUE(registry.Remove("test/tool"));
  AddFailing(Error::Verbatim("Login failed", {}));
  EXPECT_EQ(CallTool().output.structured, Parse(R"({"error":{"message":"Login failed"}})"));
}

TEST_F(ToolGateTest, AToolMayShapeItsVerbatimErrorsItself) {
  Tool tool = Plain("test/tool");
  tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Error::Verbatim("Login failed", {{"number", 18456}});
  };
  tool.render_failure = [](const Error& error) {
    Output output = Output::Text(error.message);
    output.meta["number"] = error.data.at("number");
    return output;
  };
  ASSERT_TRUE(registry.Add(std::move(tool)));
  const CallOutcome outcome = Call("test/tool");
  EXPECT_EQ(TextOf(outcome), "Login failed");
  EXPECT_EQ(outcome.output.meta.at("number"), 18456);
  EXPECT_TRUE(outcome.output.is_error);
  EXPECT_TRUE(outcome.error->verbatim);
}

TEST_F(ToolGateTest, QuestionsAndCancellationAreProtocolErrors) {
  for (const Code code :
       {Code::kInputRequired, Code::kMissingCapability, Code::kCancelled, Code::kUrlElicitation}) {
    AddFailing({code, "x", {}});
    const CallOutcome outcome = CallTool();
    EXPECT_TRUE(outcome.protocol_error);
    EXPECT_EQ(outcome.error->code, code);
    ASSERT_TRUE(registry.Remove("test/tool"));
  }
}

TEST_F(ToolGateTest, AQuestionIsNotCounted) {
  AddFailing({Code::kInputRequired, "x", {}});
  (void)CallTool();
  EXPECT_EQ(registry.GetMetrics().tools.at("test/tool").total_invocations, 0u);
}

TEST_F(ToolGateTest, PRD_NFR_019_ExceptionsAreInternalWithoutDetail) {
  Add([](const JsonObject&, CallContext&) -> Result<Output> {
    throw std::runtime_error("password=hunter2");
  });
  CallOutcome outcome = CallTool();
  EXPECT_EQ(outcome.error->code, Code::kInternal);
  EXPECT_EQ(TextOf(outcome).find("hunter2"), std::string::npos);
  EXPECT_NE(TextOf(outcome).find("request-1"), std::string::npos);
  ASSERT_TRUE(registry.Remove("test/tool"));
  Add([](const JsonObject&, CallContext&) -> Result<Output> { throw 5; }, toolpost::Run::kPool);
  EXPECT_EQ(CallTool().error->code, Code::kInternal);
}

TEST_F(ToolGateTest, StoppedCallsDoNotRun) {
  bool ran = false;
  Add([&](const JsonObject&, CallContext&) -> Result<Output> {
    ran = true;
    return Output::Text("ok");
  });
  context = std::make_shared<TestContext>();
  context->stop.request_stop();
  CallOutcome outcome = CallWithContext("test/tool", {{"path", "x"}});
  EXPECT_TRUE(outcome.protocol_error);
  EXPECT_EQ(outcome.error->code, Code::kCancelled);
  context->until = std::chrono::steady_clock::now();
  outcome = CallWithContext("test/tool", {{"path", "x"}});
  EXPECT_FALSE(outcome.protocol_error);
  EXPECT_EQ(outcome.error->code, Code::kTimeout);
  EXPECT_TRUE(outcome.output.is_error);
  EXPECT_FALSE(ran);
}

TEST_F(ToolGateTest, AFullPoolAnswersBusy) {
  base::ThreadPool small(1, 1);
  Registry own({}, small, events, results, limits);
  std::latch entered(1);
  std::latch release(1);
  Tool tool = Plain("test/tool");
  tool.info.run = toolpost::Run::kPool;
  std::atomic<int> runs{0};
  tool.handler = [&](const JsonObject&, CallContext&) -> Result<Output> {
    if (runs++ == 0) {
      entered.count_down();
      release.wait();
    }
    return Output::Text("ok");
  };
  ASSERT_TRUE(own.Add(std::move(tool)));
  std::latch finished(2);
  auto mine = std::make_shared<TestContext>();
  const auto count = [&](const CallOutcome& outcome) {
    EXPECT_FALSE(outcome.error);
    finished.count_down();
  };
  own.Call({"test/tool", nullptr, {}, mine}, count);
  entered.wait();
  own.Call({"test/tool", nullptr, {}, mine}, count);
  std::optional<CallOutcome> refused;
  own.Call({"test/tool", nullptr, {}, mine},
           [&](CallOutcome outcome) { refused = std::move(outcome); });
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->protocol_error);
  EXPECT_EQ(refused->error->code, Code::kUnavailable);
  release.count_down();
  finished.wait();
}

TEST_F(ToolGateTest, PRD_US_007_TheTimeOfACallIncludesItsWaitForAWorker) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kWait{20};
  base::ThreadPool small(1, 1);
  Registry own({}, small, events, results, limits);
  std::latch entered(1);
  std::latch release(1);
  Tool tool = Plain("test/first");
  tool.info.run = toolpost::Run::kPool;
  tool.handler = [&](const JsonObject&, CallContext&) -> Result<Output> {
    entered.count_down();
    release.wait();
    return Output::Text("ok");
  };
  ASSERT_TRUE(own.Add(tool));
  tool.info.name = "test/second";
  tool.handler = Plain("x").handler;
  ASSERT_TRUE(own.Add(std::move(tool)));
  std::latch finished(2);
  const auto count = [&](const CallOutcome&) { finished.count_down(); };
  own.Call({"test/first", nullptr, {}, std::make_shared<TestContext>()}, count);
  entered.wait();
  own.Call({"test/second", nullptr, {}, std::make_shared<TestContext>()}, count);
  const auto waits_until = Clock::now() + kWait;
  while (Clock::now() < waits_until) std::this_thread::yield();
  release.count_down();
  finished.wait();
  for (const auto& [name, reading] : own.ReadCounters())
    EXPECT_GE(std::chrono::nanoseconds(reading.successes.total_ns), kWait) << name;
}

TEST_F(ToolGateTest, CallsDroppedAtShutdownAreAnswered) {
  auto small = std::make_unique<base::ThreadPool>(1, 4);
  auto own = std::make_unique<Registry>(Registry::Options{}, *small, events, results, limits);
  std::latch entered(1);
  std::latch release(1);
  Tool tool = Plain("test/tool");
  tool.info.run = toolpost::Run::kPool;
  tool.handler = [&](const JsonObject&, CallContext&) -> Result<Output> {
    entered.count_down();
    release.wait();
    return Output::Text("ok");
  };
  ASSERT_TRUE(own->Add(std::move(tool)));
  std::promise<Code> dropped;
  auto mine = std::make_shared<TestContext>();
  own->Call({"test/tool", nullptr, {}, mine}, [](const CallOutcome&) {});
  entered.wait();
  own->Call({"test/tool", nullptr, {}, mine},
            [&](const CallOutcome& outcome) { dropped.set_value(outcome.error->code); });
  own.reset();  // calls outlive the registry
  std::jthread stopper([&] { small->Stop(); });
  while (small->queued() != 0) std::this_thread::yield();
  release.count_down();
  EXPECT_EQ(dropped.get_future().get(), Code::kUnavailable);
}

TEST_F(ToolGateTest, ThePoolKeepsTheContextAlive) {
  std::latch entered(1);
  std::latch release(1);
  Add(
      [&](const JsonObject& arguments, CallContext&) -> Result<Output> {
        entered.count_down();
        release.wait();
        return Output::Structured(arguments);
      },
      toolpost::Run::kPool);
  auto mine = std::make_shared<TestContext>();
  mine->arguments = {{"path", "kept"}};
  std::promise<CallOutcome> promise;
  registry.Call({std::string("test/tool"), &mine->arguments, {}, mine},
                [&](CallOutcome outcome) { promise.set_value(std::move(outcome)); });
  entered.wait();
  mine.reset();
  release.count_down();
  EXPECT_EQ(promise.get_future().get().output.structured, Parse(R"({"path":"kept"})"));
}

TEST_F(ToolGateTest, ResultsObeyTheBudget) {
  const ToolHandler big = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Structured({{"text", std::string(5000, 'x')}});
  };
  Add(big);
  EXPECT_FALSE(CallTool().output.structured.as_object().contains("truncated"));
  Configure([](auto& o) { o.result_chars = 1000; });
  EXPECT_EQ(CallTool().output.structured.at("truncated"), true);
  Tool own = Plain("test/own");
  own.info.result_chars = 6000;
  own.handler = big;
  ASSERT_TRUE(registry.Add(std::move(own)));
  EXPECT_FALSE(Call("test/own").output.structured.as_object().contains("truncated"));
}

TEST_F(ToolGateTest, ResultsForProgramsAreNotCut) {
  Tool tool = Plain("test/big");
  tool.info.result_chars = 1'000;
  tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Structured({{"text", std::string(5'000, 'x')}});
  };
  ASSERT_TRUE(registry.Add(std::move(tool)));
  EXPECT_TRUE(Call("test/big").output.structured.as_object().contains("truncated"));
  CallOutcome whole;
  registry.Call({.name = "test/big", .context = std::make_shared<TestContext>(), .whole = true},
                [&](CallOutcome outcome) { whole = std::move(outcome); });
  EXPECT_FALSE(whole.output.structured.as_object().contains("truncated"));
}

TEST_F(ToolGateTest, PRD_FR_007_3_EmitsToolExecuted) {
  AddFailing(Error::NotFound("no"));
  JsonObject heard;
  std::string principal;
  const auto stop = events.Subscribe([&](const Event& event) {
    heard = event.data;
    principal = event.principal;
  });
  (void)CallTool();
  EXPECT_EQ(principal, "local");
  EXPECT_EQ(heard.at("code"), "NOT_FOUND");
  EXPECT_EQ(heard.at("tool"), "test/tool");
  EXPECT_EQ(heard.at("success"), false);
  EXPECT_EQ(heard.at("requestId"), "request-1");
  EXPECT_GE(heard.at("durationMs").as_double(), 0);
}

#ifndef NDEBUG
TEST_F(ToolGateTest, DebugBuildsCheckResultsAgainstTheOutputSchema) {
  Tool tool = Plain("test/tool");
  tool.output_schema = Parse(R"({"type":"object","required":["a"]})");
  tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
    return Output::Structured({{"b", 1}});
  };
  ASSERT_TRUE(registry.Add(std::move(tool)));
  EXPECT_EQ(Call("test/tool").error->code, Code::kInternal);
}
#endif

TEST_F(ToolGateTest, PRD_7_4_enableMetrics_OffCountsNothing) {
  Add(Echo);
  registry.Configure({.metrics = false});
  CallTool();
  EXPECT_EQ(registry.GetMetrics().tools.at("test/tool").total_invocations, 0u);
  registry.Configure({.metrics = true});
  CallTool();
  EXPECT_EQ(registry.GetMetrics().tools.at("test/tool").total_invocations, 1u);
}

TEST_F(ToolGateTest, TheControllersRequestFormIsUnwrappedWhereTheToolTakesIt) {
  Tool tool = Plain("test/wrapped");
  tool.input_schema = Parse(R"({"type":"object","properties":{"name":{"type":"string"}},
      "required":["name"],"additionalProperties":false})");
  tool.handler = Echo;
  tool.unwrap_request = true;
  ASSERT_TRUE(registry.Add(std::move(tool)));
  const JsonObject direct{{"name", "x"}};
  EXPECT_EQ(Call("test/wrapped", direct).output.structured, Json(direct));
  EXPECT_EQ(Call("test/wrapped", {{"request", direct}}).output.structured, Json(direct));
  EXPECT_TRUE(Call("test/wrapped", {{"request", direct}, {"name", "y"}}).error);
  EXPECT_TRUE(Call("test/wrapped", {{"request", "x"}}).error);
}

TEST_F(ToolGateTest, CTRL_defect_14_EveryCallAndEveryDenialIsObserved) {
  std::vector<std::string> seen;
  registry.OnCall([&](const CallRecord& call) {
    seen.push_back(base::StrCat(call.tool.name, " ", call.outcome, call.denied ? " denied" : ""));
  });
  Add(Echo);
  CallTool();
  Call("test/tool", {{"path", 7}});
  limits.Configure({.concurrent = 1});
  ASSERT_FALSE(limits.Enter({}));
  CallTool();
  EXPECT_EQ(seen, (std::vector<std::string>{"test/tool OK", "test/tool INVALID_ARGUMENT",
                                            "test/tool RATE_LIMITED denied"}));
}

}  // namespace
}  // namespace toolpost::mcp
