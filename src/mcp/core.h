// Everything one server shares between its doors: registry, catalog, sessions, tasks,
// subscriptions, workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "mcp/catalog.h"
#include "mcp/event_bus.h"
#include "mcp/event_log.h"
#include "mcp/health_report.h"
#include "mcp/registry.h"
#include "mcp/request_counters.h"
#include "mcp/request_state.h"
#include "mcp/result_store.h"
#include "mcp/session_table.h"
#include "mcp/subscriptions.h"
#include "mcp/tasks.h"
#include "mcp/vitals.h"
#include "telemetry/otlp_exporter.h"
#include "toolpost/server.h"

namespace toolpost::mcp {

// Thread-safe. Destroyed after every door has closed.
struct Core {
  explicit Core(ServerOptions options);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  std::shared_ptr<const ServerOptions> options() const;
  void Reconfigure(const ServerOptions& options);

  // Short, unique in this process and unlikely to repeat across restarts: the id of log lines.
  std::string NextRequestId();

  // The revisions served, newest first, as a JSON array.
  static std::string ProtocolVersions();
  // Result members of initialize and server/discover.
  std::string InitializeMembers(Revision revision, const ToolView& view) const;
  std::string DiscoverMembers(const ToolView& view) const;
  // GET /mcp/capabilities: the same facts for people and scripts, as a JSON object.
  std::string CapabilitiesDocument(const ToolView& view) const;
  // `{"io.modelcontextprotocol/serverInfo":{…}}`, and the same without the outer braces.
  const std::string& server_info_meta() const { return server_info_meta_; }
  std::string_view server_info_member() const {
    return std::string_view(server_info_meta_).substr(1, server_info_meta_.size() - 2);
  }
  // What the model should know before the first call: below 1.5 kB, from the enabled toolsets.
  std::string Instructions(const ToolView& view) const;

  // Tells subscribers, of `user` alone if there is one. Returns how many sessions and streams were
  // told.
  std::size_t ResourceUpdated(std::string_view uri, std::optional<std::string_view> user = {});
  // The person has been where the client was asked to send them.
  void CompleteVisit(std::string_view id);
  Metrics GetMetrics() const;
  void ResetMetrics();
  // A door is open: the server serves, unless it ends already.
  void Opened();
  // Starts the expiry of idle sessions; called by doors that have such sessions.
  void StartSweeping();
  // Waits until no call runs on the pool, at most `limit`.
  void AwaitCalls(std::chrono::milliseconds limit) const;
  // First step of a shutdown: ends streams that only wait, then waits for running calls.
  void Drain(std::chrono::milliseconds limit);
  // Ends listens, tasks and sessions, then waits for the workers.
  void Stop();

 private:
  void Sweep();
  std::string Capabilities(Revision revision) const;

  mutable std::mutex options_mutex_;
  std::shared_ptr<const ServerOptions> options_;
  const std::string request_prefix_;
  std::atomic<std::uint64_t> next_request_{1};
  std::atomic<bool> sweeping_{false};
  std::atomic<bool> stopped_{false};
  std::string server_info_;
  std::string server_info_meta_;

 public:
  const base::WallTime started = base::Now();
  std::atomic<LifeState> life{LifeState::kStarting};  // kServing once a door is open
  RequestCounters requests;
  Vitals vitals;
  std::shared_ptr<telemetry::OtlpExporter> exporter;  // set before a door opens; null: none
  EventBus events;
  EventLog event_log{events};
  base::TimerQueue timers;
  base::ThreadPool pool;
  ResultStore results;
  auth::CallLimits limits;
  Registry registry;
  Catalog catalog;
  SessionTable sessions;
  ListenHub listens;
  TaskTable tasks;
  RequestStateCodec request_states;
};

}  // namespace toolpost::mcp
