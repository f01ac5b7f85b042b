// Names become addresses, and every one of them is judged.
#include "net/destination.h"

#include <utility>

#include "base/strings.h"
#include "net/host_policy.h"
#include "net/resolve.h"

namespace toolpost::net {
namespace {

using base::StrCat;

Result<std::vector<IpAddress>> LookUp(const std::string& host, const FetchOptions& options,
                                      base::SteadyTime deadline, std::stop_token stop) {
  if (const auto address = IpAddress::Parse(host)) return std::vector{*address};
  if (options.resolver) return options.resolver(host, deadline, std::move(stop));
  return Resolve(host, deadline, std::move(stop));
}

Result<void> CheckAddress(const HttpUrl& url, const IpAddress& address,
                          const FetchOptions& options) {
  if (!options.addresses.Allows(address) || (options.refuses && options.refuses(address, url.port)))
    return Refusal(url.host);
  const bool local = Classify(address) == AddressClass::kLoopback;
  if (options.require_tls && url.scheme != "https" && !local) {
    return Error{Code::kPermissionDenied, StrCat(url.host, " must be reached by https."), {}};
  }
  return {};
}

}  // namespace

Result<std::vector<IpAddress>> AllowedAddresses(const HttpUrl& url, const HttpUrl* proxy,
                                                const FetchOptions& options,
                                                base::SteadyTime deadline, std::stop_token stop) {
  if (proxy != nullptr) {
    if (const auto address = IpAddress::Parse(url.host))
      RETURN_IF_ERROR(CheckAddress(url, *address, options));
    return LookUp(proxy->host, options, deadline, std::move(stop));
  }
  ASSIGN_OR_RETURN(std::vector<IpAddress> addresses,
                   LookUp(url.host, options, deadline, std::move(stop)));
  if (addresses.empty()) return Error::Unavailable(StrCat(url.host, " has no address."));
  for (const IpAddress& address : addresses) {
    RETURN_IF_ERROR(CheckAddress(url, address, options));
  }
  return addresses;
}

}  // namespace toolpost::net
