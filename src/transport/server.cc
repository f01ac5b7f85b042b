// toolpost::Server: the public face of the core and its doors.
#include "toolpost/server.h"

#include <unistd.h>
#include <future>
#include <mutex>
#include <thread>

#include "base/json_parse.h"
#include "base/log.h"
#include "mcp/call_scope.h"
#include "mcp/connection.h"
#include "mcp/controller.h"
#include "mcp/core.h"
#include "mcp/wire.h"
#include "transport/http.h"
#include "transport/read_in_turns.h"
#include "transport/server_impl.h"
#include "transport/stdio.h"

namespace toolpost {
namespace {

// How long calls may finish after their client has closed its end: piped input gets its answers.
constexpr std::chrono::milliseconds kAfterEnd{1'000};

}  // namespace

Server::Server(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Server::~Server() { Stop(); }

Result<void> Server::AddTool(Tool tool) { return impl_->core.registry.Add(std::move(tool)); }

Result<void> Server::RemoveTool(std::string_view name) { return impl_->core.registry.Remove(name); }

Result<void> Server::AddResource(ResourceInfo info, ResourceReader reader) {
  return impl_->core.catalog.AddResource(std::move(info), std::move(reader));
}

Result<void> Server::AddResourceTemplate(ResourceInfo info, ResourceReader reader,
                                         Completer completer,
                                         std::shared_ptr<ResourceWatcher> watcher) {
  return impl_->core.catalog.AddTemplate(std::move(info), std::move(reader), std::move(completer),
                                         std::move(watcher));
}

Result<void> Server::RemoveResource(std::string_view uri) {
  return impl_->core.catalog.RemoveResource(uri);
}

std::size_t Server::ResourceUpdated(std::string_view uri, std::optional<std::string_view> user) {
  return impl_->core.ResourceUpdated(uri, user);
}

void Server::VisitComplete(std::string_view visit) { impl_->core.CompleteVisit(visit); }

Result<void> Server::AddPrompt(PromptInfo info, PromptHandler handler, Completer completer) {
  return impl_->core.catalog.AddPrompt(std::move(info), std::move(handler), std::move(completer));
}

Result<void> Server::RemovePrompt(std::string_view name) {
  return impl_->core.catalog.RemovePrompt(name);
}

Result<Output> Server::Call(std::string_view tool, const JsonObject& arguments,
                            Principal principal) {
  mcp::Core& core = impl_->core;
  const auto call = std::make_shared<mcp::DirectCall>(
      mcp::CallScope::Origin{&core,
                             nullptr,
                             nullptr,
                             nullptr,
                             std::make_shared<Principal>(std::move(principal)),
                             {},
                             mcp::kNewestLegacy});
  const auto found = core.registry.Find(tool);
  if (found && found->tool.info.run != Run::kInline) call->StartTimed();
  std::promise<mcp::CallOutcome> promise;
  core.registry.Call({tool, &arguments, {}, call}, [&promise](mcp::CallOutcome outcome) {
    promise.set_value(std::move(outcome));
  });
  mcp::CallOutcome outcome = promise.get_future().get();
  call->Answered(mcp::EndingOf(outcome));
  if (outcome.protocol_error) return *std::move(outcome.error);
  Output output = std::move(outcome.output);
  output.structured = output.StructuredValue();
  return output;
}

JsonArray Server::ListTools(std::string_view category) const {
  JsonArray tools;
  for (const auto& entry : impl_->core.registry.All({}, category)) {
    const Tool& tool = entry->tool;
    JsonObject object{{"name", tool.info.name},           {"wireName", tool.info.wire},
                      {"title", tool.info.title},         {"description", tool.info.description},
                      {"toolset", tool.info.toolset},     {"version", tool.info.version},
                      {"inputSchema", *tool.input_schema}};
    if (!tool.output_schema->is_null()) object["outputSchema"] = *tool.output_schema;
    tools.push_back(std::move(object));
  }
  return tools;
}

Metrics Server::GetMetrics() const { return impl_->core.GetMetrics(); }

void Server::ResetMetrics() { impl_->core.ResetMetrics(); }

Result<void> Server::Reconfigure(const ServerOptions& options) {
  impl_->core.Reconfigure(options);
  return {};
}

std::function<void()> Server::Subscribe(std::function<void(const Event&)> listener,
                                        const std::vector<EventKind>& kinds) {
  return impl_->core.events.Subscribe(std::move(listener), kinds);
}

std::string Server::Handle(std::string_view message, Principal principal) {
  Result<std::shared_ptr<const mcp::Body>> body = mcp::Body::Parse(message);
  if (!body) return mcp::LegacyErrorMessage("null", body.error());
  std::promise<std::string> promise;
  mcp::ServeController(impl_->core, *body, std::make_shared<Principal>(std::move(principal)), {},
                       [&promise](std::string reply) { promise.set_value(std::move(reply)); });
  return promise.get_future().get();
}

void Server::Serve(const std::shared_ptr<Transport>& transport) {
  impl_->core.Opened();
  const auto forget = impl_->core.vitals.AddTransport([name = std::string(transport->name())] {
    return mcp::TransportHealth{.name = name, .state = "serving", .connections = 1};
  });
  const auto connection =
      mcp::Connection::Open(impl_->core,
                            {.transport = std::string(transport->name()),
                             .principal = std::make_shared<Principal>(impl_->local_principal),
                             .hang_up = [transport] { transport->Close(); }},
                            [transport](const std::string& message) { transport->Write(message); });
  const auto receive = [&](const Result<std::string>& message) {
    if (message) return connection->Receive(*message);
    transport->Write(mcp::LegacyErrorMessage({}, Error::InvalidRequest(message.error().message)));
  };
  const auto end = [&] {
    impl_->core.AwaitCalls(kAfterEnd);
    connection->Close();
  };
  transport::ReadInTurns({*transport, impl_->core.pool, receive, end});
  transport->Close();
  forget();
}

Result<void> Server::ServeStdio() {
  Serve(std::make_shared<transport::StdioTransport>(STDIN_FILENO, STDOUT_FILENO,
                                                    impl_->core.options()->max_message_bytes));
  return {};
}

Result<void> Server::StartHttp(const HttpOptions& options) {
  std::lock_guard lock(impl_->mutex);
  if (impl_->http) return Error{Code::kConflict, "This server listens already", {}};
  auto http = std::make_unique<transport::HttpListener>(impl_->core, options, impl_->http_identity);
  RETURN_IF_ERROR(http->Start());
  impl_->http = std::move(http);
  return {};
}

std::uint16_t Server::http_port() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->http ? impl_->http->port() : 0;
}

void Server::SetAddressLimit(double requests_per_second) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->http) impl_->http->SetAddressLimit(requests_per_second);
}

void Server::Stop() {
  std::unique_ptr<transport::HttpListener> http;
  {
    std::lock_guard lock(impl_->mutex);
    http = std::move(impl_->http);
  }
  if (http) http->Stop();
  impl_->core.Stop();
  std::unique_ptr<transport::MetricsListener> metrics;
  {
    std::lock_guard lock(impl_->mutex);
    metrics = std::move(impl_->metrics);
  }
  if (metrics) metrics->Stop();
  base::FlushLog();
}

}  // namespace toolpost
