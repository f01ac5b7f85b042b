// Line framing with as few system calls as possible.
#include "transport/stdio.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace toolpost::transport {
namespace {

constexpr std::size_t kReadSize = std::size_t{64} * 1024;
constexpr int kPipeSize = 1024 * 1024;  // what a user may ask for
constexpr std::size_t kFlushSize = std::size_t{256} * 1024;

// False when the peer is gone.
bool WriteAll(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = ::write(fd, data.data(), data.size());
    if (written > 0) {
      data.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

StdioTransport::StdioTransport(int in, int out, std::size_t max_message_bytes)
    : in_(in), out_(out), max_message_bytes_(max_message_bytes) {}

StdioTransport::Line StdioTransport::NextLine(std::string& line) {
  for (;;) {
    const std::string_view input(input_.data(), end_);
    const std::size_t newline = input.find('\n', scanned_);
    if (newline == std::string_view::npos) {
      scanned_ = end_;
      if (end_ - begin_ > max_message_bytes_) {
        skipping_ = true;
        begin_ = end_;
      }
      if (!at_end_ || begin_ == end_) return Line::kNone;
    }
    const std::size_t stop = newline == std::string_view::npos ? end_ : newline;
    std::string_view text = input.substr(begin_, stop - begin_);
    begin_ = scanned_ = std::min(stop + 1, end_);
    if (std::exchange(skipping_, false) || text.size() > max_message_bytes_) return Line::kTooLong;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) continue;
    line.assign(text);
    return Line::kWhole;
  }
}

bool StdioTransport::Fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::copy(input_.begin() + static_cast<std::ptrdiff_t>(begin_),
              input_.begin() + static_cast<std::ptrdiff_t>(end_), input_.begin());
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (input_.size() - end_ < kReadSize) input_.resize(end_ + kReadSize);
  ssize_t got = 0;
  do {
    got = ::read(in_, input_.data() + end_, input_.size() - end_);
  } while (got < 0 && errno == EINTR);
  if (got > 0) {
    end_ += static_cast<std::size_t>(got);
  } else {
    at_end_ = true;
  }
  return true;
}

Result<std::string> StdioTransport::Read() {
  reader_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  std::string line;
  for (;;) {
    switch (NextLine(line)) {
      case Line::kWhole:
        return line;
      case Line::kTooLong:
        return Error{
            Code::kTooLarge, "The message is larger than the limit (limits.message_bytes)", {}};
      case Line::kNone:
        break;
    }
    Flush();
    if (closed_ || !Fill()) return Error::Unavailable("End of input");
  }
}

void StdioTransport::Write(std::string_view message) {
  if (message.size() > kFlushSize && WriteInPlace(message)) return;
  bool flush = false;
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    output_.append(message).push_back('\n');
    flush = reader_.load(std::memory_order_relaxed) != std::this_thread::get_id() ||
            output_.size() > kFlushSize;
  }
  if (flush) Flush();
}

bool StdioTransport::WriteInPlace(std::string_view message) {
  std::unique_lock lock(mutex_);
  if (writing_) return false;
  if (closed_) return true;
  writing_ = true;
  std::string before;
  before.swap(output_);
  lock.unlock();
  // Fewer turns between us and the reader; nothing happens if it is no pipe.
  if (!widened_) (void)fcntl(out_, F_SETPIPE_SZ, kPipeSize);
  widened_ = true;
  const bool alive = WriteAll(out_, before) && WriteAll(out_, message) && WriteAll(out_, "\n");
  lock.lock();
  if (!alive) closed_ = true;
  writing_ = false;
  const bool more = !output_.empty();
  lock.unlock();
  if (more) Flush();
  return true;
}

// One thread writes; what others add meanwhile is written by it too.
void StdioTransport::Flush() {
  std::unique_lock lock(mutex_);
  if (writing_) return;
  writing_ = true;
  std::string batch;
  while (!output_.empty() && !closed_) {
    batch.clear();
    batch.swap(output_);
    lock.unlock();
    const bool alive = WriteAll(out_, batch);
    lock.lock();
    if (!alive) closed_ = true;
  }
  if (output_.empty()) output_.swap(batch);
  output_.clear();
  writing_ = false;
}

void StdioTransport::Close() {
  Flush();
  closed_ = true;
}

Transport::HealthState StdioTransport::Health() const {
  if (closed_) return {false, "closed"};
  return at_end_ ? HealthState{false, "end of input"} : HealthState{true, "reading standard input"};
}

}  // namespace toolpost::transport
