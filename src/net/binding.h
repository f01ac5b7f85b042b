// Binds the addresses of a server to the acceptors of its loops.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "net/loop.h"
#include "toolpost/result.h"

namespace toolpost::net {

// Gives every loop a listening acceptor for every host of `options` and returns the port. Hosts
// that this machine lacks (IPv6 switched off) are skipped while at least one can be bound.
// Code::kConflict when the port is taken, kPermissionDenied when it may not be used,
// kInvalidArgument for a host that is neither an address nor a known name.
Result<std::uint16_t> BindListeners(const ServerOptions& options,
                                    const std::vector<std::shared_ptr<Loop>>& loops);

}  // namespace toolpost::net
