// What tests of the registry share.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_parse.h"
#include "mcp/registry.h"
#include "mcp/test_context.h"

namespace toolpost::mcp {

class RegistryFixture : public ::testing::Test {
 protected:
  // An inline tool without arguments that answers "ok".
  static Tool Plain(std::string name) {
    Tool tool;
    tool.info.name = std::move(name);
    tool.info.run = toolpost::Run::kInline;
    tool.input_schema = Parse(R"({"type":"object","additionalProperties":false})");
    tool.handler = [](const JsonObject&, CallContext&) -> Result<Output> {
      return Output::Text("ok");
    };
    return tool;
  }

  template <typename Change>
  void Configure(Change change) {
    Registry::Options options;
    change(options);
    registry.Configure(std::move(options));
  }

  static Json Parse(std::string_view text) { return *base::ParseJson(text); }

  // Calls and waits. The arguments are kept by the context, as doors do it.
  CallOutcome Call(std::string_view name, JsonObject arguments = {}, ToolView view = {}) {
    context = std::make_shared<TestContext>();
    return CallWithContext(name, std::move(arguments), std::move(view));
  }
  CallOutcome CallWithContext(std::string_view name, JsonObject arguments = {},
                              ToolView view = {}) {
    context->arguments = std::move(arguments);
    std::promise<CallOutcome> promise;
    auto future = promise.get_future();
    registry.Call({name, &context->arguments, std::move(view), context},
                  [&promise](CallOutcome outcome) { promise.set_value(std::move(outcome)); });
    return future.get();
  }
  static std::string TextOf(const CallOutcome& outcome) {
    if (outcome.output.content.empty()) return {};
    return std::string(outcome.output.content.at(0).at("text").as_string());
  }
  JsonObject Page(std::string_view cursor = {}, const ToolView& view = {},
                  Revision revision = kModernRevision) {
    const auto page = registry.ListPage(view, revision, cursor);
    EXPECT_TRUE(page);
    return page ? Parse("{" + **page + "}").as_object() : JsonObject();
  }
  std::vector<std::string> Names(const JsonObject& page) {
    std::vector<std::string> names;
    for (const Json& tool : page.at("tools").as_array())
      names.emplace_back(tool.at("name").as_string());
    return names;
  }

  std::shared_ptr<TestContext> context;
  base::ThreadPool pool{4, 16};
  EventBus events;
  // Below a device there is no directory: spilling fails, for root too.
  ResultStore results{"/dev/null/state", std::chrono::seconds(60)};
  auth::CallLimits limits{{}};
  Registry registry{{}, pool, events, results, limits};
};

}  // namespace toolpost::mcp
