// The answer to a tRPC request: its calls end in any order, on any thread, and leave as one
// document, an array in the order of the request, or lines as they come.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/mcp_endpoint.h"
#include "api/trpc_request.h"
#include "mcp/call_scope.h"

namespace toolpost::api {

// Thread-safe; each call is answered once.
class TrpcReply {
 public:
  TrpcReply(std::shared_ptr<const TrpcRequest> request, std::shared_ptr<net::Exchange> exchange,
            RequestContext context);

  const std::shared_ptr<const TrpcRequest>& request() const { return request_; }
  const RequestContext& context() const { return context_; }

  // `envelope` is the whole of `{"result":…}`.
  void Succeed(std::size_t index, std::string envelope);
  void Fail(std::size_t index, const Error& error);
  // Cancels these calls when the client goes away.
  void CancelWith(std::vector<std::weak_ptr<mcp::CallScope>> calls);

 private:
  void Finish(std::size_t index, std::string envelope, int status);
  void SendBatch();

  const std::shared_ptr<const TrpcRequest> request_;
  const std::shared_ptr<net::Exchange> exchange_;
  const RequestContext context_;
  std::string headers_;
  std::vector<std::string> envelopes_;  // of batches
  std::vector<int> statuses_;
  std::atomic<std::size_t> open_;
};

// A RefusalForm: what the request expects, for every call of a batch, and as an event for a
// subscription. The status is the one tRPC gives the error.
void SendTrpcRefusal(const net::Request& request, net::Exchange& exchange, int status,
                     const Error& error, std::string_view headers);

}  // namespace toolpost::api
