// Parses JSON-RPC bodies and classifies their messages.
#include "mcp/message.h"

#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

Message Invalid(Message message, Error error) {
  message.kind = Message::Kind::kInvalid;
  message.error = std::move(error);
  return message;
}

// Reads "id" into the message; false if it is neither a string nor an integer.
bool ReadId(const Json& id, Message& message) {
  if (!id.is_string() && !id.is_int64() && !id.is_uint64()) return false;
  base::AppendJson(message.id, id);
  return true;
}

Message ClassifyCall(const JsonObject& object, const Json& method, Message message) {
  if (!method.is_string()) {
    return Invalid(std::move(message), Error::InvalidRequest("method must be a string"));
  }
  message.method = std::string_view(method.get_string());
  if (const Json* params = object.if_contains("params"); params != nullptr && !params->is_null()) {
    message.params = params->if_object();
    if (params->is_array()) {
      return Invalid(std::move(message),
                     Error::InvalidParams("params must be an object, not an array"));
    }
    if (message.params == nullptr) {
      return Invalid(std::move(message), Error::InvalidRequest("params must be an object"));
    }
  }
  message.kind = message.id.empty() ? Message::Kind::kNotification : Message::Kind::kRequest;
  return message;
}

Message Classify(const Json& value) {
  Message message;
  message.object = value.if_object();
  if (message.object == nullptr) {
    return Invalid(std::move(message), Error::InvalidRequest("A message must be a JSON object"));
  }
  const JsonObject& object = *message.object;
  const Json* id = object.if_contains("id");
  if (id != nullptr && !ReadId(*id, message)) {
    return Invalid(std::move(message), Error::InvalidRequest("id must be a string or an integer"));
  }
  const Json* version = object.if_contains("jsonrpc");
  if (version == nullptr || !version->is_string() || version->get_string() != "2.0") {
    return Invalid(std::move(message), Error::InvalidRequest("jsonrpc must be \"2.0\""));
  }
  if (const Json* method = object.if_contains("method")) {
    return ClassifyCall(object, *method, std::move(message));
  }
  const bool has_result = object.contains("result");
  const Json* error = object.if_contains("error");
  if (id == nullptr || has_result == (error != nullptr)) {
    return Invalid(
        std::move(message),
        Error::InvalidRequest("A message needs a method, or an id with either result or error"));
  }
  message.kind = Message::Kind::kResponse;
  return message;
}

}  // namespace

const Json* Message::Param(std::string_view name) const {
  return params == nullptr ? nullptr : params->if_contains(name);
}

Result<std::string_view> Message::StringParam(std::string_view name) const {
  const Json* value = Param(name);
  if (value == nullptr || !value->is_string()) {
    return Error::InvalidParams(base::StrCat(method, " needs ", name, ", a string"));
  }
  return std::string_view(value->get_string());
}

Result<std::string_view> Message::Cursor() const {
  const Json* cursor = Param("cursor");
  if (cursor == nullptr || cursor->is_null()) return std::string_view();
  if (!cursor->is_string()) return Error::InvalidParams("cursor must be a string");
  return std::string_view(cursor->get_string());
}

const JsonObject* Message::Meta() const {
  const Json* meta = Param("_meta");
  return meta == nullptr ? nullptr : meta->if_object();
}

Body::Body() : arena_(first_block_.data(), first_block_.size()), root_(&arena_) {}

Result<std::shared_ptr<const Body>> Body::Parse(std::string_view text) {
  auto body = std::make_shared<Body>();
  ASSIGN_OR_RETURN(Json root, base::ParseJson(text, &body->arena_));
  body->root_ = std::move(root);
  if (const JsonArray* array = body->root_.if_array()) {
    if (array->size() > kMaxBatch) {
      return Error::InvalidRequest(base::StrCat("A batch may hold ", kMaxBatch,
                                                " messages at most, this one has ", array->size(),
                                                "; send them in parts"));
    }
    body->is_batch_ = true;
    body->messages_.reserve(array->size());
    for (const Json& value : *array) body->messages_.push_back(Classify(value));
  } else {
    body->single_ = Classify(body->root_);
  }
  return std::shared_ptr<const Body>(std::move(body));
}

}  // namespace toolpost::mcp
