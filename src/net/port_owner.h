// Who listens on a TCP port: for the message that tells a user why the server cannot start.
#pragma once

#include <cstdint>
#include <string>

namespace toolpost::net {

// "process 1234 (name)" of a listener on that port, or empty when there is none or the system does
// not let us see it.
std::string PortOwner(std::uint16_t port);

}  // namespace toolpost::net
