// The one way out of a box that was granted the network.
#pragma once

#include <cstdint>

namespace toolpost::sandbox {

// Where programs in such a box find the proxy, on 127.0.0.1.
inline constexpr std::uint16_t kProxyPort = 3128;

// Brings up the loopback of this process's own, otherwise empty network, listens there and hands
// the listening socket to the server (BoxReport::kListening): whoever connects inside talks to the
// server's proxy, and there is nothing else to connect to. Returns what failed, or null. Needs the
// capabilities of a user namespace that owns the network.
const char* OfferProxy(int status_socket);

}  // namespace toolpost::sandbox
