#include "telemetry/otlp_exporter.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "base/json_parse.h"
#include "base/strings.h"
#include "net/http_server.h"

namespace toolpost::telemetry {
namespace {

using namespace std::chrono_literals;

// A collector that answers as it is told.
class Collector {
 public:
  Collector() { EXPECT_TRUE(server_.Start()); }
  ~Collector() { server_.Stop(0ms); }

  std::string url() const { return base::StrCat("http://127.0.0.1:", server_.port()); }
  void Answer(int status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
  }
  // The number of spans taken so far, once it is `wanted` or after ten seconds.
  std::size_t Spans(std::size_t wanted) {
    return Await(wanted, [this] { return spans_; });
  }
  std::size_t Requests(std::size_t wanted) {
    return Await(wanted, [this] { return requests_; });
  }
  std::size_t MetricRequests(std::size_t wanted) {
    return Await(wanted, [this] { return metric_requests_; });
  }
  std::string token() {
    const std::lock_guard lock(mutex_);
    return token_;
  }

 private:
  template <typename Read>
  std::size_t Await(std::size_t wanted, Read read) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 10s, [&] { return read() >= wanted; });
    return read();
  }

  void Take(const net::Request& request, net::Exchange& exchange) {
    const std::lock_guard lock(mutex_);
    ++requests_;
    token_ = request.Find("X-Token");
    const auto body = base::ParseJson(request.body);
    EXPECT_TRUE(body);
    if (request.path == "/v1/metrics") ++metric_requests_;
    if (request.path == "/v1/traces" && status_ == 200) {
      spans_ +=
          body->at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array().size();
    }
    exchange.Send(status_, "application/json", "{}");
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int status_ = 200;
  std::size_t spans_ = 0;
  std::size_t requests_ = 0;
  std::size_t metric_requests_ = 0;
  std::string token_;
  net::HttpServer server_{
      {.hosts = {"127.0.0.1"}, .threads = 1},
      [this](const net::Request& request, const std::shared_ptr<net::Exchange>& exchange) {
        Take(request, *exchange);
      }};
};

OtlpOptions Quick(std::string endpoint) {
  OtlpOptions options;
  options.endpoint = std::move(endpoint);
  options.delay = 5ms;
  options.first_pause = 5ms;
  options.interval = 0ms;
  return options;
}

TEST(OtlpExporter, SendsSpansWithItsHeaders) {
  Collector collector;
  OtlpOptions options = Quick(collector.url());
  options.headers = {{"X-Token", "t"}};
  OtlpExporter exporter(options);
  for (int i = 0; i < 3; ++i) exporter.Add({});
  EXPECT_EQ(collector.Spans(3), 3u);
  exporter.Stop();
  EXPECT_EQ(collector.token(), "t");
  EXPECT_EQ(exporter.counts().exported, 3u);
  EXPECT_EQ(exporter.counts().dropped, 0u);
  EXPECT_EQ(exporter.counts().problem, "");
}

TEST(OtlpExporter, SendsWhatWaitsWhenItStops) {
  Collector collector;
  OtlpOptions options = Quick(collector.url());
  options.delay = 1h;
  OtlpExporter exporter(options);
  exporter.Add({});
  exporter.Stop();
  EXPECT_EQ(collector.Spans(1), 1u);
  exporter.Add({});
  EXPECT_EQ(exporter.counts().dropped, 1u);
}

TEST(OtlpExporter, DropsAndCountsWhatTheQueueCannotHold) {
  OtlpOptions options = Quick("http://127.0.0.1:1");  // nobody listens there
  options.queue = 10;
  options.delay = 1h;
  OtlpExporter exporter(options);
  for (int i = 0; i < 25; ++i) exporter.Add({});
  EXPECT_EQ(exporter.counts().waiting, 10u);
  EXPECT_EQ(exporter.counts().dropped, 15u);
  exporter.Stop();
  EXPECT_EQ(exporter.counts().exported, 0u);
  EXPECT_EQ(exporter.counts().dropped, 25u);
  EXPECT_NE(exporter.counts().problem, "");
}

TEST(OtlpExporter, TriesAgainWhenTheCollectorIsBusy) {
  Collector collector;
  collector.Answer(503);
  OtlpExporter exporter(Quick(collector.url()));
  exporter.Add({});
  EXPECT_GE(collector.Requests(2), 2u);
  collector.Answer(200);
  EXPECT_EQ(collector.Spans(1), 1u);
  exporter.Stop();
  EXPECT_EQ(exporter.counts().exported, 1u);
  EXPECT_GE(exporter.counts().failures, 2u);
  EXPECT_EQ(exporter.counts().problem, "");
}

TEST(OtlpExporter, DropsWhatTheCollectorRefuses) {
  Collector collector;
  collector.Answer(400);
  OtlpExporter exporter(Quick(collector.url()));
  exporter.Add({});
  EXPECT_EQ(collector.Requests(1), 1u);
  exporter.Stop();
  EXPECT_EQ(exporter.counts().dropped, 1u);
  EXPECT_NE(exporter.counts().problem.find("400"), std::string::npos);
}

TEST(OtlpExporter, SendsMetricsAgainAndAgain) {
  Collector collector;
  OtlpOptions options = Quick(collector.url());
  options.interval = 5ms;
  OtlpExporter exporter(options);
  exporter.Start([] {
    return std::pair(
        MetricFamilies{{"a.open", MetricKind::kGauge, "", "A.", {{.labels = {}, .value = 1}}}},
        std::chrono::system_clock::now());
  });
  EXPECT_GE(collector.MetricRequests(2), 2u);
  exporter.Stop();
}

TEST(OtlpExporter, WithoutSpansStartsNothing) {
  OtlpExporter exporter(Quick("http://127.0.0.1:1"));
  exporter.Stop();
  EXPECT_EQ(exporter.counts().failures, 0u);
}

}  // namespace
}  // namespace toolpost::telemetry
