// What a tool, resource or prompt handler knows about the call it serves, and how it speaks to the
// caller meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost {

// What a credential allows. An absent list does not restrict, an empty one allows nothing.
struct Grants {
  std::vector<std::string> scopes;  // of read, write, shell, connections, admin
  bool read_only = false;           // only tools that change nothing, whatever the scopes
  std::optional<std::vector<std::string>> tools;     // canonical ids
  std::optional<std::vector<std::string>> toolsets;  // besides `tools`
  std::optional<std::vector<std::string>> connections;
  std::optional<std::vector<std::string>> roots;
};

// What a caller was recognised by; shared by the requests that present it.
struct Credential {
  std::string kind;    // "master", "key" or "jwt"
  std::string key_id;  // public id of an API key
  Grants grants;
  std::chrono::system_clock::time_point expires = std::chrono::system_clock::time_point::max();
  std::atomic<bool> revoked{false};  // set while connections that showed it are still open
};

// Who is calling. Never taken from arguments or client info.
struct Principal {
  std::string id =
      "local";  // stable id that sessions, tasks, cursors and spilled results are bound to
  std::string user =
      "local";  // the user id tools scope data by; empty when the credential has none
  bool authenticated = false;
  std::shared_ptr<const Credential> credential{};  // null: the local user, who may do everything
  std::string address{};                           // of the peer; empty outside HTTP
  std::string agent{};                             // its User-Agent
};

// The eight syslog levels of MCP logging, least severe first.
enum class LogLevel { kDebug, kInfo, kNotice, kWarning, kError, kCritical, kAlert, kEmergency };

// Another machine a call connected to, or was kept from.
struct Contact {
  std::string host;
  std::uint16_t port = 0;
  std::string address{};   // of the other end; empty: there was no connection
  std::string outcome{};   // an HTTP status, "connected", "refused" or "failed"
  std::uint64_t sent = 0;  // bytes of bodies
  std::uint64_t received = 0;
};

// One question to the client: an MCP method it must answer (`elicitation/create`,
// `sampling/createMessage`, `roots/list`) with its parameters. `key` names the question inside one
// call and must not change between retries.
struct InputRequest {
  std::string key;
  std::string method;
  JsonObject params;
  std::string visit{};

  // Asks the person to fill a form. `requested_schema` is a flat object schema of primitives.
  static InputRequest Elicit(std::string key, std::string_view message,
                             JsonObject requested_schema);
  // Asks the person to visit a URL (2025-11-25 and later, clients that declared `elicitation.url`).
  // `visit` names it for Server::VisitComplete; empty: nobody will be told of its end.
  static InputRequest ElicitUrl(std::string key, std::string_view message, std::string_view url,
                                std::string_view visit = {});
  // Asks the client's model; `params` are those of sampling/createMessage.
  static InputRequest Sample(std::string key, JsonObject params);
  // Asks for the client's workspace roots.
  static InputRequest Roots(std::string key);
};

// The client's answers by key: the `result` object of each request.
using InputResponses = std::map<std::string, JsonObject, std::less<>>;

// Lives for one call; handed to the handler by reference. All members may be called from the
// handler's thread only, except stop_token(), which may be copied to other threads.
class CallContext {
 public:
  virtual ~CallContext() = default;

  virtual const Principal& principal() const = 0;
  // Unique per call; the same id is in the log lines of this call.
  virtual std::string_view request_id() const = 0;
  // Protocol revision the client speaks ("2025-11-25"), or empty outside MCP (CLI, C++ API).
  virtual std::string_view protocol_version() const = 0;
  virtual std::chrono::steady_clock::time_point deadline() const = 0;
  // Stops on client cancel, closed stream, deadline and shutdown alike.
  virtual std::stop_token stop_token() const = 0;

  // Reports progress, if the caller asked for it. `progress` must grow from call to call; others
  // are dropped.
  virtual void Progress(double progress, std::optional<double> total = {},
                        std::string_view message = {}) = 0;
  // Sends a log message to the client, if its level allows.
  virtual void Log(LogLevel level, Json data, std::string_view logger = {}) = 0;

  // True if the client declared the capability, for example "sampling", "elicitation.url" or
  // "roots".
  virtual bool ClientHas(std::string_view capability) const = 0;
  // Asks the client and waits for all answers. On 2026-07-28 there is nobody to wait for: the first
  // call returns Code::kInputRequired, which the handler must return at once; the client then
  // repeats the whole call, and this function returns the answers. So a handler that asks must do
  // its work after the last question, or be idempotent up to it. Questions the client declared no
  // support for are left out of the answers; when none remains the result is
  // Code::kMissingCapability.
  virtual Result<InputResponses> Ask(std::vector<InputRequest> requests) = 0;
  // State that travels with a question and comes back, authenticated, with the answers. Null at
  // first.
  virtual const Json& state() const = 0;
  virtual void SetState(Json state) = 0;

  // Turns the rest of the call into a task (tools with TaskSupport only): the client gets a handle
  // at once, later questions and the result travel through it. Without client support: nothing for
  // kOptional, Code::kMissingCapability for kRequired. A call that is a task already, or none of
  // MCP's, is left as it is.
  virtual Result<void> BecomeTask() = 0;

  // Closes the open HTTP reply stream without ending the call; the client comes back for the result
  // (2025-11-25 sessions; elsewhere nothing happens).
  virtual void ReleaseStream() = 0;

  // W3C trace context and other `_meta` of the request; empty object when there is none.
  virtual const JsonObject& meta() const = 0;

  bool Cancelled() const { return stop_token().stop_requested(); }

  // For the audit record of the call.
  void Reached(Contact contact) { contacts_.push_back(std::move(contact)); }
  const std::vector<Contact>& contacts() const { return contacts_; }

 private:
  std::vector<Contact> contacts_;
};

}  // namespace toolpost
