// The tool that runs commands.
//
// A command passes the parser (parse_command.h), the policy (policy.h) and then runs in a box of
// its own (sandbox/run_box.h), which is what really confines it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/http_client.h"
#include "sandbox/confinement.h"
#include "sandbox/roots.h"
#include "sandbox/spawner.h"
#include "toolpost/tool.h"
#include "tools/shell/policy.h"
#include "tools/shell/run_slots.h"

namespace toolpost::tools::shell {

// What the tool works with; cheap to copy.
struct ShellServices {
  // The folders this caller may use; may ask the client, so it comes before any other work.
  std::function<Result<std::shared_ptr<const sandbox::Roots>>(CallContext&)> roots;
  std::shared_ptr<sandbox::Spawner> spawner;  // null: nothing runs, and calls say so
  std::shared_ptr<sandbox::ConfinementProbe> confinement;
  std::shared_ptr<RunSlots> slots;
  Policy policy;
  // Where commands that need the network may go, through our own proxy; none: nowhere. Callers
  // whose credential lacks the scope `write`, which the web tools need, have none either.
  std::optional<net::FetchOptions> network;
  std::vector<std::string> variables;  // that callers may set besides the usual ones
  sandbox::BoxLimits limits;
  std::chrono::milliseconds max_timeout{600'000};
  std::uint64_t max_output = std::uint64_t{10} << 20;  // PRD NFR-005
  // Least level of sandbox/confinement.h for programs that run whatever they are given; all others
  // need 2, or this if it is less.
  int min_confinement = 3;
};

Tool ExecuteTool(ShellServices services);

}  // namespace toolpost::tools::shell
