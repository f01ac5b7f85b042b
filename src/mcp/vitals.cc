// Sources, asked outside the lock.
#include "mcp/vitals.h"

#include <iterator>
#include <utility>

namespace toolpost::mcp {
namespace {

template <typename Part>
std::vector<Part> Gather(const std::vector<std::function<std::vector<Part>()>>& sources) {
  std::vector<Part> all;
  for (const auto& source : sources) {
    std::vector<Part> parts = source();
    std::move(parts.begin(), parts.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

void Vitals::AddDependencies(Dependencies source) {
  const std::lock_guard lock(mutex_);
  dependencies_.push_back(std::move(source));
}

void Vitals::AddPools(Pools source) {
  const std::lock_guard lock(mutex_);
  pools_.push_back(std::move(source));
}

void Vitals::AddMetrics(MetricsSource source) {
  const std::lock_guard lock(mutex_);
  metrics_.push_back(std::move(source));
}

std::function<void()> Vitals::AddTransport(Transport source) {
  const std::lock_guard lock(mutex_);
  transports_.push_back(std::move(source));
  return [this, entry = std::prev(transports_.end())] {
    const std::lock_guard removing(mutex_);
    transports_.erase(entry);
  };
}

std::vector<DependencyHealth> Vitals::dependencies() const {
  std::unique_lock lock(mutex_);
  const auto sources = dependencies_;
  lock.unlock();
  return Gather(sources);
}

std::vector<PoolHealth> Vitals::pools() const {
  std::unique_lock lock(mutex_);
  const auto sources = pools_;
  lock.unlock();
  return Gather(sources);
}

// Under the lock: a transport may be gone as soon as it was taken out.
std::vector<TransportHealth> Vitals::transports() const {
  std::vector<TransportHealth> all;
  const std::lock_guard lock(mutex_);
  for (const Transport& transport : transports_) all.push_back(transport());
  return all;
}

void Vitals::AppendMetrics(telemetry::MetricFamilies& families) const {
  std::unique_lock lock(mutex_);
  const auto sources = metrics_;
  lock.unlock();
  for (const MetricsSource& source : sources) source(families);
}

}  // namespace toolpost::mcp
