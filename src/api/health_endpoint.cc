// Replies of a few bytes to many, and of all metrics to few.
#include "api/health_endpoint.h"

#include <algorithm>
#include <array>

#include "api/mcp_endpoint.h"
#include "auth/policy.h"
#include "mcp/health_report.h"
#include "mcp/wire.h"
#include "telemetry/build_commit.h"
#include "telemetry/prometheus_text.h"

namespace toolpost::api {
namespace {

constexpr std::array<std::string_view, 4> kPaths = {"/healthz", "/readyz", "/version", "/metrics"};
constexpr std::string_view kNoStore = "Cache-Control: no-store\r\n";

void SendJson(net::Exchange& exchange, int status, const std::string& members) {
  exchange.Send(status, "application/json", "{" + members + "}", kNoStore);
}

std::string ChecksOf(const std::vector<mcp::DependencyHealth>& dependencies, bool explain) {
  std::string checks = "[";
  for (const mcp::DependencyHealth& each : dependencies) {
    std::string members;
    mcp::AppendMember(members, "name", std::string_view(each.name));
    mcp::AppendMember(members, "ok", Json(each.problem.empty()));
    if (explain && !each.problem.empty())
      mcp::AppendMember(members, "problem", std::string_view(each.problem));
    if (checks.size() > 1) checks.push_back(',');
    checks.append("{").append(members).append("}");
  }
  return checks + "]";
}

}  // namespace

bool HealthEndpoint::Serves(std::string_view path) {
  return std::ranges::find(kPaths, path) != kPaths.end();
}

void HealthEndpoint::Handle(const net::Request& request,
                            const std::shared_ptr<net::Exchange>& exchange) {
  if (request.method != "GET" && request.method != "HEAD") {
    return SendError(*exchange, 405, Error::InvalidRequest("Method not allowed: use GET"),
                     "Allow: GET, HEAD\r\n");
  }
  if (request.path == "/healthz") return SendJson(*exchange, 200, R"("status":"ok")");
  if (request.path == "/metrics") return Metrics(request, *exchange);
  const Caller caller = CallerOf(request, *exchange);
  if (caller.answered) return;
  if (request.path == "/readyz") return Ready(caller.principal.get(), *exchange);
  std::string members;
  mcp::AppendMember(members, "name", std::string_view(core_.options()->name));
  if (caller.principal) {
    mcp::AppendMember(members, "version", std::string_view(core_.options()->version));
    if (const std::string_view commit = telemetry::BuildCommit(); !commit.empty())
      mcp::AppendMember(members, "commit", commit);
    mcp::AppendRawMember(members, "protocolVersions", mcp::Core::ProtocolVersions());
  }
  SendJson(*exchange, 200, members);
}

std::string_view HealthEndpoint::GuardRefusal(const net::Request& request) const {
  if (guard_ == nullptr) return {};
  const Guard::Verdict verdict = guard_->Check(request);
  return verdict.allowed ? std::string_view() : verdict.reason;
}

HealthEndpoint::Caller HealthEndpoint::CallerOf(const net::Request& request,
                                                net::Exchange& exchange) {
  if (!GuardRefusal(request).empty()) return {};
  if (open_) return {std::make_shared<const Principal>()};
  const bool shows = request.Has("Authorization") || request.Has("X-API-Key");
  if (!shows && door_.authenticator().configured()) return {};
  auto principal = door_.Admit(request, exchange, {});
  const bool refused = principal == nullptr;
  return {std::move(principal), refused};
}

void HealthEndpoint::Ready(const Principal* caller, net::Exchange& exchange) const {
  const mcp::Readiness readiness = mcp::ReportReadiness(core_);
  std::string members;
  mcp::AppendMember(members, "status",
                    readiness.ready() ? std::string_view("ready") : readiness.state);
  if (caller != nullptr) {
    mcp::AppendMember(members, "state", readiness.state);
    mcp::AppendRawMember(members, "checks",
                         ChecksOf(readiness.dependencies, auth::IsAdministrator(*caller)));
  }
  SendJson(exchange, readiness.ready() ? 200 : 503, members);
}

void HealthEndpoint::Metrics(const net::Request& request, net::Exchange& exchange) {
  if (const std::string_view reason = GuardRefusal(request); !reason.empty())
    return SendError(exchange, 403, Error::InvalidRequest(std::string(reason)), {});
  if (!open_) {
    const auto principal = door_.Admit(request, exchange, {});
    if (!principal) return;
    if (!auth::IsAdministrator(*principal)) {
      return SendError(exchange, 403,
                       Error{Code::kPermissionDenied, "Metrics need the scope \"admin\"", {}}, {});
    }
  }
  if (!core_.options()->metrics) {
    return SendError(exchange, 404,
                     Error{Code::kMethodNotFound, "Metrics are switched off (metrics.enabled)", {}},
                     {});
  }
  exchange.Send(200, telemetry::kPrometheusType, telemetry::PrometheusText(mcp::ReadMetrics(core_)),
                kNoStore);
}

}  // namespace toolpost::api
