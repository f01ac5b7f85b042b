// The server: a registry of tools, resources and prompts behind every door.
//
// One Server per process is the normal case, more are allowed. All members are thread-safe. Tools,
// resources and prompts may be added and removed while serving; connected clients are told
// (list_changed).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolpost/context.h"
#include "toolpost/event.h"
#include "toolpost/json.h"
#include "toolpost/result.h"
#include "toolpost/tool.h"
#include "toolpost/transport.h"
#include "toolpost/version.h"

namespace toolpost {

struct ResourceInfo {
  std::string uri;  // or a URI template (RFC 6570 `{var}` and `{+var}`) for AddResourceTemplate
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  JsonObject annotations;
  JsonArray icons;
  // The tool (canonical id) whose answer this is under another name: only who may call it, through
  // a door that offers it, sees and reads the resource. Empty: everybody who may read.
  std::string tool{};
};

// The variables a template matched; empty for a plain resource.
using UriVariables = std::map<std::string, std::string, std::less<>>;

struct ResourceContents {
  std::string mime_type;  // empty: the one of ResourceInfo
  std::string data;
  bool binary = false;  // sent as base64 `blob` instead of `text`
};
using ResourceReader = std::function<Result<ResourceContents>(std::string_view uri,
                                                              const UriVariables&, CallContext&)>;

// Notices changes of the resources of a template, once somebody subscribes to them.
class ResourceWatcher {
 public:
  virtual ~ResourceWatcher() = default;
  // Somebody subscribes to `uri`: the watcher calls Server::ResourceUpdated with it when it
  // changes, until that reaches nobody. An error refuses the subscription. Called on I/O threads:
  // must be quick.
  virtual Result<void> Watch(std::string_view uri, const UriVariables& variables,
                             const Principal& principal) = 0;
  // The server ends: afterwards it must not be called any more.
  virtual void Stop() = 0;
};

struct PromptArgument {
  std::string name;
  std::string description;
  bool required = false;
};
struct PromptInfo {
  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
  JsonArray icons;
  std::string tool{};  // as in ResourceInfo
};
// Returns the `messages` array; `{"role":"user","content":{…}}` objects.
using PromptHandler = std::function<Result<JsonArray>(
    const std::map<std::string, std::string, std::less<>>& arguments, CallContext&)>;

struct Completion {
  std::vector<std::string> values;  // the first 100 are sent
  std::optional<std::int64_t> total;
};
// Proposes values for one argument of a prompt or one variable of a template: a function of
// (argument, value, known), or of (argument, value, known, principal) where the answer depends on
// who asks. `known` holds the other arguments.
class Completer {
 public:
  using Known = std::map<std::string, std::string, std::less<>>;

  Completer() = default;
  template <typename Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, Completer>) Completer(Function function) {
    if constexpr (std::is_invocable_v<Function&, std::string_view, std::string_view, const Known&,
                                      const Principal&>) {
      function_ = std::move(function);
    } else {
      function_ = [function = std::move(function)](
                      std::string_view argument, std::string_view value, const Known& known,
                      const Principal&) { return function(argument, value, known); };
    }
  }

  explicit operator bool() const { return function_ != nullptr; }
  Result<Completion> operator()(std::string_view argument, std::string_view value,
                                const Known& known, const Principal& principal) const {
    return function_(argument, value, known, principal);
  }

 private:
  std::function<Result<Completion>(std::string_view, std::string_view, const Known&,
                                   const Principal&)>
      function_;
};

struct ToolMetrics {
  std::uint64_t total_invocations = 0;
  std::uint64_t successful_invocations = 0;
  std::uint64_t failed_invocations = 0;
  double average_execution_ms = 0;
  std::optional<std::chrono::system_clock::time_point> last_invoked;
  std::vector<std::uint64_t>
      histogram;  // counts per kHistogramBounds bucket, plus one for the rest
};

struct Metrics {
  std::chrono::system_clock::time_point since;  // last reset
  std::uint64_t requests = 0;
  std::uint64_t successful_requests = 0;
  std::uint64_t failed_requests = 0;
  std::size_t active_sessions = 0;
  std::map<std::string, ToolMetrics> tools;  // by canonical id
};

struct ServerOptions {
  std::string name = "toolpost";
  std::string title = "toolpost";
  std::string version = TOOLPOST_VERSION;
  std::string instructions;  // empty: built from the enabled toolsets
  bool canonical_names = false;
  bool read_only = false;             // only tools whose read_only hint is true
  std::vector<std::string> toolsets;  // empty: all
  std::vector<std::string> include_tools;
  std::vector<std::string> exclude_tools;
  std::size_t page_size = 250;
  std::size_t result_chars = 40'000;
  std::chrono::seconds result_keep{15 * 60};
  std::string
      state_directory;  // spilled results; empty: the XDG state directory, created when needed
  std::size_t max_sessions = 1'000;
  std::chrono::seconds session_idle{30 * 60};
  std::size_t worker_threads = 64;
  std::size_t worker_queue = 1'024;
  std::chrono::seconds call_timeout{10 * 60};
  std::size_t max_message_bytes = std::size_t{10} * 1024 * 1024;
  bool metrics = true;                         // count calls per tool
  double calls_per_second = 0;                 // all callers together; 0: no limit
  std::size_t concurrent_calls = 0;            // 0: no limit
  double calls_per_second_per_credential = 0;  // API keys and tokens; 0: no limit
};

struct HttpOptions {
  std::vector<std::string> hosts{"127.0.0.1", "::1"};
  std::uint16_t port = 3001;                 // 0: the kernel picks one
  std::vector<std::string> allowed_hosts;    // beyond loopback names
  std::vector<std::string> allowed_origins;  // beyond loopback origins
  std::size_t threads = 0;                   // 0: one per core
  std::size_t max_connections = 10'000;
  std::size_t max_body_bytes = std::size_t{10} * 1024 * 1024;
  std::chrono::seconds header_timeout{10};
  std::chrono::seconds body_timeout{30};
  std::chrono::seconds idle_timeout{75};
  std::chrono::seconds drain_timeout{10};
  double address_requests_per_second = 0;  // per address, loopback exempt; 0: no limit
  // PEM files: the certificate chain and its private key. Both set: HTTPS, read again when they
  // change. Both empty: HTTP.
  std::string tls_cert;
  std::string tls_key;
};

class Server {
 public:
  explicit Server(ServerOptions options = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Registers a tool. Adding the very same definition again is a no-op; another tool under a taken
  // name, a bad name or a schema that does not compile is an error that says which.
  Result<void> AddTool(Tool tool);
  Result<void> RemoveTool(std::string_view name);

  Result<void> AddResource(ResourceInfo info, ResourceReader reader);
  Result<void> AddResourceTemplate(ResourceInfo info, ResourceReader reader,
                                   Completer completer = {},
                                   std::shared_ptr<ResourceWatcher> watcher = nullptr);
  Result<void> RemoveResource(std::string_view uri);
  // Tells subscribers that a resource changed; with `user` only those signed in as that user, for a
  // resource that shows each user something else. Returns how many were told.
  std::size_t ResourceUpdated(std::string_view uri, std::optional<std::string_view> user = {});
  // Tells the client that was asked to send a person to a page that they have been there
  // (2025-11-25). `visit` is the name given to InputRequest::ElicitUrl, or the `elicitationId` in
  // the data of an Error with Code::kUrlElicitation. Unknown names are ignored.
  void VisitComplete(std::string_view visit);
  Result<void> AddPrompt(PromptInfo info, PromptHandler handler, Completer completer = {});
  Result<void> RemovePrompt(std::string_view name);

  // Calls a tool by canonical id, wire name or alias, through the same gate as every client.
  // Blocks. A tool that fails gives an Output with is_error; an Error means that it was not called
  // (unknown, busy, cancelled).
  Result<Output> Call(std::string_view tool, const JsonObject& arguments, Principal principal = {});
  // The `tools` array of tools/list, optionally of one category.
  JsonArray ListTools(std::string_view category = {}) const;
  Metrics GetMetrics() const;
  void ResetMetrics();
  // Applies changed options while serving (config reload): tool selection, names, limits. Clients
  // are told when the list changes; worker_threads, worker_queue and state_directory stay as they
  // were.
  Result<void> Reconfigure(const ServerOptions& options);
  // Calls `listener` for every event of these kinds (none named: of all), on the thread that caused
  // it; keep it short. Returns a function that unsubscribes.
  std::function<void()> Subscribe(std::function<void(const Event&)> listener,
                                  const std::vector<EventKind>& kinds = {});

  // Handles one JSON-RPC message as the controller on POST /rpc does; empty for notifications.
  // Blocks.
  std::string Handle(std::string_view message, Principal principal = {});

  // Serves one client until its transport ends. Blocks; several may run at once on different
  // threads.
  void Serve(const std::shared_ptr<Transport>& transport);
  // Serves standard input and output until end of input.
  Result<void> ServeStdio();
  // Listens, and returns once the port accepts. Stop() drains and closes.
  Result<void> StartHttp(const HttpOptions& options);
  std::uint16_t http_port() const;
  // Changes HttpOptions::address_requests_per_second while serving.
  void SetAddressLimit(double requests_per_second);
  // Stops every door: no new work, running calls get `drain_timeout` to end. Safe to call twice.
  void Stop();

  class Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost
