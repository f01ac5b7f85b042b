// HTTP around mcp/controller.
#include "api/rpc_endpoint.h"

#include "api/http_channel.h"
#include "base/strings.h"
#include "mcp/controller.h"
#include "mcp/wire.h"

namespace toolpost::api {

void ServeRpc(mcp::Core& core, std::shared_ptr<net::Exchange> exchange, RequestContext context,
              const std::shared_ptr<const mcp::Body>& body) {
  const mcp::SharedPrincipal principal = context.principal;
  const mcp::ToolView view = context.view;
  mcp::ServeController(core, body, principal, view,
                       std::make_shared<RpcReply>(std::move(exchange), std::move(context)));
}

void HandleRpc(mcp::Core& core, const net::Request& request,
               std::shared_ptr<net::Exchange> exchange, RequestContext context) {
  if (request.method != "POST") {
    return SendError(*exchange, 405, Error::InvalidRequest("Method not allowed: use POST"),
                     base::StrCat("Allow: POST\r\n", context.cors));
  }
  if (!IsJson(request)) {
    return SendError(*exchange, 406, Error::InvalidRequest("Content-Type must be application/json"),
                     context.cors);
  }
  Result<std::shared_ptr<const mcp::Body>> body = mcp::Body::Parse(request.body);
  if (!body) {
    core.requests.Count(false);
    return exchange->Send(200, "application/json", mcp::LegacyErrorMessage("null", body.error()),
                          context.cors);
  }
  ServeRpc(core, std::move(exchange), std::move(context), *std::move(body));
}

}  // namespace toolpost::api
