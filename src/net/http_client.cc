// The rules of a request, and the loop over redirects.
#include "net/http_client.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"
#include "net/destination.h"
#include "net/http_transfer.h"

namespace toolpost::net {
namespace {

using base::EqualIgnoringCase;
using base::StrCat;

constexpr std::size_t kMaxHeaders = 64;
constexpr std::size_t kMaxHeaderBytes = std::size_t{16} * 1024;
constexpr std::array<std::string_view, 6> kMethods{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
constexpr std::array<std::string_view, 17> kRefusedHeaders{
    "accept-encoding", "connection", "content-length", "expect", "forwarded", "host",
    "http2-settings", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
    "via", "x-real-ip",
    // What cloud metadata services ask for as proof that no redirect was followed.
    "metadata", "metadata-flavor"};
constexpr std::array<std::string_view, 4> kRefusedPrefixes{
    "proxy-", "x-forwarded-", "x-aws-ec2-metadata-", "x-google-metadata-"};
constexpr std::array<std::string_view, 3> kHeadersForStrangers{"accept", "accept-language",
                                                               "content-type"};

template <std::size_t size>
bool IsAmong(const std::array<std::string_view, size>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool IsTokenCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsValueCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

Result<void> CheckHeader(std::string_view name, std::string_view value) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), IsTokenCharacter)) {
    return Error::InvalidParams(
        "A header name may hold letters, digits and -_. and must not be empty.");
  }
  if (!std::all_of(value.begin(), value.end(), IsValueCharacter)) {
    return Error::InvalidParams(StrCat("The header ", name, " contains a control character."));
  }
  const std::string lower = base::ToLower(name);
  const bool refused =
      IsAmong(kRefusedHeaders, lower) ||
      std::any_of(kRefusedPrefixes.begin(), kRefusedPrefixes.end(),
                  [&](std::string_view prefix) { return lower.starts_with(prefix); });
  if (refused)
    return Error::InvalidParams(StrCat("The header ", name, " cannot be set: leave it out."));
  return {};
}

Result<void> Check(const HttpRequest& request) {
  if (!IsAmong(kMethods, request.method)) {
    return Error::InvalidParams("The method must be GET, HEAD, POST, PUT, PATCH or DELETE.");
  }
  if (!request.body.empty() && (request.method == "GET" || request.method == "HEAD")) {
    return Error::InvalidParams("GET and HEAD have no body.");
  }
  std::size_t bytes = 0;
  for (const auto& [name, value] : request.headers) {
    RETURN_IF_ERROR(CheckHeader(name, value));
    bytes += name.size() + value.size();
  }
  if (request.headers.size() > kMaxHeaders || bytes > kMaxHeaderBytes) {
    return Error::InvalidParams("At most 64 headers and 16 KiB of them can be sent.");
  }
  return {};
}

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// RFC 9110 15.4: 303 always becomes GET, 301 and 302 do so for POST.
void ChangeMethod(HttpRequest& request, int status) {
  const bool to_get =
      status == 303 ? request.method != "HEAD" : status < 303 && request.method == "POST";
  if (!to_get) return;
  request.method = "GET";
  request.body.clear();
  std::erase_if(request.headers, [](const auto& header) {
    return base::ToLower(header.first).starts_with("content-");
  });
}

Result<HttpUrl> Follow(HttpRequest& request, const HttpUrl& from, const HttpResponse& response) {
  ASSIGN_OR_RETURN(HttpUrl to, from.Resolve(response.Find("location")));
  if (from.scheme == "https" && to.scheme == "http") {
    return Error{Code::kPermissionDenied,
                 StrCat(from.host, " redirects from https to plain http, which is not followed."),
                 {}};
  }
  if (!from.SameOrigin(to)) {
    std::erase_if(request.headers, [](const auto& header) {
      return !IsAmong(kHeadersForStrangers, base::ToLower(header.first));
    });
  }
  ChangeMethod(request, response.status);
  return to;
}

}  // namespace

std::string_view HttpResponse::Find(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (EqualIgnoringCase(key, name)) return value;
  }
  return {};
}

namespace {

Result<HttpResponse> Attempt(const HttpRequest& request, const HttpUrl& url, const HttpUrl* proxy,
                             const FetchOptions& options, base::SteadyTime deadline,
                             const std::stop_token& stop) {
  if (options.check_url) RETURN_IF_ERROR(options.check_url(url));
  ASSIGN_OR_RETURN(const auto addresses, AllowedAddresses(url, proxy, options, deadline, stop));
  return Transfer({request, url, proxy, addresses, options, deadline}, stop);
}

void Tell(const FetchOptions& options, const HttpRequest& request, const HttpUrl& url,
          const Result<HttpResponse>& response) {
  if (!options.on_hop) return;
  FetchHop hop{.url = url, .address = {}};
  if (response) {
    hop.address = response->address;
    hop.status = response->status;
    hop.sent = request.body.size();
    hop.received = static_cast<std::uint64_t>(response->wire_bytes);
  } else {
    hop.refused = response.error().code == Code::kPermissionDenied;
  }
  options.on_hop(hop);
}

}  // namespace

Result<HttpResponse> Fetch(HttpRequest request, const FetchOptions& options, std::stop_token stop) {
  RETURN_IF_ERROR(Check(request));
  const base::SteadyTime deadline = std::chrono::steady_clock::now() + options.timeout;
  ASSIGN_OR_RETURN(HttpUrl url, HttpUrl::Parse(request.url));
  std::optional<HttpUrl> via;
  if (!options.proxy.empty()) {
    ASSIGN_OR_RETURN(via, HttpUrl::Parse(options.proxy));
  }
  const HttpUrl* proxy = via ? &*via : nullptr;
  for (int hop = 0;; ++hop) {
    Result<HttpResponse> attempt = Attempt(request, url, proxy, options, deadline, stop);
    Tell(options, request, url, attempt);
    ASSIGN_OR_RETURN(HttpResponse response, std::move(attempt));
    response.redirects = hop;
    const bool follow = IsRedirect(response.status) && !response.Find("location").empty();
    if (!follow || options.max_redirects == 0) return response;
    if (hop == options.max_redirects) {
      return Error{Code::kPermissionDenied,
                   StrCat(url.host, " redirects more than ", options.max_redirects, " times."),
                   {}};
    }
    ASSIGN_OR_RETURN(url, Follow(request, url, response));
  }
}

}  // namespace toolpost::net
