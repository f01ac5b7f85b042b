// system/reset_metrics: counting starts again.
#include <string>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "tools/system/system.h"

namespace toolpost::tools::system {
namespace {

struct Args {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct Reset {
  std::string since;
  static constexpr auto Fields() {
    return std::tuple{Req("since", &Reset::since, "Start of the new counts.")};
  }
};

}  // namespace

Tool ResetMetricsTool(SystemProbes probes) {
  return MakeTool<Args, Reset>(
      {.name = "system/reset_metrics",
       .title = "Reset metrics",
       .description = "Sets all counts and times of requests and tools to zero. For "
                      "administrators.",
       .permissions = {"admin"},
       .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = false},
       .run = Run::kInline},
      [probes = std::move(probes)](const Args&, CallContext&) -> Result<Reset> {
        probes.reset();
        return Reset{base::ToIso8601(probes.report().since)};
      });
}

}  // namespace toolpost::tools::system
