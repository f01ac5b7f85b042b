// The routing table, top to bottom.
#include "mcp/era.h"

#include "mcp/revision.h"

namespace toolpost::mcp {
namespace {

Decision Refuse(Error error) { return {Route::kRefuse, std::move(error), 400}; }

Decision To(Route route) { return {route, {}, 200}; }

// Dates compare as text, so that unknown future revisions count as modern.
bool NamesModern(std::string_view version) {
  return version.data() != nullptr && version >= NameOf(kModernRevision);
}

Decision ToSession(const HttpFacts& facts) {
  if (facts.session.data() != nullptr) return To(Route::kSession);
  if (facts.has_api_key) return To(Route::kController);
  return Refuse(Error::NotInitialized());
}

Decision RouteBatch(const Body& body, const HttpFacts& facts) {
  if (body.batch().empty()) return Refuse(Error::InvalidRequest("A batch must not be empty"));
  for (const Message& message : body.batch()) {
    if (message.kind == Message::Kind::kInvalid) return Refuse(message.error);
    if (HasModernClaim(message)) return Refuse(Error::InvalidRequest("2026-07-28 has no batches"));
  }
  if (NamesModern(facts.version)) return Refuse(Error::InvalidRequest("2026-07-28 has no batches"));
  return ToSession(facts);
}

Decision RouteInitialize(const Message& message, const HttpFacts& facts) {
  const Result<ModernEnvelope> envelope = ReadEnvelope(message);
  if (envelope && envelope->version == NameOf(kModernRevision)) return To(Route::kModern);
  if (NamesModern(facts.version)) {
    return Refuse(
        {Code::kHeaderMismatch,
         "initialize belongs to revisions before 2026-07-28; the header names a later one",
         {}});
  }
  return facts.session.data() != nullptr ? To(Route::kSession) : To(Route::kHandshake);
}

Decision RouteRequest(const Message& message, const HttpFacts& facts) {
  if (message.method == "initialize") return RouteInitialize(message, facts);
  if (HasModernClaim(message)) return To(Route::kModern);
  if (NamesModern(facts.version)) return Refuse(ReadEnvelope(message).error());
  return ToSession(facts);
}

}  // namespace

Decision RoutePost(const Body& body, const HttpFacts& facts) {
  if (body.is_batch()) return RouteBatch(body, facts);
  const Message& message = body.message();
  switch (message.kind) {
    case Message::Kind::kInvalid:
      return Refuse(message.error);
    case Message::Kind::kResponse:
      if (facts.session.data() != nullptr && !NamesModern(facts.version))
        return To(Route::kSession);
      return Refuse(Error::InvalidRequest("A response needs the session of its request"));
    case Message::Kind::kNotification:
      if (HasModernClaim(message) || NamesModern(facts.version))
        return To(Route::kModernNotification);
      return ToSession(facts);
    case Message::Kind::kRequest:
      return RouteRequest(message, facts);
  }
  return Refuse(Error::InvalidRequest("Unknown kind of message"));
}

}  // namespace toolpost::mcp
