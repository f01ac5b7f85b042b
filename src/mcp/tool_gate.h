// The gate: everything that happens around a tool's handler, once, for every door.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "mcp/registry.h"

namespace toolpost::mcp {

// Thread-safe; holds references only. Calls on the pool keep alive what they need besides these.
class ToolGate {
 public:
  ToolGate(base::ThreadPool& pool, EventBus& events, ResultStore& results)
      : pool_(pool), events_(events), results_(results) {}

  // Calls `done` exactly once: on this thread for inline tools and refusals, otherwise on a worker,
  // or on the thread that stops the pool before the call's turn came. `budget` is the configured
  // result budget.
  void Call(const std::shared_ptr<const RegisteredTool>& tool, std::size_t budget,
            CallRequest request, std::function<void(CallOutcome)> done) const;

 private:
  struct Job;

  CallOutcome Execute(const RegisteredTool& tool, std::size_t budget, const JsonObject& arguments,
                      CallContext& context) const;
  // Counts, publishes and logs.
  void Finish(const RegisteredTool& tool, const CallContext& context, const CallOutcome& outcome,
              std::chrono::steady_clock::time_point started) const;

  base::ThreadPool& pool_;
  EventBus& events_;
  ResultStore& results_;
};

}  // namespace toolpost::mcp
