#pragma once

#include <string>
#include <string_view>

#include "net/http_client.h"
#include "net/testing.h"

namespace toolpost::net::testing {

inline FetchOptions Local() {
  FetchOptions options;
  options.addresses.loopback = true;
  options.timeout = kDeadline;
  return options;
}

inline std::string Url(const TestServer& server, std::string_view path,
                       std::string_view host = "127.0.0.1") {
  return "http://" + std::string(host) + ":" + std::to_string(server.port()) + std::string(path);
}

// That of the failure; of a reply, one that no request fails with.
inline Code CodeOf(const Result<HttpResponse>& result) {
  return result ? Code::kInputRequired : result.error().code;
}

}  // namespace toolpost::net::testing
