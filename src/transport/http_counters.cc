// A table of counters per thread, summed on read.
#include "transport/http_counters.h"

#include <algorithm>
#include <string>

#include "mcp/made_once.h"
#include "mcp/thread_number.h"

namespace toolpost::transport {
namespace {

constexpr std::string_view kOther = "_other";
// The last one of each stands for all others.
constexpr std::array<std::string_view, 13> kRouteNames = {
    "/mcp",     "/rpc",    "/trpc",    "/",        "/messages",    "/sse", "/ws",
    "/healthz", "/readyz", "/version", "/metrics", "/.well-known", kOther};
constexpr std::array<int, 23> kStatusCodes = {200, 202, 101, 204, 207, 400, 401, 403,
                                              404, 405, 406, 408, 409, 412, 413, 415,
                                              426, 429, 431, 500, 501, 503, 0};

std::size_t RouteOf(std::string_view path) {
  const std::size_t second = path.size() < 2 ? std::string_view::npos : path.find('/', 1);
  if (second == 1) return kRouteNames.size() - 1;  // "//…" is not "/"
  const std::string_view first = path.substr(0, second);
  return static_cast<std::size_t>(std::find(kRouteNames.begin(), kRouteNames.end() - 1, first) -
                                  kRouteNames.begin());
}

std::size_t StatusOf(int status) {
  return static_cast<std::size_t>(std::find(kStatusCodes.begin(), kStatusCodes.end() - 1, status) -
                                  kStatusCodes.begin());
}

}  // namespace

HttpCounters::~HttpCounters() {
  for (auto& shard : shards_) delete shard.load();
}

void HttpCounters::Count(std::string_view path, int status) {
  static_assert(kRouteNames.size() == kRoutes && kStatusCodes.size() == kStatuses);
  mcp::MadeOnce(shards_[mcp::ThreadNumber() % shards_.size()])
      .counts[RouteOf(path)][StatusOf(status)]
      .fetch_add(1, std::memory_order_relaxed);
}

void HttpCounters::AppendTo(telemetry::MetricFamilies& families) const {
  telemetry::MetricFamily family{"toolpost.http.requests", telemetry::MetricKind::kCounter, "",
                                 "HTTP requests answered, by route and status."};
  for (std::size_t route = 0; route < kRoutes; ++route) {
    for (std::size_t status = 0; status < kStatuses; ++status) {
      std::uint64_t count = 0;
      for (const auto& slot : shards_) {
        if (const Shard* const shard = slot.load(std::memory_order_acquire))
          count += shard->counts[route][status].load(std::memory_order_relaxed);
      }
      if (count == 0) continue;
      const int code = kStatusCodes[status];
      family.samples.push_back(
          {.labels = {{"route", std::string(kRouteNames[route])},
                      {"status", code == 0 ? std::string(kOther) : std::to_string(code)}},
           .value = static_cast<double>(count)});
    }
  }
  families.push_back(std::move(family));
}

}  // namespace toolpost::transport
