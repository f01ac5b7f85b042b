// One request and its reply over libcurl, to one of the given addresses and no other. Inside of
// http_client.
#pragma once

#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "net/http_client.h"

namespace toolpost::net {

// Checked by the caller: the request, its URL, the addresses.
struct Hop {
  const HttpRequest& request;
  const HttpUrl& url;
  const HttpUrl* proxy;  // null: none; else the addresses are its own
  const std::vector<IpAddress>& addresses;
  const FetchOptions& options;
  base::SteadyTime deadline;
};

Result<HttpResponse> Transfer(const Hop& hop, std::stop_token stop);

}  // namespace toolpost::net
