// Long connections as mcp::Connection.
#include "api/duplex_endpoints.h"

#include "base/strings.h"
#include "net/sse.h"

namespace toolpost::api {
namespace {

// Answers 503 when there are as many sessions as allowed.
bool RefuseWhenFull(const mcp::Core& core, net::Exchange& exchange, std::string_view cors) {
  const std::size_t limit = core.options()->max_sessions;
  if (core.sessions.size() < limit) return false;
  SendError(exchange, 503,
            Error::Unavailable(
                base::StrCat("Too many sessions: the limit is ", limit, " (limits.sessions)")),
            base::StrCat("Retry-After: 10\r\n", cors));
  return true;
}

}  // namespace

struct SseEndpoint::Client : Ticking {
  std::shared_ptr<net::Exchange> exchange;
  std::shared_ptr<mcp::Connection> connection;
  mcp::SharedPrincipal principal;
  std::mutex receiving;  // messages of one client are handled one at a time
  std::atomic<bool> open{true};

  bool Tick() override {
    if (open) exchange->Write(std::string(net::SseComment()));
    return open;
  }
};

void SseEndpoint::Open(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
                       const RequestContext& context) {
  if (request.method != "GET") {
    return SendError(*exchange, 405, Error::InvalidRequest("Method not allowed: use GET"),
                     base::StrCat("Allow: GET\r\n", context.cors));
  }
  if (RefuseWhenFull(core_, *exchange, context.cors)) return;
  const auto client = std::make_shared<Client>();
  client->exchange = exchange;
  client->principal = context.principal;
  client->connection =
      mcp::Connection::Open(core_,
                            {.transport = "sse",
                             .principal = context.principal,
                             .view = context.view,
                             .allow_modern = false,
                             .hang_up = [exchange] { exchange->End(); }},
                            [exchange](const std::string& message) {
                              exchange->Write(net::SseEvent(message, {}, "message"));
                            });
  const std::string id = client->connection->session_id();
  exchange->StartStream(
      200, "text/event-stream",
      base::StrCat("Cache-Control: no-cache\r\nX-Accel-Buffering: no\r\n", context.cors));
  {
    std::lock_guard lock(mutex_);
    clients_.emplace(id, client);
  }
  exchange->Write(net::SseEvent("/messages?sessionId=" + id, {}, "endpoint"));
  ticker_.Watch(client);
  exchange->OnClose([this, id, client] {
    client->open = false;
    client->connection->Close();
    std::lock_guard lock(mutex_);
    clients_.erase(id);
  });
}

std::shared_ptr<SseEndpoint::Client> SseEndpoint::Find(std::string_view id,
                                                       const Principal& principal) {
  std::lock_guard lock(mutex_);
  const auto found = clients_.find(id);
  return found == clients_.end() || found->second->principal->id != principal.id ? nullptr
                                                                                 : found->second;
}

void SseEndpoint::Post(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
                       const RequestContext& context) {
  if (request.method != "POST") {
    return SendError(*exchange, 405, Error::InvalidRequest("Method not allowed: use POST"),
                     base::StrCat("Allow: POST\r\n", context.cors));
  }
  if (!IsJson(request)) {
    return SendError(*exchange, 415, Error::InvalidRequest("Content-Type must be application/json"),
                     context.cors);
  }
  std::string_view id;
  for (const std::string_view pair : base::Split(request.query, '&')) {
    if (pair.starts_with("sessionId=")) id = pair.substr(10);
  }
  const std::shared_ptr<Client> client = Find(id, *context.principal);
  if (client == nullptr) {
    return SendError(*exchange, 404,
                     Error{Code::kSessionGone,
                           "Unknown sessionId: open /sse first and post to the address it names",
                           {}},
                     context.cors);
  }
  exchange->Send(202, "text/plain", "Accepted", context.cors);
  std::lock_guard lock(client->receiving);
  client->connection->Receive(request.body);
}

void OpenWebSocket(mcp::Core& core, const net::Request& request,
                   const std::shared_ptr<net::Exchange>& exchange, const RequestContext& context) {
  if (!request.upgrade) {
    return SendError(*exchange, 426,
                     Error::InvalidRequest("This address speaks WebSocket with subprotocol mcp"),
                     base::StrCat("Upgrade: websocket\r\n", context.cors));
  }
  if (RefuseWhenFull(core, *exchange, context.cors)) return;
  struct Peer {
    std::shared_ptr<net::WebSocket> socket;
    std::shared_ptr<mcp::Connection> connection;
  };
  const auto peer = std::make_shared<Peer>();
  net::WebSocketEvents events;
  events.on_open = [&core, peer, principal = context.principal,
                    view = context.view](std::shared_ptr<net::WebSocket> socket) {
    peer->connection = mcp::Connection::Open(core,
                                             {.transport = "websocket",
                                              .principal = principal,
                                              .view = view,
                                              .hang_up =
                                                  [weak = std::weak_ptr(socket)] {
                                                    if (const auto open = weak.lock())
                                                      open->Close(1001, "The server stops");
                                                  }},
                                             [weak = std::weak_ptr(socket)](std::string message) {
                                               if (const auto open = weak.lock())
                                                 open->Send(std::move(message));
                                             });
    peer->socket = std::move(socket);
  };
  events.on_message = [peer](std::string_view text) { peer->connection->Receive(text); };
  events.on_close = [peer] {
    if (peer->connection) peer->connection->Close();
    peer->socket.reset();
  };
  net::AcceptWebSocket(request, exchange, "mcp", std::move(events),
                       core.options()->max_message_bytes);
}

}  // namespace toolpost::api
