// The gate: everything that happens around a tool's handler, once, for every door.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "auth/call_limits.h"
#include "mcp/call_record.h"
#include "mcp/registry.h"

namespace toolpost::mcp {

// Thread-safe; holds references only. Calls on the pool keep alive what they need besides these.
class ToolGate {
 public:
  ToolGate(base::ThreadPool& pool, EventBus& events, ResultStore& results, auth::CallLimits& limits)
      : pool_(pool), events_(events), results_(results), limits_(limits) {}

  // Before the first call.
  void Observe(CallObserver observer) {
    observer_ = std::make_shared<const CallObserver>(std::move(observer));
  }
  // Whether calls are counted per tool.
  void SetMetrics(bool on) { metrics_->store(on, std::memory_order_relaxed); }

  // Calls `done` exactly once: on this thread for inline tools and refusals, otherwise on a worker,
  // or on the thread that stops the pool before the call's turn came. `budget` is the configured
  // result budget.
  void Call(const std::shared_ptr<const RegisteredTool>& tool, std::size_t budget,
            CallRequest request, std::function<void(CallOutcome)> done) const;

 private:
  struct Job;
  struct Bound;

  void Admitted(const std::shared_ptr<const RegisteredTool>& tool, std::size_t budget,
                CallRequest request, std::function<void(CallOutcome)> done) const;
  CallOutcome Execute(const RegisteredTool& tool, std::size_t budget, const Bound& bound,
                      CallContext& context) const;
  // The outcome of a call that never reached its handler, counted as one.
  CallOutcome Stopped(const RegisteredTool& tool, const Bound& bound, const CallContext& context,
                      CallOutcome outcome) const;
  // Counts, publishes, logs, tells the observer.
  void Finish(const RegisteredTool& tool, const Bound& bound, const CallContext& context,
              const CallOutcome& outcome) const;

  base::ThreadPool& pool_;
  EventBus& events_;
  ResultStore& results_;
  auth::CallLimits& limits_;
  std::shared_ptr<const CallObserver> observer_;
  std::shared_ptr<std::atomic<bool>> metrics_ = std::make_shared<std::atomic<bool>>(true);
};

}  // namespace toolpost::mcp
