// Wires the shared parts together and describes the server to its clients.
#include "mcp/core.h"

#include <algorithm>
#include <map>
#include <thread>

#include "base/crypto.h"
#include "base/strings.h"
#include "mcp/wire.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kMaxInstructions = 1'500;

auth::CallLimits::Options LimitOptions(const ServerOptions& options) {
  return {.per_second = options.calls_per_second,
          .concurrent = options.concurrent_calls,
          .per_second_per_credential = options.calls_per_second_per_credential};
}

Registry::Options RegistryOptions(const ServerOptions& options) {
  return {.canonical_names = options.canonical_names,
          .read_only = options.read_only,
          .toolsets = options.toolsets,
          .include_tools = options.include_tools,
          .exclude_tools = options.exclude_tools,
          .page_size = options.page_size,
          .result_chars = options.result_chars,
          .metrics = options.metrics};
}

std::string ServerInfo(const ServerOptions& options, bool with_title) {
  std::string members;
  AppendMember(members, "name", std::string_view(options.name));
  if (with_title && !options.title.empty())
    AppendMember(members, "title", std::string_view(options.title));
  AppendMember(members, "version", std::string_view(options.version));
  return "{" + members + "}";
}

}  // namespace

std::string Core::ProtocolVersions() {
  std::string versions = "[";
  for (auto name = kRevisionNames.rbegin(); name != kRevisionNames.rend(); ++name) {
    if (versions.size() > 1) versions.push_back(',');
    versions.append("\"").append(*name).append("\"");
  }
  return versions + "]";
}

Core::Core(ServerOptions options)
    : options_(std::make_shared<const ServerOptions>(std::move(options))),
      request_prefix_(base::RandomHex(3) + "-"),
      server_info_(ServerInfo(*this->options(), true)),
      server_info_meta_(
          base::StrCat(R"({"io.modelcontextprotocol/serverInfo":)", server_info_, "}")),
      pool(this->options()->worker_threads, this->options()->worker_queue),
      results(this->options()->state_directory, this->options()->result_keep),
      limits(LimitOptions(*this->options())),
      registry(RegistryOptions(*this->options()), pool, events, results, limits),
      catalog(this->options()->page_size, results, registry),
      sessions(*this) {
  requests.SetTimed(this->options()->metrics);
  registry.OnListChanged([this] {
    sessions.ForEach([](Session& session) {
      session.Push(NotificationMessage("notifications/tools/list_changed"));
    });
    listens.ToolsChanged();
    catalog.ToolsChanged();
  });
  catalog.OnPromptsChanged([this] {
    sessions.ForEach([](Session& session) {
      session.Push(NotificationMessage("notifications/prompts/list_changed"));
    });
    listens.PromptsChanged();
  });
  catalog.OnResourcesChanged([this] {
    sessions.ForEach([](Session& session) {
      session.Push(NotificationMessage("notifications/resources/list_changed"));
    });
    listens.ResourcesChanged();
  });
}

Core::~Core() { Stop(); }

std::shared_ptr<const ServerOptions> Core::options() const {
  std::lock_guard lock(options_mutex_);
  return options_;
}

void Core::Reconfigure(const ServerOptions& options) {
  {
    std::lock_guard lock(options_mutex_);
    options_ = std::make_shared<const ServerOptions>(options);
  }
  limits.Configure(LimitOptions(options));
  requests.SetTimed(options.metrics);
  registry.Configure(RegistryOptions(options));
}

std::string Core::NextRequestId() {
  return base::StrCat(request_prefix_, next_request_.fetch_add(1, std::memory_order_relaxed));
}

std::string Core::Capabilities(Revision revision) const {
  std::string out =
      R"({"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},)"
      R"("prompts":{"listChanged":true},"logging":{})";
  if (revision >= Revision::k2025_03_26) out.append(R"(,"completions":{})");
  if (revision == Revision::k2025_11_25) {
    out.append(R"(,"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})");
  }
  if (revision == kModernRevision)
    out.append(base::StrCat(R"(,"extensions":{")", kTasksExtension, R"(":{}})"));
  return out + "}";
}

std::string Core::InitializeMembers(Revision revision, const ToolView& view) const {
  std::string out;
  AppendMember(out, "protocolVersion", NameOf(revision));
  AppendRawMember(out, "capabilities", Capabilities(revision));
  AppendRawMember(out, "serverInfo",
                  revision >= Revision::k2025_06_18 ? server_info_ : ServerInfo(*options(), false));
  AppendMember(out, "instructions", std::string_view(Instructions(view)));
  return out;
}

std::string Core::DiscoverMembers(const ToolView& view) const {
  std::string out;
  AppendRawMember(out, "supportedVersions", ProtocolVersions());
  AppendRawMember(out, "capabilities", Capabilities(kModernRevision));
  AppendMember(out, "instructions", std::string_view(Instructions(view)));
  return out;
}

std::string Core::CapabilitiesDocument(const ToolView& view) const {
  std::string out;
  AppendRawMember(out, "protocolVersions", ProtocolVersions());
  AppendRawMember(out, "serverInfo", server_info_);
  AppendRawMember(out, "capabilities", Capabilities(kModernRevision));
  AppendMember(out, "toolCount", Json(registry.All(view).size()));
  return "{" + out + "}";
}

std::string Core::Instructions(const ToolView& view) const {
  if (!options()->instructions.empty()) return options()->instructions.substr(0, kMaxInstructions);
  const bool canonical = view.canonical || options()->canonical_names;
  std::map<std::string_view, std::string> names;  // by toolset
  const auto tools = registry.All(view);
  for (const auto& tool : tools) {
    const ToolInfo& info = tool->tool.info;
    std::string& list = names[info.toolset];
    if (!list.empty()) list.append(", ");
    list.append(canonical ? info.name : info.wire);
  }
  std::string out = "Tools by toolset: ";
  for (const auto& [toolset, list] : names) {
    const std::string part = base::StrCat(toolset, " (", list, "); ");
    out.append(out.size() + part.size() > kMaxInstructions - 300 ? base::StrCat(toolset, "; ")
                                                                 : part);
    if (out.size() > kMaxInstructions - 300) break;
  }
  out.append(
      "Results above the size limit are cut: `truncated` is true, `next` holds the arguments of "
      "the next page, and a resource "
      "link leads to the full result for 15 minutes. Failed calls say what to change.");
  return out;
}

std::size_t Core::ResourceUpdated(std::string_view uri, std::optional<std::string_view> user) {
  std::string params;
  AppendMember(params, "uri", uri);
  const std::string message = NotificationMessage("notifications/resources/updated", params);
  std::size_t told = 0;
  sessions.ForEach([&](Session& session) {
    if ((user && session.principal().user != *user) || !session.IsSubscribed(uri)) return;
    session.Push(message);
    ++told;
  });
  return told + listens.ResourceUpdated(uri, user);
}

void Core::CompleteVisit(std::string_view id) {
  sessions.ForEach([&](Session& session) { session.CompleteVisit(id); });
}

Metrics Core::GetMetrics() const {
  Metrics metrics = registry.GetMetrics();
  metrics.requests = requests.total();
  metrics.failed_requests = requests.failed();
  metrics.successful_requests =
      metrics.requests - std::min(metrics.requests, metrics.failed_requests);
  metrics.active_sessions = sessions.size();
  return metrics;
}

void Core::ResetMetrics() {
  registry.ResetMetrics();
  requests.Reset();
}

void Core::Opened() {
  LifeState before = LifeState::kStarting;
  life.compare_exchange_strong(before, LifeState::kServing);
}

void Core::StartSweeping() {
  if (!sweeping_.exchange(true)) Sweep();
}

void Core::Sweep() {
  const std::chrono::seconds idle = options()->session_idle;
  sessions.RemoveIdle(idle);
  listens.EndRefused();
  const auto pause = std::clamp<std::chrono::milliseconds>(
      idle / 10, std::chrono::milliseconds(200), std::chrono::seconds(10));
  timers.After(pause, [this] { Sweep(); });
}

void Core::AwaitCalls(std::chrono::milliseconds limit) const {
  const auto give_up = std::chrono::steady_clock::now() + limit;
  while (pool.running() + pool.queued() > 0 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void Core::Drain(std::chrono::milliseconds limit) {
  life = LifeState::kDraining;
  listens.EndAll();
  sessions.ForEach([](Session& session) {
    if (const auto door = session.door()) door->StopWaiting();
  });
  AwaitCalls(limit);
}

void Core::Stop() {
  if (stopped_.exchange(true)) return;
  life = LifeState::kDraining;
  catalog.StopWatchers();
  listens.EndAll();
  tasks.CancelAll();
  sessions.CloseAll();
  timers.Stop();
  pool.Stop();
  if (exporter) exporter->Stop();
}

}  // namespace toolpost::mcp
