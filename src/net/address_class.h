// What kind of host an IP address names, and which kinds a use of the HTTP client may reach.
//
// The classes follow the IANA special-purpose registries. IPv4 inside IPv6 is judged by the IPv4
// address, because that is where the packet may end: a mapped address (::ffff:10.0.0.1) has the
// class of its IPv4 address; the translated forms (NAT64, 6to4) are public if that address is, and
// reserved otherwise.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolpost::net {

struct IpAddress {
  bool v6 = false;
  std::array<std::uint8_t, 16> bytes{};  // IPv4 uses the first four
  std::uint32_t scope = 0;               // of a link-local IPv6 address

  // "127.0.0.1", "::1"; nothing else (no port, no brackets, no zone, no short or octal IPv4).
  static std::optional<IpAddress> Parse(std::string_view text);
  // Empty for other families.
  static std::optional<IpAddress> From(const sockaddr* address);
  std::string ToString() const;
  // ::ffff:10.0.0.1 as 10.0.0.1, without zone; others as they are.
  IpAddress Plain() const;

  bool operator==(const IpAddress&) const = default;
};

enum class AddressClass {
  kPublic,
  kLoopback,       // 127/8, ::1
  kPrivate,        // 10/8, 172.16/12, 192.168/16, fc00::/7
  kSharedAddress,  // 100.64/10: behind a carrier's NAT
  kLinkLocal,      // 169.254/16, fe80::/10, any address with a zone
  kMetadata,       // where clouds hand out credentials to whoever asks
  kMulticast,      // 224/4, ff00::/8
  kUnspecified,    // 0/8, ::
  kDocumentation,  // 192.0.2/24, 198.51.100/24, 203.0.113/24, 2001:db8::/32, 3fff::/20
  kReserved,       // everything else that is no ordinary host
};

AddressClass Classify(const IpAddress& address);

// What may be reached besides public addresses. Metadata, link-local, multicast and reserved
// addresses never are.
struct AddressPolicy {
  bool loopback = false;
  bool private_networks = false;  // kPrivate and kSharedAddress

  bool Allows(const IpAddress& address) const;
};

}  // namespace toolpost::net
