// Compares with the addresses of the listeners and of the interfaces.
#include "net/own_address.h"

#include <ifaddrs.h>

#include <algorithm>

namespace toolpost::net {
namespace {

bool IsOfThisMachine(const IpAddress& address) {
  if (Classify(address) == AddressClass::kLoopback) return true;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return true;  // not knowing is no reason to connect
  bool found = false;
  for (const ifaddrs* at = list; at != nullptr && !found; at = at->ifa_next) {
    if (at->ifa_addr == nullptr) continue;
    const auto own = IpAddress::From(at->ifa_addr);
    found = own && own->Plain() == address;
  }
  freeifaddrs(list);
  return found;
}

}  // namespace

bool IsListeningAddress(const std::vector<std::string>& hosts, const IpAddress& address) {
  const IpAddress plain = address.Plain();
  return std::any_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
    if (host == "localhost") return Classify(plain) == AddressClass::kLoopback;
    const auto listener = IpAddress::Parse(host);
    if (!listener) return false;
    if (Classify(*listener) == AddressClass::kUnspecified) return IsOfThisMachine(plain);
    return listener->Plain() == plain;
  });
}

}  // namespace toolpost::net
