// From the configuration to what a request may do.
#include <utility>

#include "base/strings.h"
#include "net/host_policy.h"
#include "net/own_address.h"
#include "tools/web/web.h"

namespace toolpost::tools::web {

Result<net::FetchOptions> MakeOptions(const config::Config& config,
                                      const std::vector<std::string>& hosts,
                                      std::function<std::uint16_t()> listening_port) {
  const config::Config::Web& web = config.web;
  ASSIGN_OR_RETURN(net::HostPolicy policy,
                   net::HostPolicy::Make({.allow = hosts,
                                          .deny = web.deny_hosts,
                                          .ports = web.ports,
                                          .loopback = web.allow_loopback,
                                          .private_networks = web.allow_private}));
  net::FetchOptions options;
  options.addresses = {.loopback = web.allow_loopback, .private_networks = web.allow_private};
  options.check_url = [policy](const net::HttpUrl& url) { return policy.Check(url); };
  options.refuses = [policy = std::move(policy), own = config.http.host,
                     listening_port = std::move(listening_port)](const net::IpAddress& address,
                                                                 std::uint16_t port) {
    return policy.Denies(address) ||
           (port == listening_port() && net::IsListeningAddress(own, address));
  };
  options.max_body_bytes = web.max_body;
  options.user_agent = web.user_agent;
  options.proxy = web.proxy;
  options.ca_file = web.ca_file;
  return options;
}

Result<WebServices> MakeServices(const config::Config& config,
                                 std::function<std::uint16_t()> listening_port) {
  Result<net::FetchOptions> options =
      MakeOptions(config, config.web.allow_hosts, std::move(listening_port));
  if (!options) {
    return Error::InvalidParams(
        base::StrCat("web.allow_hosts, web.deny_hosts or web.ports: ", options.error().message));
  }
  return WebServices{*std::move(options)};
}

std::vector<Tool> Tools(const WebServices& services) {
  return {RequestTool(services), FetchTool(services)};
}

}  // namespace toolpost::tools::web
