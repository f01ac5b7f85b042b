// Which hosts and ports a URL may name, before anything is looked up.
//
// Names alone protect nothing, because any name can point anywhere: AddressPolicy has the last
// word. This policy is what an operator says about hosts, plus the names and ports that no web
// request has any business with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/address_class.h"
#include "net/http_url.h"
#include "toolpost/result.h"

namespace toolpost::net {

// A value; every function is const and safe on any thread.
class HostPolicy {
 public:
  // Patterns are "example.com" (that host), "*.example.com" (every host below it, not itself) or an
  // IP address, which in `deny` also covers names that lead to it. Port entries are "8080" or
  // "8000-8999".
  struct Rules {
    std::vector<std::string> allow;  // empty: every host
    std::vector<std::string> deny;   // wins over `allow`
    // Empty: 80, 443 and from 1024 on, except ports of databases, message queues and the like.
    std::vector<std::string> ports;
    bool loopback = false;          // "localhost" and names below it may be used
    bool private_networks = false;  // names below .local, .internal, .home.arpa … may be used
  };

  // Code::kInvalidArgument names the pattern or port that cannot be read.
  static Result<HostPolicy> Make(const Rules& rules);

  // Code::kPermissionDenied, always in the words of Refusal(). Time grows with the length of the
  // host and the number of patterns, nothing else; `steps`, when given, counts the characters
  // compared.
  Result<void> Check(const HttpUrl& url, std::size_t* steps = nullptr) const;
  // Whether `deny` holds the address a host turned out to have.
  bool Denies(const IpAddress& address) const;

 private:
  struct Pattern {
    std::string text;  // without "*", lower case
    bool below = false;
    std::optional<IpAddress> address;  // instead of a name
  };

  static Result<Pattern> Read(std::string_view text);
  static bool Matches(const std::vector<Pattern>& patterns, std::string_view host,
                      std::size_t* steps);
  static bool Matches(const std::vector<Pattern>& patterns, const IpAddress& address);
  bool AllowsPort(std::uint16_t port) const;

  std::vector<Pattern> allow_;
  std::vector<Pattern> deny_;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> ports_;
  bool loopback_ = false;
  bool private_networks_ = false;
};

// The one sentence for everything that policy forbids, so that it cannot be used to explore a
// network.
Error Refusal(std::string_view host);

}  // namespace toolpost::net
