#include "telemetry/otlp_json.h"

#include <gtest/gtest.h>

#include "base/json_parse.h"

namespace toolpost::telemetry {
namespace {

using namespace std::chrono_literals;
using Time = std::chrono::system_clock::time_point;

const Resource kResource{{{"service.name", "tools"}}};

Json Parsed(const std::string& text) {
  const auto parsed = base::ParseJson(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Json();
}

TEST(OtlpTraces, SaysAllOfASpan) {
  Span span;
  span.context = *ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  span.parent = SpanId{1, 2, 3, 4, 5, 6, 7, 8};
  span.link = *ParseTraceparent("00-11111111111111111111111111111111-2222222222222222-01");
  span.tracestate = "v=1";
  span.name = "tools/call file/\"read\"";
  span.started = Time(1s);
  span.ended = Time(1s + 5ms);
  span.attributes = {{"mcp.method.name", "tools/call"}};
  span.error = true;
  span.problem = "INTERNAL";
  const Json body = Parsed(OtlpTraces(kResource, std::span(&span, 1)));
  const Json& part = body.at("resourceSpans").at(0);
  EXPECT_EQ(part.at("resource").at("attributes").at(0),
            Parsed(R"({"key":"service.name","value":{"stringValue":"tools"}})"));
  EXPECT_EQ(part.at("scopeSpans").at(0).at("scope").at("name"), "toolpost");
  EXPECT_EQ(part.at("scopeSpans").at(0).at("spans").at(0), Parsed(R"({
    "traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7",
    "parentSpanId":"0102030405060708","traceState":"v=1",
    "name":"tools/call file/\"read\"","kind":2,
    "startTimeUnixNano":"1000000000","endTimeUnixNano":"1005000000",
    "attributes":[{"key":"mcp.method.name","value":{"stringValue":"tools/call"}}],
    "links":[{"traceId":"11111111111111111111111111111111","spanId":"2222222222222222"}],
    "status":{"code":2,"message":"INTERNAL"}})"));
}

TEST(OtlpTraces, LeavesOutWhatASpanHasNot) {
  const std::vector<Span> spans(2);
  const Json body = Parsed(OtlpTraces(kResource, spans));
  const JsonArray& list =
      body.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array();
  ASSERT_EQ(list.size(), 2u);
  for (const char* name : {"parentSpanId", "links", "status", "traceState"})
    EXPECT_FALSE(list[0].as_object().contains(name)) << name;
}

TEST(OtlpMetrics, HasSumsGaugesAndHistograms) {
  static constexpr double kBounds[] = {0.5};
  MetricFamilies families = {
      {"a.calls", MetricKind::kCounter, "", "A.", {{{{"tool", "x"}}, 3}}},
      {"b.open", MetricKind::kGauge, "", "B.", {{{}, 1}}},
      {"c.time", MetricKind::kHistogram, "s", "C.", {{{}, 1.5, {2, 1}}}, kBounds},
      {"d.none", MetricKind::kGauge, "", "D."}};
  const Json body = Parsed(OtlpMetrics(kResource, families, Time(1s), Time(3s)));
  const JsonArray& metrics =
      body.at("resourceMetrics").at(0).at("scopeMetrics").at(0).at("metrics").as_array();
  ASSERT_EQ(metrics.size(), 3u);
  EXPECT_EQ(metrics[0].at("sum"), Parsed(R"({"aggregationTemporality":2,"isMonotonic":true,
    "dataPoints":[{"attributes":[{"key":"tool","value":{"stringValue":"x"}}],
      "startTimeUnixNano":"1000000000","timeUnixNano":"3000000000","asDouble":3.0}]})"));
  EXPECT_EQ(metrics[1].at("gauge").at("dataPoints").at(0).at("asDouble"), 1.0);
  EXPECT_EQ(metrics[2].at("unit"), "s");
  EXPECT_EQ(metrics[2].at("histogram"), Parsed(R"({"aggregationTemporality":2,
    "dataPoints":[{"attributes":[],"startTimeUnixNano":"1000000000","timeUnixNano":"3000000000",
      "count":"3","sum":1.5,"bucketCounts":["2","1"],"explicitBounds":[0.5]}]})"));
}

}  // namespace
}  // namespace toolpost::telemetry
