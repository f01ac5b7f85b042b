// Routes.
#include "transport/http.h"

#include <algorithm>

#include "api/rpc_endpoint.h"
#include "base/strings.h"
#include "config/bind.h"
#include "mcp/wire.h"

namespace toolpost::transport {
namespace {

// For replies that are on their way when the calls behind them have ended.
constexpr std::chrono::seconds kLastWrites{1};

net::ServerOptions NetOptions(const HttpOptions& options, HttpCounters& counters) {
  net::ServerOptions net;
  net.on_reply = [&counters](std::string_view path, int status) { counters.Count(path, status); };
  net.hosts = options.hosts;
  net.port = options.port;
  net.threads = options.threads;
  net.max_connections = options.max_connections;
  net.max_body_bytes = options.max_body_bytes;
  // The data is for tRPC clients; the others know the code.
  Error too_large = Error::InvalidRequest(base::StrCat(
      "The body is larger than the limit of ", options.max_body_bytes, " bytes (http.max_body)"));
  too_large.data = JsonObject{{"code", "PAYLOAD_TOO_LARGE"}, {"httpStatus", 413}};
  net.too_large_body = mcp::LegacyErrorMessage({}, too_large);
  net.header_timeout = options.header_timeout;
  net.body_timeout = options.body_timeout;
  net.idle_timeout = options.idle_timeout;
  net.tls_cert = options.tls_cert;
  net.tls_key = options.tls_key;
  return net;
}

bool Contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

HttpListener::HttpListener(mcp::Core& core, const HttpOptions& options, HttpIdentity identity)
    : core_(core),
      options_(options),
      identity_(std::move(identity)),
      guard_(options.allowed_hosts, options.allowed_origins),
      door_(identity_.authenticator, options.address_requests_per_second, identity_.on_denial),
      health_(core, &guard_, door_),
      mcp_(core, ticker_),
      sse_(core, ticker_),
      trpc_(core, ticker_),
      server_(NetOptions(options, *counters_),
              [this](const net::Request& request, std::shared_ptr<net::Exchange> exchange) {
                Route(request, std::move(exchange));
              }) {
  server_.OnTick([this] { ticker_.Tick(); });
}

HttpListener::~HttpListener() { Stop(); }

Result<void> HttpListener::Start() {
  for (const std::string& host : options_.hosts) {
    if (config::IsLoopback(host) || identity_.authenticator->configured()) continue;
    return Error::InvalidParams(base::StrCat(
        "Listening on ", host, ", which other machines can reach, needs authentication"));
  }
  RETURN_IF_ERROR(server_.Start());
  core_.StartSweeping();
  core_.vitals.AddMetrics(
      [counters = counters_](telemetry::MetricFamilies& to) { counters->AppendTo(to); });
  forget_ = core_.vitals.AddTransport([this] {
    return mcp::TransportHealth{.name = "http",
                                .state = draining_ ? "draining" : "listening",
                                .connections = static_cast<std::int64_t>(server_.connections())};
  });
  core_.Opened();
  return {};
}

void HttpListener::Stop() {
  if (draining_.exchange(true)) return;
  trpc_.Stop();
  core_.Drain(options_.drain_timeout);
  core_.sessions.CloseAll();
  if (forget_) forget_();
  server_.Stop(kLastWrites);
}

bool HttpListener::ViewOf(std::string_view path, mcp::ToolView& view) {
  if (path == "/mcp") return true;
  if (path == "/mcp/canonical") return view.canonical = true;
  if (path == "/mcp/readonly") return view.read_only = true;
  constexpr std::string_view kToolset = "/mcp/x/";
  if (!path.starts_with(kToolset) || path.size() == kToolset.size()) return false;
  view.toolset = path.substr(kToolset.size());
  return true;
}

void HttpListener::Route(const net::Request& request, std::shared_ptr<net::Exchange> exchange) {
  if (api::HealthEndpoint::Serves(request.path)) return health_.Handle(request, exchange);
  const bool trpc = api::IsTrpcPath(request.path);
  const api::RefusalForm refuse = trpc ? api::SendTrpcRefusal : api::SendJsonRpcRefusal;
  if (draining_) {
    return refuse(request, *exchange, 503,
                  Error::Unavailable("The server is stopping; try again in a moment"),
                  "Retry-After: 1\r\n");
  }
  api::Guard::Verdict verdict = guard_.Check(request);
  if (!verdict.allowed) {
    return refuse(request, *exchange, 403,
                  Error{Code::kPermissionDenied, std::string(verdict.reason), {}}, {});
  }
  if (request.method == "OPTIONS") {
    return exchange->Send(204, {}, {}, base::StrCat(api::PreflightHeaders(request), verdict.cors));
  }
  if (request.method == "GET" && Contains(identity_.metadata_paths, request.path))
    return exchange->Send(200, "application/json", identity_.metadata, verdict.cors);
  mcp::SharedPrincipal principal =
      trpc ? door_.Admit(api::TrpcHeaders(request).request(), *exchange, verdict.cors, refuse)
           : door_.Admit(request, *exchange, verdict.cors);
  if (!principal) return;
  api::RequestContext context{.principal = std::move(principal),
                              .view = {},
                              .cors = std::move(verdict.cors),
                              .authenticator = identity_.authenticator.get()};
  context.view.credential = context.principal->credential;
  if (mcp::Operation::Traced(core_)) {
    if (const std::string_view trace = request.Find("traceparent"); trace.data() != nullptr)
      context.arrival.ReadHeaders(trace, request.Find("tracestate"));
  }
  if (ViewOf(request.path, context.view))
    return mcp_.Handle(request, std::move(exchange), std::move(context));
  if (request.path == "/" || request.path == "/rpc") {
    return api::HandleRpc(core_, request, std::move(exchange), std::move(context));
  }
  if (trpc) return trpc_.Handle(request, std::move(exchange), std::move(context));
  if (request.path == "/sse") return sse_.Open(request, exchange, context);
  if (request.path == "/messages") return sse_.Post(request, exchange, context);
  if (request.path == "/ws") return api::OpenWebSocket(core_, request, exchange, context);
  if (request.path == "/mcp/capabilities" && request.method == "GET") {
    return exchange->Send(200, "application/json", core_.CapabilitiesDocument(context.view),
                          context.cors);
  }
  api::SendError(*exchange, 404,
                 Error{Code::kMethodNotFound, "Nothing here; MCP is served at /mcp", {}},
                 context.cors);
}

}  // namespace toolpost::transport
