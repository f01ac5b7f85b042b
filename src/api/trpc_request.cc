// The order of the checks is the reference's, so that the same request gets the same answer.
#include "api/trpc_request.h"

#include <algorithm>

#include "base/json_parse.h"
#include "base/percent.h"
#include "base/strings.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kDoor = "/trpc";
constexpr std::string_view kLines = "application/jsonl";

bool Lists(std::string_view header, std::string_view type) {
  for (const std::string_view part : base::Split(header, ',')) {
    if (base::Trim(part) == type) return true;
  }
  return false;
}

bool WantsLines(const net::Request& request) {
  if (const std::string_view own = request.Find("trpc-accept"); own.data() != nullptr)
    return own == kLines;
  return Lists(request.Find("Accept"), kLines);
}

std::string MediaTypeOf(std::string_view content_type) {
  return base::ToLower(base::Trim(content_type.substr(0, content_type.find(';'))));
}

std::optional<Error> MediaRefusal(const net::Request& request) {
  const std::string_view sent = request.Find("Content-Type");
  const std::string type = MediaTypeOf(sent);
  if (type == "application/json") return std::nullopt;
  if (request.method != "GET") {
    // Without the second quote, as the reference has it.
    return Error{Code::kUnsupportedMedia,
                 sent.data() == nullptr ? std::string("Missing content-type header")
                                        : base::StrCat("Unsupported content-type \"", sent),
                 {}};
  }
  if (type != "multipart/form-data" && type != "application/octet-stream") return std::nullopt;
  return Error{Code::kMethodNotAllowed,
               base::StrCat("Only POST requests are supported for ", type, " requests"),
               {}};
}

// Queries and subscriptions with a long input may come by POST (method override).
bool MethodFits(std::string_view method, TrpcKind kind) {
  return method == "POST" || (method == "GET" && kind != TrpcKind::kMutation);
}

std::optional<Error> CallRefusal(const TrpcRequest::Call& call, std::string_view method,
                                 bool batch) {
  if (call.procedure == nullptr)
    return Error::NotFound(base::StrCat("No procedure found on path \"", call.path, "\""));
  const TrpcKind kind = call.procedure->kind;
  if (!MethodFits(method, kind)) {
    return Error{Code::kMethodNotAllowed,
                 base::StrCat("Unsupported ", method, "-request to ", NameOf(kind),
                              " procedure at path \"", call.path, "\""),
                 {}};
  }
  if (batch && kind == TrpcKind::kSubscription)
    return Error::InvalidRequest("Cannot batch subscription calls");
  return std::nullopt;
}

std::optional<Error> ConnectionRefusal(const net::Request& request) {
  const auto text = base::QueryParameter(request.query, "connectionParams");
  if (!text) return std::nullopt;
  const Result<Json> params = base::ParseJson(*text);
  if (!params) return Error::Parse("Not JSON-parsable query params");
  const JsonObject* object = params->if_object();
  const bool fits =
      params->is_null() || (object != nullptr && std::ranges::all_of(*object, [](const auto& each) {
                              return each.value().is_string();
                            }));
  if (fits) return std::nullopt;
  return Error::Parse("Invalid connection params shape");
}

std::string LastEventId(const net::Request& request) {
  if (const std::string_view header = request.Find("Last-Event-ID"); header.data() != nullptr)
    return std::string(header);
  auto id = base::QueryParameter(request.query, "lastEventId");
  if (!id) id = base::QueryParameter(request.query, "Last-Event-Id");
  return id.value_or("");
}

// What a transformer such as superjson makes of an input.
bool IsTransformed(const Json& input) {
  const JsonObject* object = input.if_object();
  return object != nullptr && object->contains("json") &&
         object->size() == 1U + (object->contains("meta") ? 1U : 0U);
}

}  // namespace

bool IsTrpcPath(std::string_view path) {
  return path.starts_with(kDoor) && (path.size() == kDoor.size() || path[kDoor.size()] == '/');
}

std::string_view TrpcPathOf(const net::Request& request) {
  return request.path.substr(std::min(request.path.size(), kDoor.size() + 1));
}

TrpcRequest::TrpcRequest() : arena_(first_block_.data(), first_block_.size()) {}

std::shared_ptr<TrpcRequest> TrpcRequest::Read(const net::Request& request) {
  auto read = std::make_shared<TrpcRequest>();
  read->refusal_ = read->ReadCalls(request);
  return read;
}

std::optional<Error> TrpcRequest::ReadCalls(const net::Request& request) {
  const std::string_view raw = TrpcPathOf(request);
  std::optional<std::string> path = base::PercentDecode(raw);
  if (!path)
    return Error::InvalidRequest(base::StrCat("Invalid URL-encoding in path \"", raw, "\""));
  path_ = *std::move(path);
  if (auto refused = MediaRefusal(request)) return refused;
  batch_ = base::QueryParameter(request.query, "batch") == "1";
  const std::vector<std::string_view> paths =
      batch_ ? base::Split(path_, ',') : std::vector<std::string_view>{path_};
  if (paths.size() > kMaxBatch) return Error::InvalidRequest("Batch call exceeds maximum size");
  calls_.reserve(paths.size());
  for (const std::string_view each : paths) {
    Call& call = calls_.emplace_back(Call{each, FindTrpcProcedure(each), {}});
    call.refusal = CallRefusal(call, request.method, batch_);
  }
  if (auto refused = MixedKinds()) return refused;
  if (auto refused = ConnectionRefusal(request)) return refused;
  streaming_ = WantsLines(request);
  if (streaming_ && !batch_) {
    return Error::InvalidRequest("Streaming requests must be batched (you can do a batch of 1)");
  }
  if (subscription()) last_event_id_ = LastEventId(request);
  return std::nullopt;
}

std::optional<Error> TrpcRequest::MixedKinds() const {
  std::vector<TrpcKind> kinds;
  for (const Call& call : calls_) {
    if (call.procedure != nullptr && std::ranges::find(kinds, call.procedure->kind) == kinds.end())
      kinds.push_back(call.procedure->kind);
  }
  if (kinds.size() < 2) return std::nullopt;
  std::string names;
  for (const TrpcKind kind : kinds) names.append(names.empty() ? "" : ", ").append(NameOf(kind));
  return Error::InvalidRequest("Cannot mix procedure types in call: " + names);
}

bool TrpcRequest::subscription() const {
  return !batch_ && calls_.size() == 1 && calls_.front().procedure != nullptr &&
         calls_.front().procedure->kind == TrpcKind::kSubscription;
}

void TrpcRequest::ReadInputs(const net::Request& request) {
  std::optional<std::string> parameter;
  std::string_view text = request.body;
  if (request.method == "GET") {
    parameter = base::QueryParameter(request.query, "input");
    text = parameter ? std::string_view(*parameter) : std::string_view();
  }
  if (text.empty()) return;
  Result<Json> inputs = base::ParseJson(text, &arena_);
  if (!inputs) {
    input_error_ = Error::InvalidRequest("The input is not valid JSON: " + inputs.error().message);
  } else if (batch_ && !inputs->is_object()) {
    input_error_ = Error::InvalidRequest("\"input\" needs to be an object when doing a batch call");
  } else {
    inputs_.emplace(*std::move(inputs));
  }
}

Result<const Json*> TrpcRequest::InputOf(std::size_t index) const {
  if (input_error_) {
    if (!calls_[index].procedure->takes_input) return nullptr;
    return *input_error_;
  }
  const Json* input = inputs_ ? &*inputs_ : nullptr;
  if (input != nullptr && batch_) input = input->get_object().if_contains(base::StrCat(index));
  if (input == nullptr || input->is_null()) return nullptr;
  if (IsTransformed(*input)) {
    return Error::InvalidRequest(
        "The input was wrapped by a transformer such as superjson. This server speaks plain JSON: "
        "remove `transformer` from the link");
  }
  return calls_[index].procedure->takes_input ? input : nullptr;
}

TrpcHeaders::TrpcHeaders(const net::Request& request) : request_(request) {
  if (request.Has("Authorization") || request.Has("X-API-Key") ||
      !Lists(request.Find("Accept"), "text/event-stream"))
    return;
  const auto text = base::QueryParameter(request.query, "connectionParams");
  if (!text) return;
  const Result<Json> params = base::ParseJson(*text);
  if (!params || !params->is_object()) return;
  headers_ = *request.headers;
  values_.reserve(params->get_object().size());  // views into it
  for (const auto& param : params->get_object()) {
    if (!param.value().is_string()) continue;
    for (const std::string_view name : {"Authorization", "X-API-Key"}) {
      if (!base::EqualIgnoringCase(param.key(), name)) continue;
      headers_.push_back({name, values_.emplace_back(param.value().get_string())});
    }
  }
  request_.headers = &headers_;
}

}  // namespace toolpost::api
