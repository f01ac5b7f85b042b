// A CallContext for tests: no client, everything settable.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/context.h"

namespace toolpost::mcp {

class TestContext : public CallContext {
 public:
  Principal who;
  std::string id = "request-1";
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  std::stop_source stop;
  JsonObject arguments;  // for calls that outlive the caller's frame

  const Principal& principal() const override { return who; }
  std::string_view request_id() const override { return id; }
  std::string_view protocol_version() const override { return {}; }
  std::chrono::steady_clock::time_point deadline() const override { return until; }
  std::stop_token stop_token() const override { return stop.get_token(); }
  void Progress(double, std::optional<double>, std::string_view) override {}
  void Log(LogLevel, Json, std::string_view) override {}
  bool ClientHas(std::string_view) const override { return false; }
  Result<InputResponses> Ask(std::vector<InputRequest>) override {
    return Error{Code::kMissingCapability, "The client answers no questions", {}};
  }
  const Json& state() const override { return state_; }
  void SetState(Json state) override { state_ = std::move(state); }
  Result<void> BecomeTask() override { return {}; }
  void ReleaseStream() override {}
  const JsonObject& meta() const override { return meta_; }

 private:
  Json state_;
  JsonObject meta_;
};

}  // namespace toolpost::mcp
