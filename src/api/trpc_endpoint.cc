// From a request to calls of the registry, and from their outcomes to envelopes.
#include "api/trpc_endpoint.h"

#include <chrono>
#include <utility>

#include "api/trpc_types.h"
#include "api/trpc_wire.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "mcp/call_failure.h"
#include "mcp/names.h"
#include "schema/json_schema.h"

namespace toolpost::api {
namespace {

using Clock = std::chrono::steady_clock;

Error NeedsCredential() {
  return {Code::kUnauthenticated,
          "tRPC needs a credential: send Authorization: Bearer <key> or X-API-Key: <key>. Where no "
          "authentication is configured, it is the token in the file local-token of the state "
          "directory",
          {}};
}

// What a tool gave: its data, or its content where it has none.
void AppendData(std::string& out, const Output& output) {
  if (output.has_structured()) return output.AppendStructured(out);
  out.append(R"({"content":)");
  base::AppendJson(out, output.content);
  out.push_back('}');
}

// A tool that failed without an error of ours says why in its text.
Error ToolError(const Output& output) {
  for (const Json& block : output.content) {
    const JsonObject* object = block.if_object();
    const Json* text = object == nullptr ? nullptr : object->if_contains("text");
    if (text != nullptr && text->is_string()) return Error::Internal(text->get_string().c_str());
  }
  return Error::Internal("The tool reported an error");
}

Result<void> CheckExecuteInput(std::string_view path, const Json& input) {
  static const Result<schema::JsonSchema> kSchema =
      schema::JsonSchema::Compile(InputSchemaOf<TrpcExecuteInput>());
  if (!kSchema) return kSchema.error();
  const auto violations = kSchema->Validate(input);
  if (violations.empty()) return {};
  return mcp::ArgumentError(path, violations);
}

}  // namespace

// The context of one call: keeps what its arguments lie in.
class TrpcEndpoint::Call final : public mcp::DirectCall {
 public:
  Call(Origin origin, std::shared_ptr<TrpcReply> reply, std::size_t index)
      : DirectCall(std::move(origin)), reply_(std::move(reply)), index_(index) {}

  const TrpcRequest::Call& target() const { return reply_->request()->calls()[index_]; }

  void Fail(const Error& error) {
    Answered(mcp::Ending::Failed(error.code, true));
    reply_->Fail(index_, error);
  }

  // Sets tool and arguments from the input.
  Result<void> Bind() {
    ASSIGN_OR_RETURN(const Json* input, reply_->request()->InputOf(index_));
    static const Json kNone = JsonObject();
    if (input == nullptr) input = &kNone;
    const TrpcProcedure& procedure = *target().procedure;
    if (procedure.tool.empty()) return BindNamed(*input);
    tool_ = core().registry.Find(procedure.tool, view());
    if (!tool_) {
      return Error::NotFound(
          base::StrCat("The tool ", procedure.tool, " is not enabled on this server"));
    }
    arguments_ = input->if_object();
    if (arguments_ == nullptr)
      return mcp::ArgumentError(target().path, {{"", "type", "must be an object"}});
    if (!procedure.fixed.empty()) {
      own_ = *arguments_;
      own_[procedure.fixed] = true;
      arguments_ = &own_;
    }
    return {};
  }

  // True if it goes on after this returned.
  static bool Run(const std::shared_ptr<Call>& call) {
    call->Calls(*call->tool_);
    const bool pooled = call->tool_->tool.info.run != Run::kInline;
    if (pooled) call->StartTimed();
    call->started_ = Clock::now();
    call->core().registry.Call({.name = call->tool_->tool.info.name,
                                .arguments = call->arguments_,
                                .view = call->view(),
                                .context = call,
                                .tool = call->tool_,
                                .trace = call->trace(),
                                .whole = true},
                               [call](const mcp::CallOutcome& outcome) { call->Answer(outcome); });
    return pooled;
  }

 private:
  Result<void> BindNamed(const Json& input) {
    RETURN_IF_ERROR(CheckExecuteInput(target().path, input));
    const JsonObject& object = input.get_object();
    const std::string_view name = object.at("name").get_string();
    tool_ = core().registry.Find(name, view());
    if (!tool_) {
      RETURN_IF_ERROR(mcp::CheckCanonicalId(name));
      return Error::NotFound(core().registry.Unknown(name, view()).message);
    }
    const Json* arguments = object.if_contains("arguments");
    arguments_ = arguments == nullptr ? nullptr : arguments->if_object();
    return {};
  }

  void Answer(const mcp::CallOutcome& outcome) {
    Answered(mcp::EndingOf(outcome));
    if (outcome.error) return reply_->Fail(index_, *outcome.error);
    if (outcome.output.is_error) return reply_->Fail(index_, ToolError(outcome.output));
    std::string envelope = R"({"result":{"data":)";
    if (target().procedure->tool.empty()) {
      envelope.append(R"({"success":true,"result":)");
      AppendData(envelope, outcome.output);
      envelope.append(R"(,"executionTime":)");
      base::AppendJsonMilliseconds(envelope, Clock::now() - started_);
      envelope.push_back('}');
    } else {
      AppendData(envelope, outcome.output);
    }
    reply_->Succeed(index_, std::move(envelope.append("}}")));
  }

  const std::shared_ptr<TrpcReply> reply_;
  const std::size_t index_;
  std::shared_ptr<const mcp::RegisteredTool> tool_;
  const JsonObject* arguments_ = nullptr;
  JsonObject own_;
  Clock::time_point started_;
};

void TrpcEndpoint::Handle(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
                          RequestContext context) {
  if (request.method == "HEAD") return exchange->Send(204, {}, {}, context.cors);
  if (!context.principal->authenticated) {
    const Error error = NeedsCredential();
    const std::string headers = base::StrCat("WWW-Authenticate: Bearer\r\n", context.cors);
    return SendTrpcRefusal(request, *exchange, 401, error, headers);
  }
  if (request.method == "GET" && TrpcPathOf(request) == "types.d.ts")
    return SendTypes(*exchange, context);
  const std::shared_ptr<TrpcRequest> read = TrpcRequest::Read(request);
  if (read->refusal()) {
    core_.requests.Count(false);
    return exchange->Send(TrpcStatusOf(*read->refusal()), "application/json",
                          TrpcErrorEnvelope(*read->refusal(), {}),
                          base::StrCat(kTrpcVary, context.cors));
  }
  read->ReadInputs(request);
  if (read->subscription()) return subscriptions_.Open(*read, exchange, context);
  const auto reply = std::make_shared<TrpcReply>(read, std::move(exchange), std::move(context));
  std::vector<std::weak_ptr<mcp::CallScope>> running;
  for (std::size_t i = 0; i < read->calls().size(); ++i) {
    if (const auto call = Start(reply, i)) running.push_back(call);
  }
  if (!running.empty()) reply->CancelWith(std::move(running));
}

std::shared_ptr<TrpcEndpoint::Call> TrpcEndpoint::Start(const std::shared_ptr<TrpcReply>& reply,
                                                        std::size_t index) {
  const RequestContext& context = reply->context();
  const auto call = std::make_shared<Call>(mcp::CallScope::Origin{.core = &core_,
                                                                  .principal = context.principal,
                                                                  .view = context.view,
                                                                  .revision = mcp::kNewestLegacy,
                                                                  .arrival = &context.arrival},
                                           reply, index);
  if (const auto& refusal = call->target().refusal) {
    call->Fail(*refusal);
    return nullptr;
  }
  if (Result<void> bound = call->Bind(); !bound) {
    call->Fail(bound.error());
    return nullptr;
  }
  return Call::Run(call) ? call : nullptr;
}

void TrpcEndpoint::SendTypes(net::Exchange& exchange, const RequestContext& context) const {
  exchange.Send(200, "application/typescript; charset=utf-8",
                TrpcTypes(core_.registry, context.view), context.cors);
}

}  // namespace toolpost::api
