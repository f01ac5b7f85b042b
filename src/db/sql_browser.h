// SQL Server Browser: at which TCP port of a host a named instance is.
//
// FreeTDS can ask it, too, but does so for sixteen seconds whatever the login's timeout is, even
// where nobody listens, and then blames the instance.
#pragma once

#include <chrono>
#include <string>

#include "toolpost/result.h"

namespace toolpost::db {

// Asks on UDP port 1434 of every address of `host`, again and again until one answers or
// `deadline`. Code::kUnavailable when the host has no address, when nobody answers, which is also
// how a browser says that it does not know the instance, or when the instance takes no TCP.
// Thread-safe.
Result<int> FindInstancePort(const std::string& host, const std::string& instance,
                             std::chrono::steady_clock::time_point deadline);

}  // namespace toolpost::db
