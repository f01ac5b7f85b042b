// Names to addresses, with a deadline and cancellation that the system's resolver lacks.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "net/address_class.h"
#include "toolpost/result.h"

namespace toolpost::net {

// All addresses of `host` (a name, or an address that is returned as it is), at least one. Blocks
// until `deadline` or `stop` at the latest: the query itself runs on a thread of its own that may
// outlive the call, and at most 32 of them exist. Code::kTimeout, kCancelled, or kUnavailable when
// the name has no address or too many queries hang.
Result<std::vector<IpAddress>> Resolve(const std::string& host, base::SteadyTime deadline,
                                       std::stop_token stop);

}  // namespace toolpost::net
