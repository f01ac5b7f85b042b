// The subscription mcp.events: what happens in the server as server-sent events, resumable.
//
// Administrators see all events, others those they caused themselves.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "api/mcp_endpoint.h"
#include "api/ticker.h"
#include "api/trpc_request.h"
#include "mcp/core.h"
#include "mcp/event_data.h"
#include "toolpost/schema.h"

namespace toolpost::api {

struct TrpcEventsInput {
  std::optional<std::vector<EventKind>> types;
  std::optional<std::string> last_event_id;
  static constexpr auto Fields() {
    return std::tuple{Opt("types", &TrpcEventsInput::types, "Only these."),
                      Opt("lastEventId", &TrpcEventsInput::last_event_id,
                          "Go on after this one; clients set it when they reconnect.")
                          .MaxLength(200)};
  }
};

// The open subscriptions of a server. Thread-safe; outlives the connections.
class TrpcSubscriptions {
 public:
  TrpcSubscriptions(mcp::Core& core, Ticker& ticker, std::size_t max_open = 1'024)
      : core_(core), ticker_(ticker), max_open_(max_open) {}
  ~TrpcSubscriptions();

  // Answers a request for which TrpcRequest::subscription() is true.
  void Open(const TrpcRequest& request, const std::shared_ptr<net::Exchange>& exchange,
            const RequestContext& context);
  // Closes all, and those opened later at once; clients come back with the id of what they saw
  // last.
  void Stop();
  std::size_t open() const;

 private:
  class Stream;

  // False after Stop().
  bool Enter(const std::shared_ptr<Stream>& stream);
  void Remove(const Stream* stream);

  mcp::Core& core_;
  Ticker& ticker_;
  const std::size_t max_open_;
  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::unordered_map<const Stream*, std::shared_ptr<Stream>> streams_;
};

// A stream that only says why there is none. `headers` is a raw block.
void SendTrpcStreamError(net::Exchange& exchange, const Error& error, std::string_view path,
                         std::string_view headers);

}  // namespace toolpost::api
