// What one command did with the network it was granted.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "net/forward_proxy.h"
#include "toolpost/context.h"

namespace toolpost::tools::shell {

// Serves the proxy a command finds in its box (sandbox/box_network.h), and remembers where it went.
// Thread-safe.
class CommandNetwork {
 public:
  explicit CommandNetwork(const net::FetchOptions& rules) : rules_(rules) {}

  void Serve(base::Descriptor listener);
  // Ends all connections and gives what was reached, the same place once, to the call's audit
  // record. Returns a sentence for each place that was refused.
  std::vector<std::string> Finish(CallContext& context);

 private:
  void Note(const net::ProxiedConnection& connection);

  const net::FetchOptions& rules_;
  std::mutex mutex_;
  std::vector<Contact> contacts_;
  std::vector<std::string> refusals_;
  std::optional<net::ForwardProxy> proxy_;  // the last: its threads use the others
};

}  // namespace toolpost::tools::shell
