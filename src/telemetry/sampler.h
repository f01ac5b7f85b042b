// Which traces are recorded, and new ids for them.
#pragma once

#include <cstdint>
#include <optional>

#include "telemetry/trace_context.h"

namespace toolpost::telemetry {

// Thread-safe; never waits. A request that belongs to a trace follows the decision of its caller;
// of the others a share is recorded, chosen by the trace id as OpenTelemetry does it.
class Sampler {
 public:
  explicit Sampler(double share);  // 0 to 1

  // The context of a new span below `parent`, or none if it is not to be recorded.
  std::optional<TraceContext> Begin(const std::optional<TraceContext>& parent) const;

 private:
  const bool all_;
  const std::uint64_t below_;
};

}  // namespace toolpost::telemetry
