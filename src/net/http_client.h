// An HTTP client for requests to servers somebody else named: issuers of tokens, pages the web
// tools fetch.
//
// It defends the network it runs in: the host is resolved here, every address must be of a class
// the policy allows, and the connection can only go to one of those addresses, whatever the name
// means a moment later. Redirects are followed here, each hop checked like the first. Only http and
// https; certificates are always verified; no netrc, cookies, or anything else from the
// environment. libcurl does the transfer and is loaded with the first call.
//
// Behind a proxy the proxy looks names up, so only addresses that stand in the URL itself are
// checked here; everything else is the proxy's to refuse.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "net/address_class.h"
#include "net/http_url.h"
#include "toolpost/result.h"
#include "toolpost/version.h"

namespace toolpost::net {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";  // GET, HEAD, POST, PUT, PATCH or DELETE
  std::string url;
  // Names by the token grammar, values without control bytes; at most 64 and 16 KiB. What belongs
  // to the connection or claims an origin (Host, Content-Length, Transfer-Encoding, Forwarded,
  // User-Agent …) is refused.
  HeaderList headers;
  std::string body;  // not with GET and HEAD
};

// Finds the addresses of a host; see resolve.h.
using Resolver = std::function<Result<std::vector<IpAddress>>(
    const std::string& host, base::SteadyTime deadline, std::stop_token stop)>;

// One request of a chain of redirects.
struct FetchHop {
  const HttpUrl& url;
  std::string_view address;    // of the other end; empty: there was no reply
  int status = 0;              // 0: there was no reply
  bool refused = false;        // by policy
  std::uint64_t sent = 0;      // bytes of the body
  std::uint64_t received = 0;  // bytes of the body before decoding
};

struct FetchOptions {
  AddressPolicy addresses;
  // True for addresses that are refused though `addresses` allows them: our own listeners, what an
  // operator denies. Empty: none.
  std::function<bool(const IpAddress&, std::uint16_t port)> refuses;
  Resolver resolver;  // empty: the system's
  // Plain http only to loopback addresses.
  bool require_tls = false;
  // Asked for every hop before its name is resolved; an error ends the request. Empty: every host
  // and port.
  std::function<Result<void>(const HttpUrl&)> check_url;
  std::chrono::milliseconds timeout{30'000};  // for everything, redirects included
  std::chrono::milliseconds connect_timeout{5'000};
  // Once a reply has begun it must bring 1 KiB per second over every such time.
  std::chrono::milliseconds stall_time{10'000};
  // After decoding. Compressed replies may also not grow to more than 200 times their size.
  std::size_t max_body_bytes = std::size_t{10} * 1024 * 1024;
  int max_redirects = 5;  // 0: a redirect is returned as it is
  // Told on the calling thread, at most every quarter of a second, how much of the body arrived.
  std::function<void(std::int64_t wire_bytes)> on_progress;
  // Told on the calling thread of every hop when it has ended, also of the one that failed.
  std::function<void(const FetchHop&)> on_hop;
  std::string user_agent = "toolpost/" TOOLPOST_VERSION;
  std::string proxy;    // "http://host:port"; empty: none
  std::string ca_file;  // PEM certificates to trust instead of the system's; empty: those
};

struct HttpResponse {
  int status = 0;
  HeaderList headers;           // of the last hop, in order
  std::string body;             // decoded
  std::string url;              // of the last hop
  std::string address;          // the other end of the last connection
  std::string version;          // "1.1", "2"
  std::int64_t wire_bytes = 0;  // of the last body, before decoding
  int redirects = 0;

  // First header of that name (case-insensitive), or empty.
  std::string_view Find(std::string_view name) const;
};

// Blocks: never call it on an event loop. Thread-safe; nothing is shared between calls. Any status
// is a response. Errors: kInvalidArgument (URL, method or headers), kPermissionDenied (address,
// plain http or redirect refused: the message does not say which address), kTimeout, kTooLarge,
// kCancelled (within milliseconds of `stop`), kUnavailable (no address, no connection, bad
// certificate, broken reply, no libcurl). Messages name the host, never path or query.
//
// A redirect to another origin drops all headers but Accept, Accept-Language and Content-Type; one
// from https to http is refused.
Result<HttpResponse> Fetch(HttpRequest request, const FetchOptions& options,
                           std::stop_token stop = {});

}  // namespace toolpost::net
