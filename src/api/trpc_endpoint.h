// tRPC v11 over HTTP at /trpc: queries, mutations, batches, streaming batches and subscriptions.
//
// A call is a row of trpc_procedures.h and a call of the registry; every caller needs a credential
// (requirements D24).
#pragma once

#include <memory>
#include <optional>
#include <tuple>

#include "api/mcp_endpoint.h"
#include "api/trpc_reply.h"
#include "api/trpc_subscription.h"
#include "toolpost/schema.h"

namespace toolpost::api {

// The input of mcp.executeTool.
struct TrpcExecuteInput {
  std::string name;
  std::optional<JsonObject> arguments;
  static constexpr auto Fields() {
    return std::tuple{
        Req("name", &TrpcExecuteInput::name, "Of the tool: category/name, or what MCP lists."),
        Opt("arguments", &TrpcExecuteInput::arguments, "By name.")};
  }
};

// Handles requests on the loop's thread; never blocks. Outlives the connections.
class TrpcEndpoint {
 public:
  TrpcEndpoint(mcp::Core& core, Ticker& ticker) : core_(core), subscriptions_(core, ticker) {}

  void Handle(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
              RequestContext context);
  // Ends the open subscriptions.
  void Stop() { subscriptions_.Stop(); }

 private:
  class Call;

  // Calls what the request names at `index`. Returns the call if it goes on, to be cancelled when
  // the client leaves.
  std::shared_ptr<Call> Start(const std::shared_ptr<TrpcReply>& reply, std::size_t index);
  void SendTypes(net::Exchange& exchange, const RequestContext& context) const;

  mcp::Core& core_;
  TrpcSubscriptions subscriptions_;
};

}  // namespace toolpost::api
