// Collecting and sending.
#include "api/trpc_reply.h"

#include <algorithm>

#include "api/refusal.h"
#include "api/trpc_subscription.h"
#include "api/trpc_wire.h"
#include "base/strings.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr int kMultiStatus = 207;

std::string ArrayOf(const std::vector<std::string>& envelopes) {
  return base::StrCat("[", base::Join(envelopes, ","), "]");
}

}  // namespace

TrpcReply::TrpcReply(std::shared_ptr<const TrpcRequest> request,
                     std::shared_ptr<net::Exchange> exchange, RequestContext context)
    : request_(std::move(request)),
      exchange_(std::move(exchange)),
      context_(std::move(context)),
      headers_(base::StrCat(kTrpcVary, context_.cors)),
      open_(request_->calls().size()) {
  if (!request_->batch()) return;
  if (request_->streaming()) {
    exchange_->StartStream(200, kJson, headers_);
    exchange_->Write(TrpcStreamHead(request_->calls().size()));
  } else {
    envelopes_.resize(request_->calls().size());
    statuses_.resize(request_->calls().size());
  }
}

void TrpcReply::Succeed(std::size_t index, std::string envelope) {
  Finish(index, std::move(envelope), 200);
}

void TrpcReply::Fail(std::size_t index, const Error& error) {
  if (!request_->batch())
    headers_.append(HttpRefusalOf(error, *context_.principal, *context_.authenticator).headers);
  Finish(index, TrpcErrorEnvelope(error, request_->calls()[index].path), TrpcStatusOf(error));
}

void TrpcReply::Finish(std::size_t index, std::string envelope, int status) {
  if (!request_->batch()) return exchange_->Send(status, kJson, std::move(envelope), headers_);
  if (request_->streaming()) {
    exchange_->Write(TrpcStreamLine(index, envelope));
  } else {
    envelopes_[index] = std::move(envelope);
    statuses_[index] = status;
  }
  if (open_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (request_->streaming()) return exchange_->End();
  SendBatch();
}

void TrpcReply::SendBatch() {
  const bool same =
      std::ranges::all_of(statuses_, [this](int status) { return status == statuses_.front(); });
  exchange_->Send(same ? statuses_.front() : kMultiStatus, kJson, ArrayOf(envelopes_), headers_);
}

void TrpcReply::CancelWith(std::vector<std::weak_ptr<mcp::CallScope>> calls) {
  exchange_->OnClose([calls = std::move(calls)] {
    for (const auto& weak : calls) {
      if (const auto call = weak.lock()) call->Cancel(true);
    }
  });
}

void SendTrpcRefusal(const net::Request& request, net::Exchange& exchange, int, const Error& error,
                     std::string_view headers) {
  const std::shared_ptr<const TrpcRequest> read = TrpcRequest::Read(request);
  const std::string all = base::StrCat(kTrpcVary, headers);
  if (read->subscription()) return SendTrpcStreamError(exchange, error, read->calls()[0].path, all);
  const int status = TrpcStatusOf(error);
  if (read->refusal() || read->calls().empty())
    return exchange.Send(status, kJson, TrpcErrorEnvelope(error, {}), all);
  std::vector<std::string> envelopes;
  for (const TrpcRequest::Call& call : read->calls())
    envelopes.push_back(TrpcErrorEnvelope(error, call.path));
  if (read->streaming()) {
    exchange.StartStream(200, kJson, all);
    exchange.Write(TrpcStreamHead(envelopes.size()));
    for (std::size_t i = 0; i < envelopes.size(); ++i)
      exchange.Write(TrpcStreamLine(i, envelopes[i]));
    return exchange.End();
  }
  exchange.Send(status, kJson, read->batch() ? ArrayOf(envelopes) : std::move(envelopes.front()),
                all);
}

}  // namespace toolpost::api
