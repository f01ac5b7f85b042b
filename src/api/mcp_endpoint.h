// Streamable HTTP at /mcp: POST, GET and DELETE for all five revisions.
#pragma once

#include <memory>
#include <string>

#include "api/ticker.h"
#include "mcp/core.h"
#include "mcp/operation.h"
#include "net/http_server.h"

namespace toolpost::auth {
class Authenticator;
}

namespace toolpost::api {

// What the listener knows of a request besides its bytes.
struct RequestContext {
  mcp::SharedPrincipal principal;
  mcp::ToolView view;
  std::string cors;  // header block for the reply
  const auth::Authenticator* authenticator = nullptr;
  mcp::Arrival arrival{"tcp", "http"};
};

// Handles requests on the loop's thread; never blocks.
class McpEndpoint {
 public:
  McpEndpoint(mcp::Core& core, Ticker& ticker) : core_(core), ticker_(ticker) {}

  void Handle(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
              RequestContext context);

 private:
  void Post(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
            RequestContext context);
  void Get(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
           const RequestContext& context);
  void Delete(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
              const RequestContext& context);
  void ServeStateless(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
                      RequestContext context, std::shared_ptr<const mcp::Body> body);
  void Handshake(const std::shared_ptr<net::Exchange>& exchange, const RequestContext& context,
                 const std::shared_ptr<const mcp::Body>& body);
  void ServeSession(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
                    const RequestContext& context, const std::shared_ptr<const mcp::Body>& body);
  // The session the header names, or null after answering why not.
  std::shared_ptr<mcp::Session> FindSession(const net::Request& request, net::Exchange& exchange,
                                            const RequestContext& context);

  mcp::Core& core_;
  Ticker& ticker_;
};

// True if the request carries an API key: a Bearer token or X-API-Key.
bool HasApiKey(const net::Request& request);
// True for application/json, with or without parameters.
bool IsJson(const net::Request& request);
// A JSON-RPC error without id, for refusals before a message was read.
void SendError(net::Exchange& exchange, int status, const Error& error, std::string_view headers);
void SendError(net::Exchange& exchange, int status, int code, std::string_view message,
               std::string_view headers);

}  // namespace toolpost::api
