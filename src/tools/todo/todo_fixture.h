// The todo tools behind a registry, on both engines.
#pragma once

#include <gmock/gmock.h>

#include <future>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/controller.h"
#include "mcp/core.h"
#include "store/store_fixture.h"
#include "tools/todo/todo.h"

namespace toolpost::tools::todo {

// Every tool behind the registry, for users of the test's choice.
class TodoTest : public store::StoreTest {
 protected:
  void SetUp() override {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    StoreTest::SetUp();
    services_ = {.store = store_,
                 .users = std::make_shared<store::Users>(store_),
                 .changed = [this](const std::string& user) { told_.push_back(user); }};
    ServerOptions options;
    options.state_directory = (directory_ / "results").string();
    core_ = std::make_unique<mcp::Core>(options);
    for (Tool& tool : Tools(services_)) ASSERT_TRUE(core_->registry.Add(std::move(tool)));
  }
  void TearDown() override {
    core_->Stop();
    core_.reset();
    services_ = {};
    base::SetNowForTest({});
    StoreTest::TearDown();
  }

  // The whole answer to a request.
  JsonObject Ask(std::string_view method, std::string_view params, std::string_view user = "ann") {
    const auto body = mcp::Body::Parse(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method,
                                                    R"(","params":)", params, "}"));
    EXPECT_TRUE(body) << params;
    auto principal = std::make_shared<Principal>();
    principal->user = user;
    principal->credential = credential_;
    std::promise<std::string> promise;
    mcp::ServeController(*core_, *body, principal, {},
                         [&](std::string text) { promise.set_value(std::move(text)); });
    const auto reply = base::ParseJson(promise.get_future().get());
    EXPECT_TRUE(reply);
    return reply->as_object();
  }
  // The result of tools/call.
  JsonObject Result(std::string_view tool, std::string_view arguments,
                    std::string_view user = "ann") {
    return Ask("tools/call",
               base::StrCat(R"({"name":")", tool, R"(","arguments":)", arguments, "}"), user)
        .at("result")
        .as_object();
  }
  // `{status, message, data}`, the same in text and structure.
  JsonObject Envelope(std::string_view tool, std::string_view arguments,
                      std::string_view user = "ann") {
    const JsonObject result = Result(tool, arguments, user);
    JsonObject envelope = result.at("structuredContent").as_object();
    EXPECT_EQ(*base::ParseJson(std::string_view(result.at("content").at(0).at("text").as_string())),
              Json(envelope));
    const Json* failed = result.if_contains("isError");
    EXPECT_EQ(failed != nullptr && failed->as_bool(), envelope.at("status") == "error");
    EXPECT_EQ(envelope.size(), 3u);
    return envelope;
  }
  std::string Message(std::string_view tool, std::string_view arguments,
                      std::string_view user = "ann") {
    return std::string(Envelope(tool, arguments, user).at("message").as_string());
  }
  void Refuses(std::string_view tool, std::string_view arguments, std::string_view message) {
    const JsonObject envelope = Envelope(tool, arguments);
    EXPECT_EQ(envelope.at("status"), "error") << tool << arguments;
    EXPECT_EQ(std::string_view(envelope.at("message").as_string()), message) << tool << arguments;
    EXPECT_TRUE(envelope.at("data").is_null());
  }
  JsonObject Data(std::string_view tool, std::string_view arguments,
                  std::string_view user = "ann") {
    const JsonObject envelope = Envelope(tool, arguments, user);
    EXPECT_EQ(envelope.at("status"), "success") << envelope.at("message");
    return envelope.at("data").is_object() ? envelope.at("data").as_object() : JsonObject();
  }

  TodoServices services_;
  std::unique_ptr<mcp::Core> core_;
  std::shared_ptr<Credential> credential_;  // of every caller
  std::vector<std::string> told_;           // whose tasks changed; calls come one at a time
};

}  // namespace toolpost::tools::todo
