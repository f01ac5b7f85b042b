// For tests only: the web tools against real servers on this machine.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "base/log.h"
#include "mcp/test_context.h"
#include "net/testing.h"
#include "tools/web/web.h"

namespace toolpost::tools::web {

class WebFixture : public ::testing::Test {
 protected:
  using Request = net::Request;
  using Exchange = net::Exchange;
  using TestServer = net::testing::TestServer;

  WebFixture() { base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson); }

  // The defaults of the option table, with this machine reachable.
  static config::Config LocalConfig() {
    config::Config config = *config::Load({.working_directory = "/nonexistent"});
    config.web.allow_loopback = true;
    return config;
  }
  WebServices Services(const config::Config& config = LocalConfig()) const {
    auto services = MakeServices(config, [] { return std::uint16_t{0}; });
    EXPECT_TRUE(services.has_value()) << services.error().message;
    // Names mean what the test says they mean.
    services->options.resolver = [this](const std::string& host, base::SteadyTime,
                                        std::stop_token) -> Result<std::vector<net::IpAddress>> {
      std::vector<net::IpAddress> addresses;
      const auto [first, last] = names_.equal_range(host);
      for (auto at = first; at != last; ++at)
        addresses.push_back(*net::IpAddress::Parse(at->second));
      if (addresses.empty()) return Error::Unavailable("no such name: " + host);
      return addresses;
    };
    return *services;
  }
  static std::string Url(const TestServer& server, std::string_view path,
                         std::string_view host = "127.0.0.1") {
    return "http://" + std::string(host) + ":" + std::to_string(server.port()) + std::string(path);
  }
  Result<Output> Call(const Tool& tool, const JsonObject& arguments) {
    return tool.handler(arguments, context_);
  }
  Result<Output> RequestWith(const JsonObject& arguments) {
    return Call(RequestTool(Services()), arguments);
  }
  Result<Output> FetchWith(const JsonObject& arguments) {
    return Call(FetchTool(Services()), arguments);
  }
  static std::string Text(const Result<Output>& output, std::string_view name) {
    if (!output) {
      ADD_FAILURE() << output.error().message;
      return {};
    }
    return std::string(output->structured.at(name).as_string());
  }
  static Code CodeOf(const Result<Output>& output) {
    return output ? Code::kInputRequired : output.error().code;
  }

  std::multimap<std::string, std::string> names_;
  mcp::TestContext context_;
};

}  // namespace toolpost::tools::web
