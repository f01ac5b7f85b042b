// Addresses to listen on.
#pragma once

#include <string_view>

namespace toolpost::config {

// An IPv4 or IPv6 address, or `localhost`.
bool IsAddress(std::string_view host);
// Reachable from this machine only: 127.0.0.0/8 (also as ::ffff:127…), ::1, `localhost`.
bool IsLoopback(std::string_view host);

}  // namespace toolpost::config
