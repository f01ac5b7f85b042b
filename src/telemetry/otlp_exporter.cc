// A bounded queue, and the thread that empties it into a collector.
#include "telemetry/otlp_exporter.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/clock.h"
#include "base/log.h"
#include "base/quiet_thread.h"
#include "base/strings.h"
#include "net/http_client.h"

namespace toolpost::telemetry {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 512;
constexpr std::chrono::seconds kLongestPause{30};
constexpr std::chrono::seconds kLastWords{2};
constexpr std::chrono::minutes kComplaintInterval{1};

enum class Sent { kYes, kRefused, kLater };

// OTLP/HTTP: these may be repeated.
bool MayRepeat(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

}  // namespace

struct OtlpExporter::Impl {
  explicit Impl(OtlpOptions given) : options(std::move(given)), sampler(options.sampling) {}

  void StartThread();
  void Run();
  Clock::time_point NextWake() const;
  void SendSpans(std::unique_lock<std::mutex>& lock);
  void SendMetrics(std::unique_lock<std::mutex>& lock);
  Sent Post(std::string_view path, std::string body);
  void Note(std::string what);

  const OtlpOptions options;
  const Sampler sampler;
  std::atomic<std::uint64_t> exported{0};
  std::atomic<std::uint64_t> dropped{0};
  std::atomic<std::uint64_t> failures{0};

  mutable std::mutex mutex;  // guards all below; never held across I/O
  std::condition_variable wake;
  std::condition_variable ended;
  std::deque<Span> queue;
  std::vector<Span> batch;  // being sent, or to be sent again
  MetricsReader reader;
  std::string problem;
  bool started = false;
  bool stopping = false;
  bool done = false;
  Clock::time_point spans_due = Clock::time_point::max();
  Clock::time_point metrics_due = Clock::time_point::max();
  Clock::duration pause{};  // after the failures in a row

  std::stop_source stop;
  std::thread thread;
  Clock::time_point complained{};  // of the thread
};

// If there is none, the next span tries again.
void OtlpExporter::Impl::StartThread() {
  thread = base::StartQuietThread([this] { Run(); });
  started = thread.joinable();
}

Clock::time_point OtlpExporter::Impl::NextWake() const {
  const bool full = queue.size() >= kBatch && pause == Clock::duration::zero();
  return full ? Clock::time_point::min() : std::min(spans_due, metrics_due);
}

void OtlpExporter::Impl::Run() {
  std::unique_lock lock(mutex);
  while (!stopping) {
    const Clock::time_point next = NextWake();
    const auto changed = [&] { return stopping || NextWake() < next; };
    if (next == Clock::time_point::max()) {
      wake.wait(lock, changed);
    } else if (next > Clock::now()) {
      wake.wait_until(lock, next, changed);
    }
    const auto now = Clock::now();
    if (!stopping && metrics_due <= now) SendMetrics(lock);
    if (!stopping && (spans_due <= now || NextWake() <= now)) SendSpans(lock);
  }
  if (!batch.empty() || !queue.empty()) SendSpans(lock);
  if (reader) SendMetrics(lock);
  dropped += batch.size() + queue.size();
  done = true;
  ended.notify_all();
}

void OtlpExporter::Impl::SendSpans(std::unique_lock<std::mutex>& lock) {
  if (batch.empty()) {
    const std::size_t count = std::min(queue.size(), kBatch);
    const auto end = queue.begin() + static_cast<std::ptrdiff_t>(count);
    std::move(queue.begin(), end, std::back_inserter(batch));
    queue.erase(queue.begin(), end);
  }
  lock.unlock();
  const Sent sent =
      batch.empty() ? Sent::kYes : Post("/v1/traces", OtlpTraces(options.resource, batch));
  lock.lock();
  if (sent == Sent::kLater) {
    pause = std::min<Clock::duration>(std::max<Clock::duration>(pause * 2, options.first_pause),
                                      kLongestPause);
    spans_due = Clock::now() + pause;
    return;
  }
  (sent == Sent::kYes ? exported : dropped) += batch.size();
  batch.clear();
  pause = {};
  spans_due = queue.empty() ? Clock::time_point::max() : Clock::now() + options.delay;
}

void OtlpExporter::Impl::SendMetrics(std::unique_lock<std::mutex>& lock) {
  metrics_due = Clock::now() + options.interval;
  lock.unlock();
  const auto [families, since] = reader();
  (void)Post("/v1/metrics", OtlpMetrics(options.resource, families, since, base::Now()));
  lock.lock();
}

Sent OtlpExporter::Impl::Post(std::string_view path, std::string body) {
  net::HttpRequest request{.method = "POST",
                           .url = base::StrCat(options.endpoint, path),
                           .headers = options.headers,
                           .body = std::move(body)};
  request.headers.emplace_back("Content-Type", "application/json");
  net::FetchOptions fetch;
  // The collector stands in the configuration: it may be anywhere.
  fetch.addresses = {.loopback = true, .private_networks = true};
  fetch.timeout = options.timeout;
  fetch.max_redirects = 0;
  const Result<net::HttpResponse> response =
      net::Fetch(std::move(request), fetch, stop.get_token());
  if (response && response->status >= 200 && response->status < 300) {
    Note({});
    return Sent::kYes;
  }
  failures.fetch_add(1, std::memory_order_relaxed);
  Note(response ? base::StrCat("The collector answered ", response->status)
                : response.error().message);
  const bool later = response ? MayRepeat(response->status)
                              : response.error().code == Code::kUnavailable ||
                                    response.error().code == Code::kTimeout;
  return later ? Sent::kLater : Sent::kRefused;
}

void OtlpExporter::Impl::Note(std::string what) {
  const auto now = Clock::now();
  if (!what.empty() &&
      (complained == Clock::time_point{} || now - complained >= kComplaintInterval)) {
    complained = now;
    base::Log(base::Severity::kWarning, "telemetry could not be exported", {{"cause", what}});
  }
  const std::lock_guard lock(mutex);
  problem = std::move(what);
}

OtlpExporter::OtlpExporter(OtlpOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}

OtlpExporter::~OtlpExporter() { Stop(); }

const Sampler& OtlpExporter::sampler() const { return impl_->sampler; }

void OtlpExporter::Add(Span span) {
  bool notify = false;
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping || impl_->queue.size() >= impl_->options.queue) {
      impl_->dropped.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    impl_->queue.push_back(std::move(span));
    if (impl_->spans_due == Clock::time_point::max()) {
      impl_->spans_due = Clock::now() + impl_->options.delay;
      notify = true;
    }
    notify = notify || impl_->queue.size() == kBatch;
    if (!impl_->started) impl_->StartThread();
  }
  if (notify) impl_->wake.notify_one();
}

void OtlpExporter::Start(MetricsReader reader) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping || impl_->options.interval.count() == 0) return;
    impl_->reader = std::move(reader);
    impl_->metrics_due = Clock::now() + impl_->options.interval;
    if (!impl_->started) impl_->StartThread();
  }
  impl_->wake.notify_one();
}

OtlpExporter::Counts OtlpExporter::counts() const {
  const std::lock_guard lock(impl_->mutex);
  return {.exported = impl_->exported.load(std::memory_order_relaxed),
          .dropped = impl_->dropped.load(std::memory_order_relaxed),
          .failures = impl_->failures.load(std::memory_order_relaxed),
          .waiting = impl_->queue.size() + impl_->batch.size(),
          .problem = impl_->problem};
}

void OtlpExporter::Stop() {
  {
    std::unique_lock lock(impl_->mutex);
    impl_->stopping = true;
    impl_->wake.notify_one();
    if (impl_->started) impl_->ended.wait_for(lock, kLastWords, [this] { return impl_->done; });
  }
  impl_->stop.request_stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace toolpost::telemetry
