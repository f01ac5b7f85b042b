// The registry: every tool, and the one gate through which every call of every door goes.
//
// Thread-safe. Calls read an immutable snapshot of the tools (tool_set.h) that Add, Remove and
// Configure replace; the tools/list pages of a snapshot are serialised once, when first asked for.
// Listing order is the order of canonical ids. The pool, the bus and the store must outlive the
// registry and the calls it started.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/call_limits.h"
#include "base/thread_pool.h"
#include "mcp/call_record.h"
#include "mcp/event_bus.h"
#include "mcp/input_rules.h"
#include "mcp/operation_counters.h"
#include "mcp/result_store.h"
#include "mcp/revision.h"
#include "toolpost/server.h"
#include "toolpost/tool.h"

namespace toolpost::mcp {

// Which tools a door shows and how it spells them: /mcp/canonical, /mcp/readonly, /mcp/x/<toolset>.
// Narrows, never widens, what the options of the registry allow.
struct ToolView {
  bool canonical = false;
  bool read_only = false;
  std::string toolset;                             // empty: all
  std::shared_ptr<const Credential> credential{};  // lists only what it may call; null: everything

  auto operator<=>(const ToolView&) const = default;
  // The same caller without the toolset.
  ToolView Whole() const { return {canonical, read_only, {}, credential}; }
};

struct RegisteredTool {
  Tool tool;  // info.wire and info.toolset filled in
  LateInputRules input;
  std::optional<schema::JsonSchema> output;  // debug builds check results against it
  std::shared_ptr<OperationCounters> counters;
};

// Ids of the trace a call belongs to, as hex.
struct TraceLabels {
  std::string trace_id;
  std::string span_id;  // of our own span; empty: the call is not sampled
};

struct CallRequest {
  std::string_view name;                  // any spelling; copied if the call outlives Call()
  const JsonObject* arguments = nullptr;  // null: {}; kept alive by `context`
  ToolView view;
  std::shared_ptr<CallContext> context;
  // What Find said of `name` and `view`, when the caller has asked already.
  std::shared_ptr<const RegisteredTool> tool = nullptr;
  const TraceLabels* trace = nullptr;  // for log lines; kept alive by `context`; null: none
  // The caller is a program: its results are not cut to what a model can read.
  bool whole = false;
};

struct CallOutcome {
  Output output;
  // Why the call failed. With `protocol_error` there is no output and the door answers with an
  // error of its own kind (unknown tool, cancelled, input required, missing capability, busy);
  // otherwise `output` is the rendered isError result.
  std::optional<Error> error;
  bool protocol_error = false;
};
Ending EndingOf(const CallOutcome& outcome);

class Registry {
 public:
  struct Options {
    bool canonical_names = false;
    bool read_only = false;
    std::vector<std::string> toolsets;       // empty: all
    std::vector<std::string> include_tools;  // in addition to toolsets; any spelling
    std::vector<std::string> exclude_tools;  // wins over both
    std::size_t page_size = 250;
    std::size_t result_chars = 40'000;
    bool metrics = true;  // count calls per tool

    bool operator==(const Options&) const = default;
  };

  Registry(Options options, base::ThreadPool& pool, EventBus& events, ResultStore& results,
           auth::CallLimits& limits);
  ~Registry();

  Result<void> Add(Tool tool);
  Result<void> Remove(std::string_view name);
  // Replaces the options (config reload) and announces the change of the list, if there is one.
  void Configure(Options options);
  // Code::kInvalidArgument if the options name a toolset or a tool that is not there.
  Result<void> CheckNames() const;
  // Called after every change of what tools/list shows.
  void OnListChanged(std::function<void()> callback);

  // Called for every call that ended; set before the first.
  void OnCall(CallObserver observer);

  // By canonical id, wire name or alias; null if there is none or the view hides it. Tools the
  // credential may not call are found: the gate says why not.
  std::shared_ptr<const RegisteredTool> Find(std::string_view name,
                                             const ToolView& view = {}) const;
  // What somebody is told who asks for a tool that Find does not find.
  Error Unknown(std::string_view name, const ToolView& view) const;
  // The members of a tools/list result without braces: `"tools":[…],"nextCursor":"…"` and
  // `"_meta"`-free, plus `"count":N`. Code::kInvalidArgument for a bad cursor. `page_size` 0: the
  // configured one.
  Result<std::shared_ptr<const std::string>> ListPage(const ToolView& view, Revision revision,
                                                      std::string_view cursor,
                                                      std::size_t page_size = 0) const;
  // Tools in listing order, optionally of one category.
  std::vector<std::shared_ptr<const RegisteredTool>> All(const ToolView& view = {},
                                                         std::string_view category = {}) const;
  // Whether any tool is of this toolset, shown or not.
  bool HasToolset(std::string_view name) const;
  // Names of the toolsets that have at least one visible tool.
  std::vector<std::string> Toolsets(const ToolView& view = {}) const;

  // The gate: lookup, policy, limits, null-means-absent, schema check, connections, execution
  // (inline or on the pool), result budget, metrics, event, log line. `done` is called exactly
  // once, on this thread (inline tools, refusals) or on a worker.
  void Call(CallRequest request, std::function<void(CallOutcome)> done);

  Metrics GetMetrics() const;  // `tools` and `since` filled
  // The same in full, of the tools that were called, by canonical id.
  std::vector<std::pair<std::string, OperationCounters::Reading>> ReadCounters() const;
  base::WallTime counting_since() const;  // the last reset
  void ResetMetrics();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::mcp
