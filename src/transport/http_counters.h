// How many HTTP requests were answered, by route and status.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "telemetry/metric_family.h"

namespace toolpost::transport {

// Thread-safe; counting never waits. Paths and statuses that are none of ours count as `_other`, so
// the number of counters is fixed: 2.4 KiB for each thread that counts, at most eight.
class HttpCounters {
 public:
  HttpCounters() = default;
  ~HttpCounters();
  HttpCounters(const HttpCounters&) = delete;
  HttpCounters& operator=(const HttpCounters&) = delete;

  void Count(std::string_view path, int status);
  void AppendTo(telemetry::MetricFamilies& families) const;

 private:
  static constexpr std::size_t kRoutes = 13;
  static constexpr std::size_t kStatuses = 23;
  struct Shard {
    std::array<std::array<std::atomic<std::uint64_t>, kStatuses>, kRoutes> counts{};
  };

  std::array<std::atomic<Shard*>, 8> shards_{};
};

}  // namespace toolpost::transport
