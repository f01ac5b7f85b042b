// What a Server owns.
#pragma once

#include <memory>
#include <mutex>

#include "mcp/core.h"
#include "toolpost/server.h"
#include "transport/http.h"
#include "transport/metrics_listener.h"

namespace toolpost {

class Server::Impl {
 public:
  explicit Impl(ServerOptions options) : core(std::move(options)) {}

  mcp::Core core;
  Principal local_principal;              // who speaks on stdio and attached transports
  transport::HttpIdentity http_identity;  // set before StartHttp
  std::mutex mutex;
  std::unique_ptr<transport::HttpListener> http;
  std::unique_ptr<transport::MetricsListener> metrics;  // of the program; stopped last
};

}  // namespace toolpost
