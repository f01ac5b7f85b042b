// The shared log buffer and the thread that writes it.
#include "base/log.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <span>
#include <thread>

#include "base/clock.h"
#include "base/log_line.h"
#include "base/quiet_thread.h"

namespace toolpost::base {
namespace {

constexpr std::chrono::milliseconds kInterval{50};
constexpr std::size_t kWriteSize = std::size_t{64} * 1024;
constexpr std::size_t kMaxBuffered = std::size_t{4} * 1024 * 1024;
// A pipe that polls writable takes this much without blocking (PIPE_BUF).
constexpr std::size_t kChunk = 4096;
constexpr int kFlushPatienceMs = 1000;
constexpr int kForever = -1;

std::atomic<Severity> minimum_severity{Severity::kInfo};

class LogBuffer {
 public:
  LogBuffer() { buffer_.reserve(kWriteSize); }

  void SetFormat(LogFormat format);
  void SetDescriptor(int fd);
  void Append(Severity severity, std::string_view message, std::span<const LogField> fields);
  // Writes what is buffered, waiting at most `patience_ms` whenever the reader is slow.
  void Drain(int patience_ms);

 private:
  void ResolveFormat();
  void AppendLine(Severity severity, std::string_view message, std::span<const LogField> fields);
  void StartThread();
  void Run();
  void WriteAll(std::string_view data, int patience_ms);

  std::mutex mutex_;  // guards all below; never held across I/O
  std::condition_variable wake_;
  std::condition_variable drained_;
  bool draining_ = false;  // one thread at a time writes, so that pieces stay in order
  std::string writing_;    // belongs to the thread that drains
  std::string buffer_;
  std::int64_t dropped_ = 0;
  bool urgent_ = false;
  bool started_ = false;
  LogFormat format_ = LogFormat::kAuto;
  bool json_ = !isatty(STDERR_FILENO);
  std::chrono::milliseconds time_text_of_{-1};
  std::string time_text_;

  std::atomic<int> fd_{STDERR_FILENO};
};

// Never destroyed: threads may log until the very end.
LogBuffer& Buffer() {
  static auto* const kBuffer = [] {
    auto* const created = new LogBuffer;
    std::atexit(FlushLog);
    return created;
  }();
  return *kBuffer;
}

void LogBuffer::SetFormat(LogFormat format) {
  std::lock_guard lock(mutex_);
  format_ = format;
  ResolveFormat();
}

void LogBuffer::SetDescriptor(int fd) {
  std::lock_guard lock(mutex_);
  fd_ = fd;
  ResolveFormat();
}

void LogBuffer::ResolveFormat() {
  json_ = format_ == LogFormat::kJson || (format_ == LogFormat::kAuto && !isatty(fd_));
}

void LogBuffer::AppendLine(Severity severity, std::string_view message,
                           std::span<const LogField> fields) {
  const WallTime now = Now();
  const auto time = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch());
  if (time != time_text_of_) {
    time_text_ = ToIso8601(now);
    time_text_of_ = time;
  }
  (json_ ? AppendJsonLine : AppendTextLine)(buffer_, time_text_, severity, message, fields);
}

void LogBuffer::Append(Severity severity, std::string_view message,
                       std::span<const LogField> fields) {
  bool notify = false;
  {
    std::lock_guard lock(mutex_);
    if (buffer_.size() >= kMaxBuffered) {
      ++dropped_;
      return;
    }
    notify = buffer_.empty();
    AppendLine(severity, message, fields);
    if (!urgent_ && (severity == Severity::kError || buffer_.size() >= kWriteSize)) {
      urgent_ = notify = true;
    }
    if (!started_) StartThread();
  }
  if (notify) wake_.notify_one();
}

// If there is none, the next line tries again; what is buffered is written at exit.
void LogBuffer::StartThread() {
  std::thread thread = StartQuietThread([this] { Run(); });
  started_ = thread.joinable();
  if (started_) thread.detach();
}

void LogBuffer::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return !buffer_.empty(); });
    wake_.wait_for(lock, kInterval, [this] { return urgent_; });
    lock.unlock();
    Drain(kForever);
    lock.lock();
  }
}

void LogBuffer::Drain(int patience_ms) {
  std::unique_lock lock(mutex_);
  const auto free_to_drain = [this] { return !draining_; };
  if (patience_ms == kForever) {
    drained_.wait(lock, free_to_drain);
  } else if (!drained_.wait_for(lock, std::chrono::milliseconds(patience_ms), free_to_drain)) {
    return;
  }
  if (dropped_ > 0) {
    const LogField count{"count", dropped_};
    AppendLine(Severity::kWarning, "log lines dropped: standard error is not read", {&count, 1});
    dropped_ = 0;
  }
  draining_ = true;
  urgent_ = false;
  writing_.swap(buffer_);
  lock.unlock();
  WriteAll(writing_, patience_ms);
  writing_.clear();
  if (writing_.capacity() > 4 * kWriteSize) writing_ = {};
  lock.lock();
  draining_ = false;
  drained_.notify_all();
}

void LogBuffer::WriteAll(std::string_view data, int patience_ms) {
  while (!data.empty()) {
    pollfd waiting{fd_, POLLOUT, 0};
    const int ready = poll(&waiting, 1, patience_ms);
    if (ready == 0) return;
    if (ready < 0 && errno != EINTR) return;
    if (ready < 0) continue;
    const ssize_t written = write(waiting.fd, data.data(), std::min(data.size(), kChunk));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written > 0) data.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void ConfigureLog(Severity minimum, LogFormat format) {
  minimum_severity.store(minimum, std::memory_order_relaxed);
  Buffer().SetFormat(format);
}

bool LogEnabled(Severity severity) {
  return severity != Severity::kOff && severity >= minimum_severity.load(std::memory_order_relaxed);
}

void Log(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
  if (LogEnabled(severity)) Buffer().Append(severity, message, {fields.begin(), fields.size()});
}

void FlushLog() { Buffer().Drain(kFlushPatienceMs); }

void SetLogDescriptorForTest(int fd) { Buffer().SetDescriptor(fd); }

}  // namespace toolpost::base
