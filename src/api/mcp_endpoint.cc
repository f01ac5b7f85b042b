// One endpoint, two eras: routes a POST by its body, keeps the streams of sessions.
#include "api/mcp_endpoint.h"

#include "api/post_channel.h"
#include "api/rpc_endpoint.h"
#include "api/session_streams.h"
#include "base/strings.h"
#include "mcp/era.h"
#include "mcp/modern.h"
#include "mcp/wire.h"

namespace toolpost::api {
namespace {

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
// Errors of the transport itself carry the number the official servers use.
constexpr int kTransportError = -32000;

class RequestHeaders : public mcp::HttpHeaders {
 public:
  explicit RequestHeaders(const net::Request& request) : request_(request) {}
  std::string_view Find(std::string_view name) const override {
    const std::string_view value = request_.Find(name);
    return value.data() == nullptr ? value : base::Trim(value);
  }

 private:
  const net::Request& request_;
};

bool Accepts(const net::Request& request, std::string_view type) {
  const std::string_view accept = request.Find("Accept");
  return accept.find(type) != std::string_view::npos ||
         accept.find("*/*") != std::string_view::npos;
}

// The version header of a request inside a session: absent, or a revision we know.
bool VersionHeaderFits(const net::Request& request) {
  const std::string_view version = request.Find(kVersionHeader);
  return version.data() == nullptr || mcp::RevisionFrom(version).has_value();
}

std::shared_ptr<SessionStreams> StreamsOf(const mcp::Session& session) {
  return std::static_pointer_cast<SessionStreams>(session.door());
}

bool HoldsRequest(const mcp::Body& body) {
  if (!body.is_batch()) return body.message().kind == mcp::Message::Kind::kRequest;
  for (const mcp::Message& message : body.batch()) {
    if (message.kind == mcp::Message::Kind::kRequest) return true;
  }
  return false;
}

}  // namespace

bool HasApiKey(const net::Request& request) {
  const std::string_view authorization = request.Find("Authorization");
  return request.Has("X-API-Key") ||
         (authorization.size() > 7 &&
          base::EqualIgnoringCase(authorization.substr(0, 7), "Bearer "));
}

bool IsJson(const net::Request& request) {
  const std::string_view type = request.Find("Content-Type");
  return base::EqualIgnoringCase(base::Trim(type.substr(0, type.find(';'))), "application/json");
}

void SendError(net::Exchange& exchange, int status, const Error& error, std::string_view headers) {
  exchange.Send(status, "application/json", mcp::LegacyErrorMessage({}, error), headers);
}

void SendError(net::Exchange& exchange, int status, int code, std::string_view message,
               std::string_view headers) {
  exchange.Send(status, "application/json", mcp::ErrorMessage({}, code, message), headers);
}

void McpEndpoint::Handle(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
                         RequestContext context) {
  if (const std::string& toolset = context.view.toolset;
      !toolset.empty() && !core_.registry.HasToolset(toolset)) {
    const std::string names = base::Join(core_.registry.Toolsets(context.view.Whole()), ", ");
    return SendError(
        *exchange, 404,
        Error{
            Code::kMethodNotFound, base::StrCat("There is no such toolset; there are ", names), {}},
        context.cors);
  }
  if (request.method == "POST") return Post(request, std::move(exchange), std::move(context));
  if (request.method == "GET") return Get(request, exchange, context);
  if (request.method == "DELETE") return Delete(request, exchange, context);
  SendError(*exchange, 405, kTransportError, "Method not allowed: use POST, GET or DELETE",
            base::StrCat("Allow: POST, GET, DELETE\r\n", context.cors));
}

void McpEndpoint::Post(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
                       RequestContext context) {
  const bool keyed = HasApiKey(request);
  if (!IsJson(request)) {
    return SendError(*exchange, keyed ? 406 : 415, kTransportError,
                     "Content-Type must be application/json", context.cors);
  }
  Result<std::shared_ptr<const mcp::Body>> body = mcp::Body::Parse(request.body);
  if (!body) {
    core_.requests.Count(false);
    return SendError(*exchange, 400, body.error(), context.cors);
  }
  const mcp::Decision decision =
      mcp::RoutePost(**body, {request.Find(kVersionHeader), request.Find(kSessionHeader), keyed});
  switch (decision.route) {
    case mcp::Route::kModern:
      return ServeStateless(request, std::move(exchange), std::move(context), *std::move(body));
    case mcp::Route::kSession:
      return ServeSession(request, std::move(exchange), context, *body);
    case mcp::Route::kHandshake:
      return Handshake(exchange, context, *body);
    case mcp::Route::kController:
      return ServeRpc(core_, std::move(exchange), std::move(context), *body);
    case mcp::Route::kModernNotification:
      return exchange->Send(202, {}, {}, context.cors);
    case mcp::Route::kRefuse:
      core_.requests.Count(false);
      const std::string_view id = (*body)->is_batch() ? std::string_view() : (*body)->message().id;
      return exchange->Send(decision.http_status, "application/json",
                            mcp::LegacyErrorMessage(id, decision.error), context.cors);
  }
}

void McpEndpoint::ServeStateless(const net::Request& request,
                                 std::shared_ptr<net::Exchange> exchange, RequestContext context,
                                 std::shared_ptr<const mcp::Body> body) {
  mcp::SharedPrincipal principal = context.principal;
  mcp::ToolView view = std::move(context.view);
  const auto channel = std::make_shared<StatelessPost>(std::move(exchange), std::move(context));
  const RequestHeaders headers(request);
  const mcp::Message& message = body->message();
  mcp::ServeModern(
      {&core_, std::move(body), &message, channel, std::move(principal), std::move(view)},
      &headers);
  if (!channel->finished()) ticker_.Watch(channel);
}

void McpEndpoint::Handshake(const std::shared_ptr<net::Exchange>& exchange,
                            const RequestContext& context,
                            const std::shared_ptr<const mcp::Body>& body) {
  Result<std::shared_ptr<mcp::Session>> session =
      core_.sessions.Create("http", context.principal, context.view);
  if (!session) {
    core_.requests.Count(false);
    return exchange->Send(503, "application/json",
                          mcp::LegacyErrorMessage(body->message().id, session.error()),
                          base::StrCat("Retry-After: 10\r\n", context.cors));
  }
  const mcp::Message& message = body->message();
  mcp::Operation operation(core_, &message, context.arrival);
  Result<std::string> members = (*session)->Initialize(message);
  operation.End(core_, members ? mcp::Ending() : mcp::Ending::Failed(members.error().code, true),
                {.request_id = core_.NextRequestId(),
                 .revision = members ? mcp::NameOf((*session)->revision()) : std::string_view(),
                 .session = (*session)->label(),
                 .address = context.principal->address});
  if (!members) {
    core_.sessions.Remove((*session)->id());
    return exchange->Send(200, "application/json",
                          mcp::LegacyErrorMessage(message.id, members.error()), context.cors);
  }
  (*session)->SetDoor(std::make_shared<SessionStreams>(*session));
  exchange->Send(200, "application/json", mcp::ResultMessage(message.id, *members),
                 base::StrCat(kSessionHeader, ": ", (*session)->id(), "\r\n", context.cors));
}

std::shared_ptr<mcp::Session> McpEndpoint::FindSession(const net::Request& request,
                                                       net::Exchange& exchange,
                                                       const RequestContext& context) {
  const std::string_view id = request.Find(kSessionHeader);
  if (id.data() == nullptr) {
    SendError(exchange, 400, kTransportError, "The Mcp-Session-Id header is required",
              context.cors);
    return nullptr;
  }
  std::shared_ptr<mcp::Session> session = core_.sessions.Find(id, *context.principal);
  if (session == nullptr) {
    SendError(
        exchange, 404,
        Error{Code::kSessionGone, "Session not found: it ended or expired; initialize again", {}},
        context.cors);
    return nullptr;
  }
  if (!VersionHeaderFits(request)) {
    SendError(exchange, 400, kTransportError,
              "The MCP-Protocol-Version header names a revision that is not supported",
              context.cors);
    return nullptr;
  }
  session->Touch();
  return session;
}

void McpEndpoint::ServeSession(const net::Request& request, std::shared_ptr<net::Exchange> exchange,
                               const RequestContext& context,
                               const std::shared_ptr<const mcp::Body>& body) {
  if (!Accepts(request, "application/json") || !Accepts(request, "text/event-stream")) {
    return SendError(*exchange, 406, kTransportError,
                     "Accept must list both application/json and text/event-stream", context.cors);
  }
  const std::shared_ptr<mcp::Session> session = FindSession(request, *exchange, context);
  if (session == nullptr) return;
  if (body->is_batch() && session->revision() > mcp::Revision::k2025_03_26) {
    return SendError(
        *exchange, 400,
        Error::InvalidRequest("Batches exist in revisions 2024-11-05 and 2025-03-26 only"),
        context.cors);
  }
  if (!HoldsRequest(*body)) {
    if (body->is_batch()) {
      session->ReceiveBatch(body, nullptr);
    } else {
      session->Receive(body, body->message(), nullptr);
    }
    return exchange->Send(202, {}, {}, context.cors);
  }
  const bool prime = session->revision() >= mcp::Revision::k2025_11_25;
  const auto channel =
      std::make_shared<SessionPost>(std::move(exchange), StreamsOf(*session), context, prime);
  if (body->is_batch()) {
    session->ReceiveBatch(body, channel);
  } else {
    session->Receive(body, body->message(), channel);
  }
  if (!channel->finished()) ticker_.Watch(channel);
}

void McpEndpoint::Get(const net::Request& request, const std::shared_ptr<net::Exchange>& exchange,
                      const RequestContext& context) {
  if (!Accepts(request, "text/event-stream")) {
    return SendError(*exchange, 406, kTransportError, "Accept must list text/event-stream",
                     context.cors);
  }
  const std::shared_ptr<mcp::Session> session = FindSession(request, *exchange, context);
  if (session == nullptr) return;
  const std::shared_ptr<SessionStreams> streams = StreamsOf(*session);
  const std::string_view last = request.Find("Last-Event-ID");
  if (last.data() != nullptr) {
    if (!streams->Resume(last, exchange, context.principal, context.cors)) {
      return SendError(*exchange, 400, kTransportError,
                       "Last-Event-ID is unknown or no longer kept", context.cors);
    }
  } else if (!streams->OpenStandalone(exchange, context.principal, context.cors,
                                      session->revision() >= mcp::Revision::k2025_11_25)) {
    return SendError(*exchange, 409, kTransportError, "This session has an open stream already",
                     context.cors);
  }
  if (streams->StartTicking()) ticker_.Watch(streams);
}

void McpEndpoint::Delete(const net::Request& request,
                         const std::shared_ptr<net::Exchange>& exchange,
                         const RequestContext& context) {
  const std::shared_ptr<mcp::Session> session = FindSession(request, *exchange, context);
  if (session == nullptr) return;
  core_.sessions.Remove(session->id());
  exchange->Send(200, {}, {}, context.cors);
}

}  // namespace toolpost::api
