// The queue between callers and the writer of the audit log.
#include "telemetry/audit_log.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "base/crypto.h"
#include "base/log.h"
#include "base/quiet_thread.h"
#include "base/strings.h"
#include "telemetry/audit_key.h"
#include "telemetry/audit_line.h"
#include "telemetry/audit_writer.h"

namespace toolpost::telemetry {
namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::size_t kEarlyBytes = 256 << 10;  // written without waiting for the interval
constexpr std::size_t kMaxQueue = 8 << 20;
constexpr std::size_t kKeptRoom = 512 << 10;  // more is given back after a burst
constexpr std::chrono::minutes kComplaintInterval{1};
constexpr std::size_t kDigestBytes = 16;

}  // namespace

struct AuditLog::Impl {
  explicit Impl(AuditOptions with) : options(std::move(with)), writer(options) {}

  void Start();
  void Run();
  void WriteBatch(std::string& bodies, std::uint64_t count);
  const std::string& ArgumentsKey();

  const AuditOptions options;
  AuditWriter writer;  // of the thread
  std::uint64_t unreported = 0;
  base::SteadyTime complained{};

  mutable std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable drained;
  std::string queue;  // bodies, each with a line feed
  std::uint64_t appended = 0;
  std::uint64_t done = 0;  // written or lost
  std::string problem;
  bool urgent = false;
  bool stopping = false;
  std::thread thread;
  std::atomic<std::uint64_t> lost{0};

  std::once_flag key_once;
  std::string arguments_key;
};

void AuditLog::Impl::Start() {
  thread = base::StartQuietThread([this] { Run(); });
  if (!thread.joinable())
    base::Log(base::Severity::kError, "the audit log has no thread yet: trying again");
}

void AuditLog::Impl::Run() {
  std::string bodies;
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [this] { return stopping || !queue.empty(); });
    if (queue.empty()) break;
    wake.wait_for(lock, kInterval, [this] { return stopping || urgent; });
    bodies.swap(queue);
    const std::uint64_t count = appended - done;
    urgent = false;
    lock.unlock();
    WriteBatch(bodies, count);
    bodies.clear();
    if (bodies.capacity() > kKeptRoom) std::string().swap(bodies);
    lock.lock();
    done += count;
    drained.notify_all();
  }
  lock.unlock();
  const auto closed = writer.Close();
  if (!closed) {
    base::Log(base::Severity::kError, "the audit log could not be closed in order",
              {{"cause", closed.error().message}});
  }
}

void AuditLog::Impl::WriteBatch(std::string& bodies, std::uint64_t count) {
  const bool admits_loss = unreported > 0;
  if (admits_loss) {
    bodies.insert(0, base::StrCat("\"time\":\"", base::ToIso8601(base::Now()),
                                  "\",\"kind\":\"lost\",\"count\":", unreported, "\n"));
  }
  std::uint64_t written = 0;
  const auto result = writer.Write(bodies, written);
  if (admits_loss && written > 0) {
    unreported = 0;
    --written;
  }
  {
    const std::lock_guard lock(mutex);
    problem = result ? std::string() : result.error().message;
  }
  if (result) return;
  const std::uint64_t missing = count - std::min(count, written);
  unreported += missing;
  lost.fetch_add(missing, std::memory_order_relaxed);
  const auto now = std::chrono::steady_clock::now();
  if (complained != base::SteadyTime{} && now - complained < kComplaintInterval) return;
  complained = now;
  base::Log(base::Severity::kError, "the audit log cannot be written: records are lost",
            {{"cause", result.error().message},
             {"lost", static_cast<std::int64_t>(lost.load(std::memory_order_relaxed))}});
}

// A log that cannot be written still gives digests; they are then of this process only.
const std::string& AuditLog::Impl::ArgumentsKey() {
  std::call_once(key_once, [this] {
    auto keys = LoadOrMakeAuditKeys(options.directory);
    arguments_key = keys ? std::move(keys->arguments) : base::RandomBytes(32);
  });
  return arguments_key;
}

AuditLog::AuditLog(AuditOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

AuditLog::~AuditLog() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_all();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void AuditLog::Append(const AuditRecord& record) {
  thread_local std::string body;
  body.clear();
  AppendRecordBody(body, record, base::Now());
  body.push_back('\n');
  bool notify = false;
  {
    std::unique_lock lock(impl_->mutex);
    impl_->drained.wait(lock, [&] {
      return impl_->queue.empty() || impl_->queue.size() + body.size() <= kMaxQueue;
    });
    notify = impl_->queue.empty();
    impl_->queue.append(body);
    ++impl_->appended;
    if (!impl_->urgent && impl_->queue.size() >= kEarlyBytes) impl_->urgent = notify = true;
    if (!impl_->thread.joinable()) impl_->Start();
  }
  if (notify) impl_->wake.notify_one();
}

void AuditLog::Flush() {
  std::unique_lock lock(impl_->mutex);
  const std::uint64_t target = impl_->appended;
  if (impl_->done >= target || !impl_->thread.joinable()) return;
  impl_->urgent = true;
  impl_->wake.notify_one();
  impl_->drained.wait(lock, [&] { return impl_->done >= target; });
}

std::string AuditLog::ArgumentDigest(std::string_view arguments) {
  const base::Sha256Digest digest = base::HmacSha256(impl_->ArgumentsKey(), arguments);
  return base::ToHex({reinterpret_cast<const char*>(digest.data()), kDigestBytes});
}

std::string AuditLog::problem() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->problem;
}

std::uint64_t AuditLog::lost() const { return impl_->lost.load(std::memory_order_relaxed); }

}  // namespace toolpost::telemetry
