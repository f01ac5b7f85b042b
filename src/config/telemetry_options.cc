// The rows of the option table about metrics and traces.
#include "config/option_rows.h"

namespace toolpost::config {

using namespace rows;  // the vocabulary of the table

std::vector<Option> TelemetryTable() {
  return {
      Switch(
          "metrics.enabled", "true", [](Config& c) -> bool& { return c.metrics.enabled; },
          "Count calls and times, and offer them as metrics"),
      String(
          "metrics.listen", "", [](Config& c) -> std::string& { return c.metrics.listen; },
          "Second address that serves `/metrics`, `/healthz` and `/readyz` alone, such as "
          "`127.0.0.1:9464`; a loopback one asks for no credential"),
      Alias(String(
                "telemetry.endpoint", "",
                [](Config& c) -> std::string& { return c.telemetry.endpoint; },
                "OpenTelemetry collector that gets traces and metrics by OTLP/HTTP, such as "
                "`http://127.0.0.1:4318`"),
            "OTEL_EXPORTER_OTLP_ENDPOINT", ""),
      Alias(Secret(
                "telemetry.headers", [](Config& c) -> std::string& { return c.telemetry.headers; },
                "Headers of requests to the collector, `name=value` separated by commas"),
            "OTEL_EXPORTER_OTLP_HEADERS", ""),
      Alias(String(
                "telemetry.service_name", "toolpost",
                [](Config& c) -> std::string& { return c.telemetry.service_name; },
                "Name of this service in traces"),
            "OTEL_SERVICE_NAME", ""),
      Alias(List(
                "telemetry.resource_attributes", "",
                [](Config& c) -> Strings& { return c.telemetry.resource_attributes; },
                "Further attributes of this service, `name=value`"),
            "OTEL_RESOURCE_ATTRIBUTES", ""),
      Alias(String(
                "telemetry.sampling", "1",
                [](Config& c) -> std::string& { return c.telemetry.sampling; },
                "Share of traces that are recorded, from 0 to 1; requests that belong to a trace "
                "follow their caller"),
            "OTEL_TRACES_SAMPLER_ARG", ""),
      Alias(Integer(
                "telemetry.queue", "2048", 1, 1'000'000,
                [](Config& c) -> std::uint64_t& { return c.telemetry.queue; },
                "Spans that may wait for the collector before they are dropped"),
            "OTEL_BSP_MAX_QUEUE_SIZE", ""),
      Time(
          "telemetry.interval", "60s", 0, kDay,
          [](Config& c) -> Duration& { return c.telemetry.interval; },
          "Time between two exports of metrics to the collector; 0 is none"),
  };
}

}  // namespace toolpost::config
