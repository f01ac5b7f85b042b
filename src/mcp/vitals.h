// What the parts around the core contribute to the health report and the metrics.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "telemetry/metric_family.h"

namespace toolpost::mcp {

// Whether something the server depends on is well.
struct DependencyHealth {
  std::string name;     // "store", "audit", "database shop"
  std::string problem;  // fit to show to administrators; empty: none
  // Whose users alone are told of it; empty: everybody.
  std::string connection{};
};

// A bounded set of connections.
struct PoolHealth {
  std::string name;
  std::int64_t open = 0;
  std::int64_t in_use = 0;
  std::int64_t limit = 0;
  std::string connection{};  // as of DependencyHealth
};

// A way for clients to come in (PRD US-010).
struct TransportHealth {
  std::string name;   // "http"
  std::string state;  // "listening", "draining", "serving"
  std::int64_t connections = 0;
};

// Thread-safe. The functions are called by whoever asks for a report, also at the same time; they
// must be quick and must not block.
class Vitals {
 public:
  using Dependencies = std::function<std::vector<DependencyHealth>()>;
  using Pools = std::function<std::vector<PoolHealth>()>;
  using Transport = std::function<TransportHealth()>;
  using MetricsSource = std::function<void(telemetry::MetricFamilies&)>;

  void AddDependencies(Dependencies source);
  void AddPools(Pools source);
  void AddMetrics(MetricsSource source);
  // Returns a function that takes it out again.
  std::function<void()> AddTransport(Transport source);

  std::vector<DependencyHealth> dependencies() const;  // by the order they were added in
  std::vector<PoolHealth> pools() const;
  std::vector<TransportHealth> transports() const;
  void AppendMetrics(telemetry::MetricFamilies& families) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Dependencies> dependencies_;
  std::vector<Pools> pools_;
  std::vector<MetricsSource> metrics_;
  std::list<Transport> transports_;
};

}  // namespace toolpost::mcp
