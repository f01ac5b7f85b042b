#include "mcp/operation.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/core.h"
#include "net/http_server.h"

namespace toolpost::mcp {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kClient = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr std::string_view kHttp = "00-11111111111111111111111111111111-2222222222222222-01";

// Keeps the spans that are sent to it.
class SpanSink {
 public:
  SpanSink() { EXPECT_TRUE(server_.Start()); }
  ~SpanSink() { server_.Stop(0ms); }
  std::string url() const { return base::StrCat("http://127.0.0.1:", server_.port()); }
  std::vector<Json> spans() {
    const std::lock_guard lock(mutex_);
    return spans_;
  }

 private:
  std::mutex mutex_;
  std::vector<Json> spans_;
  net::HttpServer server_{
      {.hosts = {"127.0.0.1"}, .threads = 1},
      [this](const net::Request& request, const std::shared_ptr<net::Exchange>& exchange) {
        const auto body = base::ParseJson(request.body);
        const std::lock_guard lock(mutex_);
        for (const Json& span :
             body->at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array())
          spans_.push_back(span);
        exchange->Send(200, "application/json", "{}");
      }};
};

class OperationTest : public ::testing::Test {
 protected:
  OperationTest() {
    telemetry::OtlpOptions options;
    options.endpoint = sink.url();
    options.delay = 1h;
    core.exporter = std::make_shared<telemetry::OtlpExporter>(options);
  }

  // The spans of one request.
  std::vector<Json> Serve(std::string_view text, const Arrival& arrival, Ending ending,
                          std::string_view tool = {}) {
    const auto body = Body::Parse(text);
    return Spans(Operation(core, &(*body)->message(), arrival), ending, tool);
  }
  std::vector<Json> Spans(Operation operation, Ending ending, std::string_view tool) {
    if (!tool.empty()) operation.Calls({.name = std::string(tool)});
    operation.End(core, ending, {"r-1", "2025-11-25", "abc", "127.0.0.1"});
    core.exporter->Stop();
    return sink.spans();
  }
  static std::string Attribute(const Json& span, std::string_view name) {
    for (const Json& each : span.at("attributes").as_array()) {
      if (each.at("key").as_string() == name)
        return std::string(each.at("value").at("stringValue").as_string());
    }
    return {};
  }

  SpanSink sink;
  Core core{ServerOptions{}};
};

TEST_F(OperationTest, ACallIsASpanBelowThatOfTheClient) {
  Arrival arrival{"tcp", "http"};
  arrival.ReadHeaders(kHttp, "x=y");
  const auto spans = Serve(
      base::StrCat(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"file_read",)",
                   R"("_meta":{"traceparent":")", kClient, R"(","tracestate":"a=b"}}})"),
      arrival, {}, "file/read");
  ASSERT_EQ(spans.size(), 1u);
  const Json& span = spans[0];
  EXPECT_EQ(span.at("name"), "tools/call file/read");
  EXPECT_EQ(span.at("kind"), 2);
  EXPECT_EQ(span.at("traceId"), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(span.at("parentSpanId"), "00f067aa0ba902b7");
  EXPECT_EQ(span.at("traceState"), "a=b");
  EXPECT_EQ(span.at("links").at(0).at("spanId"), "2222222222222222");
  EXPECT_FALSE(span.as_object().contains("status"));
  EXPECT_EQ(Attribute(span, "mcp.method.name"), "tools/call");
  EXPECT_EQ(Attribute(span, "gen_ai.tool.name"), "file/read");
  EXPECT_EQ(Attribute(span, "gen_ai.operation.name"), "execute_tool");
  EXPECT_EQ(Attribute(span, "jsonrpc.request.id"), "7");
  EXPECT_EQ(Attribute(span, "mcp.protocol.version"), "2025-11-25");
  EXPECT_EQ(Attribute(span, "mcp.session.id"), "abc");
  EXPECT_EQ(Attribute(span, "network.transport"), "tcp");
  EXPECT_EQ(Attribute(span, "network.protocol.name"), "http");
  EXPECT_EQ(Attribute(span, "client.address"), "127.0.0.1");
  EXPECT_EQ(Attribute(span, "error.type"), "");
}

TEST_F(OperationTest, WithoutMetaTheHttpSpanIsTheParent) {
  Arrival arrival{"tcp", "http"};
  arrival.ReadHeaders(kHttp, "x=y");
  const auto spans = Serve(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", arrival, {});
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].at("name"), "ping");
  EXPECT_EQ(spans[0].at("parentSpanId"), "2222222222222222");
  EXPECT_EQ(spans[0].at("traceState"), "x=y");
  EXPECT_FALSE(spans[0].as_object().contains("links"));
}

TEST_F(OperationTest, ACallOutsideMcpIsASpanBelowThatOfItsHttpRequest) {
  Arrival arrival{"tcp", "http"};
  arrival.ReadHeaders(kHttp, {});
  const auto spans = Spans(Operation(core, nullptr, arrival), {}, "file/read");
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].at("name"), "execute_tool file/read");
  EXPECT_EQ(spans[0].at("parentSpanId"), "2222222222222222");
  EXPECT_EQ(Attribute(spans[0], "gen_ai.tool.name"), "file/read");
  EXPECT_EQ(Attribute(spans[0], "mcp.method.name"), "");
  EXPECT_EQ(Attribute(spans[0], "jsonrpc.request.id"), "");
}

TEST_F(OperationTest, ACallWithinTheProcessIsCountedOnly) {
  EXPECT_TRUE(Spans(Operation(core, nullptr, {}), {}, "file/read").empty());
  EXPECT_EQ(core.requests.total(), 1u);
}

TEST_F(OperationTest, WithoutAnyItStartsATrace) {
  const auto spans = Serve(R"({"jsonrpc":"2.0","id":1,"method":"resources/read",)"
                           R"("params":{"uri":"x://y","_meta":{"traceparent":"garbage"}}})",
                           {"pipe", {}}, Ending::Failed(Code::kInternal, true));
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_FALSE(spans[0].as_object().contains("parentSpanId"));
  EXPECT_EQ(Attribute(spans[0], "mcp.resource.uri"), "x://y");
  EXPECT_EQ(Attribute(spans[0], "network.transport"), "pipe");
  EXPECT_EQ(Attribute(spans[0], "error.type"), "-32603");
  EXPECT_EQ(Attribute(spans[0], "rpc.response.status_code"), "-32603");
  EXPECT_EQ(spans[0].at("status").at("code"), 2);
}

TEST_F(OperationTest, AToolThatFailsIsNoErrorOfTheServer) {
  const auto spans = Serve(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", {},
                           Ending::Failed(Code::kNotFound, false), "a/b");
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(Attribute(spans[0], "error.type"), "tool_error");
  EXPECT_FALSE(spans[0].as_object().contains("status"));
}

TEST_F(OperationTest, NamesOfStrangersDoNotBecomeSpanNames) {
  const auto spans =
      Serve(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", std::string(5000, 'x'), R"("})"),
            {}, Ending::Failed(Code::kMethodNotFound, true));
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].at("name"), "_other");
}

TEST_F(OperationTest, WhatTheCallerDoesNotSampleIsNotRecorded) {
  const std::string unsampled = base::StrCat(kClient.substr(0, 53), "00");
  EXPECT_TRUE(Serve(base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"ping",)",
                                 R"("params":{"_meta":{"traceparent":")", unsampled, R"("}}})"),
                    {}, {})
                  .empty());
}

TEST_F(OperationTest, LogLinesGetTheIdsWithoutACollectorToo) {
  core.exporter = nullptr;
  base::ConfigureLog(base::Severity::kInfo, base::LogFormat::kJson);
  const auto body = Body::Parse(
      base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"traceparent":")",
                   kClient, R"("}}})"));
  const Operation operation(core, &(*body)->message(), {});
  ASSERT_NE(operation.labels(), nullptr);
  EXPECT_EQ(operation.labels()->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(operation.labels()->span_id, "");
}

TEST_F(OperationTest, EveryRequestIsCountedOnceAndTimedUnlessATool) {
  const auto ping = Body::Parse(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  Operation(core, &(*ping)->message(), {}).End(core, {}, {});
  Operation call(core, &(*ping)->message(), {});
  call.Calls({.name = "a/b"});
  call.End(core, Ending::ToolError(), {});
  EXPECT_EQ(core.requests.total(), 2u);
  EXPECT_EQ(core.requests.failed(), 1u);
  ASSERT_EQ(core.requests.Methods().size(), 1u);
  EXPECT_EQ(core.requests.Methods()[0].reading.total(), 1u);
}

}  // namespace
}  // namespace toolpost::mcp
