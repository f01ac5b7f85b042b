// Whether an address is one that this process listens on.
#pragma once

#include <string>
#include <vector>

#include "net/address_class.h"

namespace toolpost::net {

// `hosts` as in ServerOptions: IP addresses or "localhost"; 0.0.0.0 and :: stand for every address
// of this machine. An IPv4 address inside an IPv6 one counts as itself. Asks the system for its
// addresses only when `hosts` needs it. Thread-safe.
bool IsListeningAddress(const std::vector<std::string>& hosts, const IpAddress& address);

}  // namespace toolpost::net
