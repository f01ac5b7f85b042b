// The four handshake revisions: requests of a session, method by method.
#pragma once

#include <memory>

#include "mcp/channel.h"
#include "mcp/message.h"
#include "mcp/session.h"

namespace toolpost::mcp {

// Answers one request of a session through `channel`, now or from a worker.
void ServeLegacy(const std::shared_ptr<Session>& session, std::shared_ptr<const Body> body,
                 const Message& message, std::shared_ptr<Channel> channel);

}  // namespace toolpost::mcp
