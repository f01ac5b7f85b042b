// For tests only: tools behind the JSON-RPC controller, with a state directory of their own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/controller.h"
#include "mcp/core.h"

namespace toolpost::tools {

class ControllerFixture : public ::testing::Test {
 protected:
  // A key of a vault: 32 bytes in base64.
  static constexpr std::string_view kOldKey = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";
  static constexpr std::string_view kNewKey = "Uew8Ap2aiZoh5Wae/XiaNX2PVHXpnC6kPVX0Tcow4FA=";

  ControllerFixture() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_tools_XXXXXX").string();
    directory_ = mkdtemp(name.data());
    ServerOptions options;
    options.state_directory = StateDirectory();
    core_ = std::make_unique<mcp::Core>(options);
  }
  ~ControllerFixture() override {
    base::SetNowForTest({});
    std::filesystem::remove_all(directory_);
  }

  std::string StateDirectory() const { return directory_ + "/state"; }

  // One message through the controller, as POST /rpc gives it.
  Json Rpc(std::string_view message, const Principal& principal = {}) const {
    const auto body = mcp::Body::Parse(message);
    EXPECT_TRUE(body) << message;
    if (!body) return {};
    std::promise<std::string> promise;
    mcp::ToolView view;
    view.credential = principal.credential;
    mcp::ServeController(*core_, *body, std::make_shared<Principal>(principal), view,
                         [&](std::string text) { promise.set_value(std::move(text)); });
    const std::string reply = promise.get_future().get();
    const auto parsed = base::ParseJson(reply);
    EXPECT_TRUE(parsed) << reply;
    return parsed ? *parsed : Json();
  }
  // A tool's name as the method; `params` as JSON.
  Json Direct(std::string_view method, std::string_view params) const {
    return Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method, R"(","params":)",
                            params, "}"));
  }
  JsonObject Data(std::string_view method, std::string_view params) const {
    return DataOf(Direct(method, params));
  }
  Json Envelope(std::string_view tool, std::string_view arguments) const {
    return Rpc(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")",
                            tool, R"(","arguments":)", arguments, "}}"));
  }
  static JsonObject DataOf(const Json& reply) {
    const Json* result = reply.as_object().if_contains("result");
    EXPECT_NE(result, nullptr) << reply;
    return result == nullptr ? JsonObject() : result->as_object();
  }
  static std::int64_t CodeOf(const Json& reply) {
    const Json* error = reply.as_object().if_contains("error");
    return error == nullptr ? 0 : error->at("code").as_int64();
  }
  static std::string MessageOf(const Json& reply) {
    const Json* error = reply.as_object().if_contains("error");
    return error == nullptr ? "" : std::string(error->at("message").as_string());
  }
  static std::string Text(const Json& value) { return std::string(value.as_string()); }

  static void SetNow(std::string_view time) { base::SetNowForTest(*base::FromIso8601(time)); }

  // Every byte of every file in the state directory.
  std::string StoredBytes() const {
    std::string bytes;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(StateDirectory())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      bytes.append(std::istreambuf_iterator<char>(file), {});
    }
    return bytes;
  }

  std::string directory_;
  std::unique_ptr<mcp::Core> core_;
};

}  // namespace toolpost::tools
