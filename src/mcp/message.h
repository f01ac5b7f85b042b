// JSON-RPC 2.0 messages as they come in: one parsed body with its memory, and what kind of message
// it holds.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/monotonic_resource.hpp>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::mcp {

// One message of a body. All pointers and views live as long as the Body.
struct Message {
  enum class Kind { kRequest, kNotification, kResponse, kInvalid };

  Kind kind = Kind::kInvalid;
  std::string id;           // the id as JSON text: `1` and `"1"` differ; empty when there is none
  std::string_view method;  // requests and notifications
  const JsonObject* params = nullptr;  // null when absent
  const JsonObject* object = nullptr;  // the whole message; null when it is no object
  Error error;                         // kInvalid: what is wrong

  // A member of params.
  const Json* Param(std::string_view name) const;
  // A member of params that must be a string; Code::kInvalidArgument naming the method and the
  // member.
  Result<std::string_view> StringParam(std::string_view name) const;
  // params.cursor of a list request; empty when absent or null.
  Result<std::string_view> Cursor() const;
  // params._meta, or null.
  const JsonObject* Meta() const;
};

// A parsed body: one message or a batch. Immutable; share it to keep the arguments of a call alive.
class Body {
 public:
  // A batch of small requests may have large answers, which are sent together.
  static constexpr std::size_t kMaxBatch = 256;

  // Fails only for text that is not JSON and batches that are too long; messages that are no
  // JSON-RPC come back as Kind::kInvalid.
  static Result<std::shared_ptr<const Body>> Parse(std::string_view text);

  bool is_batch() const { return is_batch_; }
  const Message& message() const { return single_; }               // !is_batch()
  const std::vector<Message>& batch() const { return messages_; }  // is_batch()

  Body();
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

 private:
  std::array<unsigned char, 2048> first_block_;
  boost::json::monotonic_resource arena_;
  Json root_;  // after arena_: its storage
  bool is_batch_ = false;
  Message single_;
  std::vector<Message> messages_;
};

}  // namespace toolpost::mcp
