// One connection of a forward proxy, from the request to its end. Inside of forward_proxy.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "net/forward_proxy.h"
#include "net/proxy_request.h"

namespace toolpost::net {

class ProxiedExchange {
 public:
  // Ends when `ended` becomes readable.
  ProxiedExchange(base::Descriptor client, const FetchOptions& rules, int ended,
                  std::stop_token stop);

  ProxiedConnection Run();

 private:
  Result<void> Start();
  Result<std::string> ReadHead();
  Result<void> Connect(const std::vector<IpAddress>& addresses, const HttpUrl& to);
  void Answer(const Error& error);
  void Relay();
  bool Move(const base::Descriptor& from, std::string& buffer, bool to_server);
  static bool Send(const base::Descriptor& to, std::string& buffer);
  // Whether `fd` got ready before the deadline and the end.
  bool Await(int fd, short events, base::SteadyTime deadline) const;

  base::Descriptor client_;
  base::Descriptor server_;
  const FetchOptions& rules_;
  const int ended_;
  const std::stop_token stop_;
  ProxyRequest request_;
  ProxiedConnection connection_;
  std::string to_server_;  // not sent yet
  std::string to_client_;
};

}  // namespace toolpost::net
