// The JSON-RPC controller over HTTP: POST / and POST /rpc (document CTRL).
#pragma once

#include <memory>

#include "api/mcp_endpoint.h"

namespace toolpost::api {

// Answers a parsed body; 200 with the reply, 202 when there is none.
void ServeRpc(mcp::Core& core, std::shared_ptr<net::Exchange> exchange, RequestContext context,
              const std::shared_ptr<const mcp::Body>& body);
// The whole request: method, content type (406, requirement D14), parsing.
void HandleRpc(mcp::Core& core, const net::Request& request,
               std::shared_ptr<net::Exchange> exchange, RequestContext context);

}  // namespace toolpost::api
