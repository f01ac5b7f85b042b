// One thread is plenty for monitors.
#include "transport/metrics_listener.h"

#include "api/mcp_endpoint.h"
#include "config/bind.h"

namespace toolpost::transport {
namespace {

constexpr std::size_t kConnections = 100;
constexpr std::chrono::seconds kLastWrites{1};

net::ServerOptions NetOptions(const std::string& host, std::uint16_t port) {
  net::ServerOptions options;
  options.hosts = {host == "localhost" ? "127.0.0.1" : host};
  options.port = port;
  options.threads = 1;
  options.max_connections = kConnections;
  options.max_body_bytes = 0;
  return options;
}

}  // namespace

MetricsListener::MetricsListener(const mcp::Core& core, const std::string& host, std::uint16_t port,
                                 const HttpIdentity& identity)
    : guard_({}, {}),
      door_(identity.authenticator, 0, identity.on_denial),
      // Where other machines come in, they use names this one does not know; credentials protect.
      health_(core, config::IsLoopback(host) ? &guard_ : nullptr, door_, config::IsLoopback(host)),
      server_(NetOptions(host, port),
              [this](const net::Request& request, const std::shared_ptr<net::Exchange>& exchange) {
                if (api::HealthEndpoint::Serves(request.path))
                  return health_.Handle(request, exchange);
                api::SendError(*exchange, 404,
                               Error{Code::kMethodNotFound, "Nothing here but /metrics", {}}, {});
              }) {}

void MetricsListener::Stop() { server_.Stop(kLastWrites); }

}  // namespace toolpost::transport
