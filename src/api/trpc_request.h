// A tRPC request taken apart: which procedures are called, in which form, with which inputs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/trpc_procedures.h"
#include "net/http_server.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::api {

// True for what the tRPC door answers.
bool IsTrpcPath(std::string_view path);
// What follows "/trpc/", as sent.
std::string_view TrpcPathOf(const net::Request& request);

// Read and filled on one thread, immutable afterwards; share it to keep inputs alive.
class TrpcRequest {
 public:
  static constexpr std::size_t kMaxBatch = 256;

  struct Call {
    std::string_view path;
    const TrpcProcedure* procedure = nullptr;  // null: unknown
    std::optional<Error> refusal;              // not to be called, and why
  };

  // Everything but the inputs. Never fails: see refusal() and Call::refusal.
  static std::shared_ptr<TrpcRequest> Read(const net::Request& request);
  // Parses the inputs of the same request.
  void ReadInputs(const net::Request& request);

  // The request as a whole cannot be served.
  const std::optional<Error>& refusal() const { return refusal_; }
  bool batch() const { return batch_; }
  bool streaming() const { return streaming_; }  // a batch whose answers come as lines
  const std::vector<Call>& calls() const { return calls_; }
  // True for a request that is answered by an event stream.
  bool subscription() const;
  const std::string& last_event_id() const { return last_event_id_; }

  // The input of a call, null when there is none. Code::kInvalidRequest when it cannot be read.
  Result<const Json*> InputOf(std::size_t index) const;

  TrpcRequest();
  TrpcRequest(const TrpcRequest&) = delete;
  TrpcRequest& operator=(const TrpcRequest&) = delete;

 private:
  std::optional<Error> ReadCalls(const net::Request& request);
  std::optional<Error> MixedKinds() const;

  std::string path_;
  bool batch_ = false;
  bool streaming_ = false;
  std::vector<Call> calls_;
  std::string last_event_id_;
  std::optional<Error> refusal_;
  std::optional<Error> input_error_;
  std::array<unsigned char, 2048> first_block_;
  boost::json::monotonic_resource arena_;
  std::optional<Json> inputs_;  // after arena_: its storage
};

// Clients that cannot set headers (EventSource in browsers) send `Authorization` or `X-API-Key` as
// connectionParams of a subscription. The headers of the request with those added, when it has
// neither by itself.
class TrpcHeaders {
 public:
  explicit TrpcHeaders(const net::Request& request);
  TrpcHeaders(const TrpcHeaders&) = delete;
  TrpcHeaders& operator=(const TrpcHeaders&) = delete;
  // As given, or with headers of our own, which live as long as this.
  const net::Request& request() const { return request_; }

 private:
  net::Request request_;
  std::vector<net::Header> headers_;
  std::vector<std::string> values_;
};

}  // namespace toolpost::api
