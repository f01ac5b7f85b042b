// What replies to a POST have in common: who asked, and how HTTP words a refusal.
#pragma once

#include <memory>
#include <string>

#include "api/mcp_endpoint.h"
#include "api/refusal.h"
#include "mcp/channel.h"
#include "net/http_server.h"

namespace toolpost::api {

class HttpChannel : public mcp::Channel {
 public:
  HttpChannel(std::shared_ptr<net::Exchange> exchange, RequestContext context)
      : exchange_(std::move(exchange)), context_(std::move(context)) {}

  mcp::SharedPrincipal principal() const override { return context_.principal; }
  const mcp::Arrival& arrival() const override { return context_.arrival; }
  // Before the reply has begun.
  bool Refuse(const Error& error) override;

 protected:
  net::Exchange& exchange() const { return *exchange_; }
  const std::shared_ptr<net::Exchange>& shared_exchange() const { return exchange_; }
  const std::string& cors() const { return context_.cors; }
  // A complete reply; the status and headers of a refusal win.
  void SendJson(int status, std::string message);
  void SendLongJson(int status, base::LongMessage message);
  virtual bool begun() const = 0;

 private:
  const std::shared_ptr<net::Exchange> exchange_;
  const RequestContext context_;
  HttpRefusal refusal_;
};

// The reply of the JSON-RPC controller: one JSON document.
class RpcReply final : public HttpChannel {
 public:
  using HttpChannel::HttpChannel;

  void Send(std::string) override {}
  void Finish(std::string message, int http_status) override {
    SendJson(http_status, std::move(message));
  }
  void Abandon() override { exchange().Send(202, {}, {}, cors()); }
  void OnCancel(std::function<void()>) override {}

 private:
  bool begun() const override { return false; }
};

}  // namespace toolpost::api
