// Signs and checks requestState.
#include "mcp/request_state.h"

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"

namespace toolpost::mcp {
namespace {

std::string_view AsText(const base::Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// What the state is bound to: the method and its parameters, without those that differ between
// rounds.
std::string DigestOf(const Message& message) {
  std::string text(message.method);
  if (message.params != nullptr) {
    for (const auto& [name, value] : *message.params) {
      if (name == "_meta" || name == "inputResponses" || name == "requestState") continue;
      text.append("\n").append(name).append("=");
      base::AppendJson(text, value);
    }
  }
  return base::ToHex(AsText(base::Sha256(text)));
}

std::int64_t ToMs(base::WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

Error Refused() {
  return Error::InvalidParams("requestState is not valid for this request: start again without it");
}

const Json* Member(const JsonObject& object, std::string_view name, boost::json::kind kind) {
  const Json* value = object.if_contains(name);
  return value != nullptr && value->kind() == kind ? value : nullptr;
}

}  // namespace

RequestStateCodec::RequestStateCodec() : key_(base::RandomBytes(32)) {}

std::string RequestStateCodec::Seal(const State& state, const Principal& principal,
                                    const Message& message) const {
  JsonObject answers;
  for (const auto& [key, answer] : state.answers) answers[key] = answer;
  const std::string payload = base::ToJson(JsonObject{{"answers", std::move(answers)},
                                                      {"state", state.handler_state},
                                                      {"nonce", state.nonce},
                                                      {"expires", ToMs(base::Now() + kLifetime)},
                                                      {"request", DigestOf(message)},
                                                      {"principal", principal.id}});
  return base::ToBase64Url(payload) + "." +
         base::ToBase64Url(AsText(base::HmacSha256(key_, payload)));
}

Result<RequestStateCodec::State> RequestStateCodec::Open(std::string_view text,
                                                         const Principal& principal,
                                                         const Message& message) const {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return Refused();
  const auto payload = base::FromBase64Url(text.substr(0, dot));
  const auto signature = base::FromBase64Url(text.substr(dot + 1));
  if (!payload || !signature ||
      !base::EqualConstantTime(*signature, AsText(base::HmacSha256(key_, *payload)))) {
    return Refused();
  }
  ASSIGN_OR_RETURN(const Json parsed, base::ParseJson(*payload));
  const JsonObject& object = parsed.as_object();
  const Json* answers = Member(object, "answers", boost::json::kind::object);
  const Json* nonce = Member(object, "nonce", boost::json::kind::string);
  const Json* expires = Member(object, "expires", boost::json::kind::int64);
  const Json* request = object.if_contains("request");
  const Json* owner = object.if_contains("principal");
  if (!answers || !nonce || !expires || !request || !owner) return Refused();
  if (expires->get_int64() < ToMs(base::Now()) || *request != DigestOf(message).c_str() ||
      *owner != principal.id.c_str()) {
    return Refused();
  }
  State state{.answers = {},
              .handler_state = object.at("state"),
              .nonce = std::string(nonce->get_string())};
  {
    std::lock_guard lock(mutex_);
    if (spent_.contains(state.nonce)) return Refused();
  }
  for (const auto& [key, answer] : answers->get_object())
    state.answers[std::string(key)] = answer.as_object();
  return state;
}

void RequestStateCodec::Spend(const std::string& nonce) {
  const base::WallTime now = base::Now();
  std::lock_guard lock(mutex_);
  std::erase_if(spent_, [now](const auto& entry) { return entry.second < now; });
  spent_.emplace(nonce, now + kLifetime);
}

}  // namespace toolpost::mcp
