// Binding with SO_REUSEPORT where there are several loops, and an exclusive probe before it.
#include "net/binding.h"

#include <sys/socket.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "net/port_owner.h"

namespace toolpost::net {
namespace {

namespace asio = boost::asio;
constexpr int kPortAttempts = 16;

Result<std::vector<asio::ip::address>> Addresses(const std::vector<std::string>& hosts) {
  std::vector<asio::ip::address> addresses;
  for (const std::string& host : hosts) {
    ErrorCode ec;
    auto address = asio::ip::make_address(host, ec);
    if (!ec) {
      addresses.push_back(address);
      continue;
    }
    asio::io_context io;
    Tcp::resolver resolver(io);
    auto found = resolver.resolve(host, "", ec);
    if (ec || found.empty()) {
      return Error{
          Code::kInvalidArgument,
          base::StrCat("Host ", host, " is neither an IP address nor a name this machine knows"),
          {}};
    }
    for (const auto& entry : found) addresses.push_back(entry.endpoint().address());
  }
  return addresses;
}

ErrorCode Bind(Acceptor& acceptor, const Tcp::endpoint& endpoint, bool share_port) {
  ErrorCode ec;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec) acceptor.set_option(asio::socket_base::reuse_address(true), ec);
  if (!ec && endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only(true), ec);
  if (!ec && share_port) {
    int on = 1;
    if (setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0) {
      ec = ErrorCode(errno, boost::system::system_category());
    }
  }
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  return ec;
}

// SO_REUSEPORT would let a second server of the same user share the port unnoticed, so a socket
// without it tries first.
ErrorCode Probe(asio::io_context& io, const Tcp::endpoint& endpoint) {
  Acceptor probe(io);
  return Bind(probe, endpoint, false);
}

bool AddressIsMissing(const ErrorCode& ec) {
  return ec == asio::error::address_family_not_supported ||
         ec == ErrorCode(EADDRNOTAVAIL, boost::system::system_category());
}

Error Explain(const ErrorCode& ec, const Tcp::endpoint& endpoint) {
  std::string where =
      base::StrCat("Port ", endpoint.port(), " on ", endpoint.address().to_string());
  if (ec == asio::error::address_in_use) {
    std::string owner = PortOwner(endpoint.port());
    return {Code::kConflict,
            base::StrCat(where, " is taken", owner.empty() ? std::string() : " by " + owner,
                         ": stop it or choose another port"),
            {}};
  }
  if (ec == asio::error::access_denied) {
    return {Code::kPermissionDenied,
            base::StrCat(where, " may not be used by this user: choose a port above 1023"),
            {}};
  }
  return {Code::kUnavailable, base::StrCat(where, " cannot be used: ", ec.message()), {}};
}

using Bound = std::vector<std::pair<Loop*, Acceptor>>;

// Binds one address for all loops. `port` is set by the first binding when it is 0.
ErrorCode BindAddress(const asio::ip::address& address, std::uint16_t& port,
                      const std::vector<std::shared_ptr<Loop>>& loops, Bound& bound) {
  bool share_port = loops.size() > 1;
  if (share_port && port != 0) {
    if (ErrorCode ec = Probe(loops.front()->io(), {address, port})) return ec;
  }
  for (const auto& loop : loops) {
    Acceptor acceptor(loop->io());
    if (ErrorCode ec = Bind(acceptor, {address, port}, share_port)) return ec;
    ErrorCode ec;
    if (port == 0) port = acceptor.local_endpoint(ec).port();
    if (ec) return ec;
    bound.emplace_back(loop.get(), std::move(acceptor));
  }
  return {};
}

// kConflict when the port is taken on one of the addresses; an Error is returned only for good
// reasons to stop.
Result<std::uint16_t> BindAll(const std::vector<asio::ip::address>& addresses, std::uint16_t port,
                              const std::vector<std::shared_ptr<Loop>>& loops) {
  Bound bound;
  ErrorCode missing;
  for (const auto& address : addresses) {
    ErrorCode ec = BindAddress(address, port, loops, bound);
    if (!ec) continue;
    if (!AddressIsMissing(ec)) return Explain(ec, {address, port});
    missing = ec;
    base::Log(base::Severity::kWarning, "address skipped",
              {{"host", address.to_string()}, {"reason", ec.message()}});
  }
  if (bound.empty()) {
    if (addresses.empty())
      return Error{Code::kInvalidArgument, "No host to listen on is given", {}};
    return Explain(missing, {addresses.front(), port});
  }
  for (auto& [loop, acceptor] : bound) loop->AddListener(std::move(acceptor));
  return port;
}

}  // namespace

Result<std::uint16_t> BindListeners(const ServerOptions& options,
                                    const std::vector<std::shared_ptr<Loop>>& loops) {
  ASSIGN_OR_RETURN(auto addresses, Addresses(options.hosts));
  auto result = BindAll(addresses, options.port, loops);
  // A free port of the first host may be taken on the next one: draw again.
  for (int attempt = 1; options.port == 0 && attempt < kPortAttempts; ++attempt) {
    if (result || result.error().code != Code::kConflict) break;
    result = BindAll(addresses, 0, loops);
  }
  return result;
}

}  // namespace toolpost::net
