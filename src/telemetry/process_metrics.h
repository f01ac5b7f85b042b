// What the kernel counts of this process: the usual `process_*` metrics.
#pragma once

#include "telemetry/metric_family.h"

namespace toolpost::telemetry {

// Reads /proc; what cannot be read is left out.
void AppendProcessMetrics(MetricFamilies& families);

}  // namespace toolpost::telemetry
