// Address limits and authentication.
#include "api/front_door.h"

#include <vector>

#include "api/mcp_endpoint.h"
#include "api/refusal.h"
#include "base/strings.h"
#include "config/bind.h"
#include "net/address_class.h"

namespace toolpost::api {
namespace {

constexpr double kBurstSeconds = 2;
constexpr double kFailuresAtOnce = 5;
constexpr std::size_t kLongestAgent = 256;

bool IsLocal(std::string_view address) {
  return address == "127.0.0.1" || config::IsLoopback(address);
}

// IPv6 users own whole /64 networks: the first eight bytes stand for all of it.
std::string NetworkOf(std::string_view address) {
  const auto parsed = net::IpAddress::Parse(address);
  const bool v4 = address.find('.') != std::string_view::npos;  // also as ::ffff:a.b.c.d
  if (!parsed || !parsed->v6 || v4) return std::string(address);
  return {reinterpret_cast<const char*>(parsed->bytes.data()), 8};
}

std::vector<std::string_view> AllOf(const net::Request& request, std::string_view name) {
  std::vector<std::string_view> values;
  for (const net::Header& header : *request.headers) {
    if (base::EqualIgnoringCase(header.name, name)) values.push_back(header.value);
  }
  return values;
}

Code CodeOf(int status) {
  return status == 403   ? Code::kPermissionDenied
         : status == 503 ? Code::kUnavailable
                         : Code::kUnauthenticated;
}

std::string_view ReasonOf(int status) {
  return status == 403 ? "PERMISSION_DENIED" : status == 503 ? "UNAVAILABLE" : "UNAUTHENTICATED";
}

}  // namespace

FrontDoor::FrontDoor(std::shared_ptr<auth::Authenticator> authenticator, double requests_per_second,
                     std::function<void(const Denial&)> on_denial)
    : authenticator_(std::move(authenticator)),
      requests_(requests_per_second, requests_per_second * kBurstSeconds),
      failures_(1, kFailuresAtOnce),
      on_denial_(std::move(on_denial)) {}

void FrontDoor::Configure(double requests_per_second) {
  requests_.Configure(requests_per_second, requests_per_second * kBurstSeconds);
}

std::shared_ptr<const Principal> FrontDoor::Admit(const net::Request& request,
                                                  net::Exchange& exchange, std::string_view cors,
                                                  RefusalForm form) {
  const auto now = auth::RateLimiter::Clock::now();
  const bool local = IsLocal(request.remote_address);
  const std::string network = local ? std::string() : NetworkOf(request.remote_address);
  const auto refuse = [&](int status, const Error& error, std::string_view headers,
                          std::string_view reason) -> std::shared_ptr<const Principal> {
    if (on_denial_) on_denial_({request.path, request.remote_address, reason});
    form(request, exchange, status, error, base::StrCat(headers, cors));
    return nullptr;
  };
  const auto too_many = [&](std::string_view what, std::chrono::milliseconds wait) {
    const Error error = auth::RateLimited(what, wait);
    return refuse(429, error, HttpRefusalOf(error, {}, *authenticator_).headers, "RATE_LIMITED");
  };
  if (!local) {
    if (const auto wait = requests_.Take(network, now))
      return too_many("Too many requests from this address", *wait);
  }
  auth::Verdict verdict = authenticator_->Check(
      auth::ReadCredentials(AllOf(request, "Authorization"), AllOf(request, "X-API-Key")));
  if (verdict.kind == auth::Verdict::Kind::kAccepted) {
    verdict.principal.address = request.remote_address;
    if (verdict.principal.credential)
      verdict.principal.agent = request.Find("User-Agent").substr(0, kLongestAgent);
    return std::make_shared<Principal>(std::move(verdict.principal));
  }
  if (!local && verdict.kind == auth::Verdict::Kind::kInvalid) {
    if (const auto wait = failures_.Take(network, now))
      return too_many("Too many failed attempts from this address", *wait);
  }
  std::string headers;
  if (!verdict.challenge.empty())
    headers = base::StrCat("WWW-Authenticate: ", verdict.challenge, "\r\n");
  if (verdict.http_status == 503) headers.append("Retry-After: 5\r\n");
  return refuse(verdict.http_status, Error{CodeOf(verdict.http_status), verdict.message, {}},
                headers, ReasonOf(verdict.http_status));
}

}  // namespace toolpost::api
