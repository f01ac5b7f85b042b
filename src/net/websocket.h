// RFC 6455 on a socket that an HTTP connection has given up.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "net/http_server.h"
#include "net/loop.h"
#include "net/stream.h"

namespace toolpost::net {

struct WebSocketSeed {
  std::shared_ptr<Loop> loop;
  Stream stream;
  std::string unread;       // input that followed the upgrade request
  std::string subprotocol;  // echoed if the request offers it
  WebSocketEvents events;
  std::size_t max_message_bytes = 0;
};

// Answers the handshake and serves the socket until it closes; a handshake that is not valid is
// answered 400 or 426. On the loop's thread. All events are called on it, from the loop and never
// inside this call; on_close only after on_open.
void OpenWebSocket(WebSocketSeed seed, const Request& request);

}  // namespace toolpost::net
