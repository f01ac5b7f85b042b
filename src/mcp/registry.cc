// The mutable side of the registry, and the snapshots it hands out.
#include "mcp/registry.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "mcp/call_failure.h"
#include "mcp/event_data.h"
#include "mcp/names.h"
#include "mcp/thread_number.h"
#include "mcp/tool_definition.h"
#include "mcp/tool_gate.h"
#include "mcp/tool_set.h"

namespace toolpost::mcp {
namespace {

constexpr std::size_t kLongestEcho = 128;

std::vector<std::string> SpellingsOf(const ToolInfo& info) {
  std::vector<std::string> spellings = {base::ToLower(info.name), base::ToLower(info.wire)};
  for (const std::string& alias : info.aliases) spellings.push_back(base::ToLower(alias));
  return spellings;
}

void PublishChange(const EventBus& events, EventKind kind, const ToolInfo& info) {
  if (!events.active(kind)) return;
  events.Publish(MakeEvent(kind, ToolChangedData{info.name, info.wire, info.version}, {}));
}

Error UnknownTool(std::string_view name, std::string_view suggestion) {
  std::string message = base::StrCat("Unknown tool: ", name.substr(0, kLongestEcho));
  if (!suggestion.empty()) message.append(". Did you mean ").append(suggestion).append("?");
  return Error::InvalidParams(std::move(message));
}

}  // namespace

struct Registry::Impl {
  // A thread reads the snapshot through a shard of its own, so that neither lock nor reference
  // count is contended.
  struct alignas(64) Shard {
    std::mutex mutex;
    std::shared_ptr<const ToolSet> set;  // null after a change
  };

  Impl(base::ThreadPool& pool, EventBus& bus, ResultStore& results, auth::CallLimits& limits)
      : events(bus), gate(pool, bus, results, limits) {}

  EventBus& events;
  ToolGate gate;
  std::array<Shard, 8> shards;

  std::mutex mutex;  // taken after a shard's mutex, never before
  Options options;
  ToolMap tools;
  std::unordered_map<std::string, std::string> spellings;  // lower case, to canonical id
  std::shared_ptr<const ToolSet> newest;                   // null after a change
  bool handed_out = false;                                 // a shard may hold a snapshot
  base::WallTime since = base::Now();
  std::vector<std::function<void()>> on_change;

  std::shared_ptr<const ToolSet> Current();
  Result<bool> Insert(const std::shared_ptr<const RegisteredTool>& tool);
  // After a change made under `mutex`: drops all snapshots, and the tools only they hold.
  void Invalidate();
  void Announce();
  // Asks the options, not a snapshot: registering many tools must not build one for each.
  bool Shows(const ToolInfo& info) {
    const std::lock_guard lock(mutex);
    return Allows(options, info);
  }
};

std::shared_ptr<const ToolSet> Registry::Impl::Current() {
  Shard& shard = shards[ThreadNumber() % shards.size()];
  const std::lock_guard shard_lock(shard.mutex);
  if (!shard.set) {
    const std::lock_guard lock(mutex);
    if (!newest) newest = std::make_shared<const ToolSet>(tools, options);
    handed_out = true;
    // A reference count of its own for each shard.
    const auto own = std::make_shared<const std::shared_ptr<const ToolSet>>(newest);
    shard.set = std::shared_ptr<const ToolSet>(own, own->get());
  }
  return shard.set;
}

void Registry::Impl::Invalidate() {
  std::shared_ptr<const ToolSet> old;
  {
    const std::lock_guard lock(mutex);
    if (!std::exchange(handed_out, false)) return;
    old = std::exchange(newest, nullptr);
  }
  std::array<std::shared_ptr<const ToolSet>, std::tuple_size_v<decltype(shards)>> read;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const std::lock_guard lock(shards[i].mutex);
    read[i] = std::exchange(shards[i].set, nullptr);
  }
}

void Registry::Impl::Announce() {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex);
    callbacks = on_change;
  }
  for (const auto& callback : callbacks) callback();
}

// False if the very same tool is there already.
Result<bool> Registry::Impl::Insert(const std::shared_ptr<const RegisteredTool>& tool) {
  const ToolInfo& info = tool->tool.info;
  const std::lock_guard lock(mutex);
  if (const auto present = tools.find(info.name); present != tools.end()) {
    if (SameDefinition(present->second->tool, tool->tool)) return false;
    return Error{Code::kConflict,
                 base::StrCat("Tool \"", info.name,
                              "\" is already registered with another definition. Remove it first."),
                 {}};
  }
  const std::vector<std::string> wanted = SpellingsOf(info);
  for (const std::string& spelling : wanted) {
    const auto holder = spellings.find(spelling);
    if (holder == spellings.end()) continue;
    return Error{Code::kConflict,
                 base::StrCat("Tool \"", info.name, "\": the name \"", spelling,
                              "\" is already taken by tool \"", holder->second, "\""),
                 {}};
  }
  for (const std::string& spelling : wanted) spellings.emplace(spelling, info.name);
  tools.emplace(info.name, tool);
  newest.reset();
  return true;
}

Registry::Registry(Options options, base::ThreadPool& pool, EventBus& events, ResultStore& results,
                   auth::CallLimits& limits)
    : impl_(std::make_unique<Impl>(pool, events, results, limits)) {
  impl_->gate.SetMetrics(options.metrics);
  impl_->options = std::move(options);
}

Registry::~Registry() = default;

Result<void> Registry::Add(Tool tool) {
  ASSIGN_OR_RETURN(const auto prepared, PrepareTool(std::move(tool)));
  ASSIGN_OR_RETURN(const bool added, impl_->Insert(prepared));
  if (!added) return {};
  impl_->Invalidate();
  PublishChange(impl_->events, EventKind::kToolRegistered, prepared->tool.info);
  if (impl_->Shows(prepared->tool.info)) impl_->Announce();
  return {};
}

Result<void> Registry::Remove(std::string_view name) {
  std::shared_ptr<const RegisteredTool> gone;
  const bool visible = Find(name) != nullptr;
  {
    const std::lock_guard lock(impl_->mutex);
    const auto id = impl_->spellings.find(base::ToLower(name));
    if (id != impl_->spellings.end()) gone = impl_->tools.find(id->second)->second;
    if (!gone || !IsSpellingOf(gone->tool.info, name)) {
      return Error::NotFound(base::StrCat("No such tool: ", name.substr(0, kLongestEcho)));
    }
    for (const std::string& spelling : SpellingsOf(gone->tool.info))
      impl_->spellings.erase(spelling);
    impl_->tools.erase(gone->tool.info.name);
    impl_->newest.reset();
  }
  impl_->Invalidate();
  PublishChange(impl_->events, EventKind::kToolUnregistered, gone->tool.info);
  if (visible) impl_->Announce();
  return {};
}

void Registry::Configure(Options options) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->options == options) return;
    impl_->gate.SetMetrics(options.metrics);
    impl_->options = std::move(options);
  }
  impl_->Invalidate();
  impl_->Announce();
}

Result<void> Registry::CheckNames() const {
  const std::lock_guard lock(impl_->mutex);
  const Options& options = impl_->options;
  std::set<std::string_view> toolsets;
  std::vector<std::string_view> ids;
  for (const auto& [id, tool] : impl_->tools) {
    toolsets.insert(tool->tool.info.toolset);
    ids.push_back(id);
  }
  for (const std::string& name : options.toolsets) {
    if (toolsets.contains(name)) continue;
    std::string message = base::StrCat("No toolset is called \"", name, "\"; there are");
    for (const std::string_view toolset : toolsets)
      message.append(toolset == *toolsets.begin() ? " " : ", ").append(toolset);
    return Error::InvalidParams(std::move(message));
  }
  for (const auto* names : {&options.include_tools, &options.exclude_tools}) {
    for (const std::string& name : *names) {
      const auto id = impl_->spellings.find(base::ToLower(name));
      if (id != impl_->spellings.end() &&
          IsSpellingOf(impl_->tools.find(id->second)->second->tool.info, name))
        continue;
      const std::string_view nearest = base::Nearest(name, ids);
      return Error::InvalidParams(base::StrCat("No tool is called \"", name, "\"",
                                               nearest.empty() ? "" : "; did you mean ", nearest,
                                               nearest.empty() ? "" : "?"));
    }
  }
  return {};
}

void Registry::OnListChanged(std::function<void()> callback) {
  const std::lock_guard lock(impl_->mutex);
  impl_->on_change.push_back(std::move(callback));
}

void Registry::OnCall(CallObserver observer) { impl_->gate.Observe(std::move(observer)); }

std::shared_ptr<const RegisteredTool> Registry::Find(std::string_view name,
                                                     const ToolView& view) const {
  const auto set = impl_->Current();
  const auto* found = set->Find(name, view);
  return found != nullptr ? *found : nullptr;
}

Error Registry::Unknown(std::string_view name, const ToolView& view) const {
  return UnknownTool(name, impl_->Current()->Suggest(name, view));
}

Result<std::shared_ptr<const std::string>> Registry::ListPage(const ToolView& view,
                                                              Revision revision,
                                                              std::string_view cursor,
                                                              std::size_t page_size) const {
  return impl_->Current()->Page(view, revision, cursor, page_size);
}

std::vector<std::shared_ptr<const RegisteredTool>> Registry::All(const ToolView& view,
                                                                 std::string_view category) const {
  auto tools = impl_->Current()->Visible(view);
  if (!category.empty()) {
    std::erase_if(tools,
                  [&](const auto& tool) { return CategoryOf(tool->tool.info.name) != category; });
  }
  return tools;
}

bool Registry::HasToolset(std::string_view name) const {
  return impl_->Current()->HasToolset(name);
}

std::vector<std::string> Registry::Toolsets(const ToolView& view) const {
  std::set<std::string> names;
  for (const auto& tool : impl_->Current()->Visible(view)) names.insert(tool->tool.info.toolset);
  return {names.begin(), names.end()};
}

void Registry::Call(CallRequest request, std::function<void(CallOutcome)> done) {
  const auto set = impl_->Current();
  if (request.tool) {
    const auto tool = std::move(request.tool);
    return impl_->gate.Call(tool, set->options().result_chars, std::move(request), std::move(done));
  }
  const auto* tool = set->Find(request.name, request.view);
  if (tool == nullptr) {
    return done(Refusal(UnknownTool(request.name, set->Suggest(request.name, request.view))));
  }
  impl_->gate.Call(*tool, set->options().result_chars, std::move(request), std::move(done));
}

Metrics Registry::GetMetrics() const {
  Metrics metrics;
  const std::lock_guard lock(impl_->mutex);
  metrics.since = impl_->since;
  for (const auto& [id, tool] : impl_->tools)
    metrics.tools.emplace(id, ToMetrics(tool->counters->Read()));
  return metrics;
}

std::vector<std::pair<std::string, OperationCounters::Reading>> Registry::ReadCounters() const {
  std::vector<std::pair<std::string, OperationCounters::Reading>> readings;
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [id, tool] : impl_->tools) {
    OperationCounters::Reading reading = tool->counters->Read();
    if (reading.last) readings.emplace_back(id, std::move(reading));
  }
  return readings;
}

base::WallTime Registry::counting_since() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->since;
}

void Registry::ResetMetrics() {
  const std::lock_guard lock(impl_->mutex);
  impl_->since = base::Now();
  for (const auto& [id, tool] : impl_->tools) tool->counters->Reset();
}

}  // namespace toolpost::mcp
