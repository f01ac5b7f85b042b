// Who may talk to the server from a browser: Host, Origin and Sec-Fetch-Site checks, and the CORS
// headers for those who may.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/http_server.h"

namespace toolpost::api {

// Loopback names with any port are allowed; `allowed_hosts` ("example.com" or "example.com:8080")
// and `allowed_origins`
// ("https://app.example.com") add to them. Immutable, thread-safe.
class Guard {
 public:
  Guard(std::vector<std::string> allowed_hosts, std::vector<std::string> allowed_origins);

  struct Verdict {
    bool allowed = true;
    std::string_view reason;  // for the refused: what was wrong and which setting allows it
    std::string cors;         // header block for replies to an allowed origin
  };
  Verdict Check(const net::Request& request) const;

 private:
  bool HostAllowed(std::string_view host) const;

  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
};

// Headers of the answer to a preflight request, besides those of Verdict::cors.
std::string PreflightHeaders(const net::Request& request);

}  // namespace toolpost::api
