// Where a connection to a URL may go.
#pragma once

#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "net/address_class.h"
#include "net/http_client.h"
#include "net/http_url.h"
#include "toolpost/result.h"

namespace toolpost::net {

// The addresses of the host, or of `proxy` when there is one; at least one. Blocks like Resolve().
// Code::kPermissionDenied if any of them is refused by `options`; whether the URL itself is allowed
// (`check_url`) was asked before.
Result<std::vector<IpAddress>> AllowedAddresses(const HttpUrl& url, const HttpUrl* proxy,
                                                const FetchOptions& options,
                                                base::SteadyTime deadline, std::stop_token stop);

}  // namespace toolpost::net
