// Sends spans and metrics to an OpenTelemetry collector, by OTLP/HTTP in JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/metric_family.h"
#include "telemetry/otlp_json.h"
#include "telemetry/sampler.h"
#include "telemetry/span.h"

namespace toolpost::telemetry {

struct OtlpOptions {
  std::string endpoint;  // "http://127.0.0.1:4318": /v1/traces and /v1/metrics are below it
  std::vector<std::pair<std::string, std::string>> headers;  // such as Authorization
  Resource resource;
  double sampling = 1;                           // share of traces, see Sampler
  std::size_t queue = 2'048;                     // spans that may wait
  std::chrono::milliseconds delay{5'000};        // longest wait of a span that is not alone
  std::chrono::milliseconds interval{60'000};    // between two exports of metrics; 0: none
  std::chrono::milliseconds timeout{10'000};     // of one request
  std::chrono::milliseconds first_pause{1'000};  // after a failure; doubles up to 30 s
};

// Thread-safe. Add() never waits for the collector: spans queue, and where the queue is full they
// are dropped and counted. One thread, which starts with the first span or with Start(), sends
// batches of at most 512; a batch the collector cannot take now is tried again, one it refuses is
// dropped. Trouble is logged once a minute.
class OtlpExporter {
 public:
  struct Counts {
    std::uint64_t exported = 0;  // spans
    std::uint64_t dropped = 0;   // spans
    std::uint64_t failures = 0;  // requests
    std::size_t waiting = 0;     // spans
    std::string problem;         // of the last request; empty: it went well
  };
  // What to send as metrics, and since when it counts.
  using MetricsReader =
      std::function<std::pair<MetricFamilies, std::chrono::system_clock::time_point>()>;

  explicit OtlpExporter(OtlpOptions options);
  ~OtlpExporter();  // Stop()
  OtlpExporter(const OtlpExporter&) = delete;
  OtlpExporter& operator=(const OtlpExporter&) = delete;

  const Sampler& sampler() const;
  void Add(Span span);
  // Also exports metrics from now on.
  void Start(MetricsReader reader);
  Counts counts() const;
  // Sends what waits, for at most two seconds, and ends the thread. The reader is not called
  // afterwards.
  void Stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toolpost::telemetry
