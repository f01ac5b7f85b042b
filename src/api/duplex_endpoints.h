// The doors that are one long connection: HTTP+SSE of 2024-11-05 at /sse and /messages, and
// WebSocket at /ws.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "api/mcp_endpoint.h"
#include "api/ticker.h"
#include "mcp/connection.h"
#include "net/http_server.h"

namespace toolpost::api {

// Thread-safe.
class SseEndpoint {
 public:
  SseEndpoint(mcp::Core& core, Ticker& ticker) : core_(core), ticker_(ticker) {}

  // GET /sse: opens the stream; its first event names the address to post to.
  void Open(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
            const RequestContext& context);
  // POST /messages?sessionId=…: one message; the answer travels on the stream.
  void Post(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
            const RequestContext& context);

 private:
  struct Client;
  std::shared_ptr<Client> Find(std::string_view id, const Principal& principal);

  mcp::Core& core_;
  Ticker& ticker_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Client>, std::less<>> clients_;
};

// GET /ws with an upgrade; every text message is one JSON-RPC message.
void OpenWebSocket(mcp::Core& core, const net::Request& request,
                   const std::shared_ptr<net::Exchange>& exchange, const RequestContext& context);

}  // namespace toolpost::api
