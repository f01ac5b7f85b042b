// One HTTP/1.x connection: the output side.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "net/connection.h"

namespace toolpost::net {
namespace {

namespace asio = boost::asio;

// Below it a body is copied behind its head; from it on both are gathered by the kernel.
constexpr std::size_t kGatherFrom = 4096;
constexpr std::size_t kKeptOutput = std::size_t{64} * 1024;
// Of a long message, between which other connections have their turn.
constexpr std::size_t kPiece = std::size_t{64} * 1024;

std::string ChunkStart(std::uint64_t size) {
  char digits[16];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, size, 16).ptr)
      .append("\r\n");
}

}  // namespace

bool Connection::Owes(std::uint64_t number, Phase phase) const {
  return phase_ == phase && number_.load(std::memory_order_relaxed) == number;
}

std::size_t Connection::Backlog(std::uint64_t number) const {
  if (number_.load(std::memory_order_relaxed) != number) return 0;
  return backlog_.load(std::memory_order_relaxed);
}

void Connection::Observe(int status) const {
  if (!context_.options.on_reply) return;
  context_.options.on_reply(
      parser_.header_done() ? SplitTarget(parser_.target()).path : std::string_view(), status);
}

void Connection::BeginHead(int status, std::string_view content_type, std::string_view headers,
                           Framing framing, std::size_t length) {
  Observe(status);
  ResponseHead head;
  head.status = status;
  head.content_type = content_type;
  head.headers = headers;
  head.date = loop_->date();
  head.framing = framing;
  head.length = length;
  head.close = close_after_;
  head.keep_alive = !close_after_ && !parser_.http11();
  std::string& out = writing_ ? queued_ : output_;
  std::size_t before = out.size();
  AppendHead(out, head);
  AddBacklog(out.size() - before);
}

void Connection::Send(std::uint64_t number, int status, std::string_view content_type,
                      std::string body, std::string_view headers) {
  if (!Owes(number, Phase::kHandling)) return;
  phase_ = Phase::kFlushing;
  deadline_ = loop_->DeadlineIn(context_.options.idle_timeout);
  BeginHead(status, content_type, headers, Framing::kLength, body.size());
  if (!omit_body_ && !StatusHasNoBody(status)) {
    if (body.size() < kGatherFrom || writing_) {
      Queue(body);
    } else {
      body_ = std::move(body);
      AddBacklog(body_.size());
    }
  }
  Flush();
}

void Connection::SendLong(std::uint64_t number, int status, std::string_view content_type,
                          base::LongMessage body, std::string_view headers) {
  if (!Owes(number, Phase::kHandling)) return;
  phase_ = Phase::kFlushing;
  deadline_ = loop_->DeadlineIn(context_.options.idle_timeout);
  BeginHead(status, content_type, headers, Framing::kLength, body.size());
  if (!omit_body_ && !StatusHasNoBody(status)) QueueLong(std::move(body));
  Flush();
}

void Connection::StartStream(std::uint64_t number, int status, std::string_view content_type,
                             std::string_view headers) {
  if (!Owes(number, Phase::kHandling)) return;
  phase_ = Phase::kStreaming;
  framing_ = Framing::kChunked;
  if (!parser_.http11()) {
    framing_ = Framing::kUntilClose;
    close_after_ = true;
  }
  omit_body_ = omit_body_ || StatusHasNoBody(status);
  BeginHead(status, content_type, headers, framing_, 0);
  if (end_of_input_) return Close();
  Flush();
}

void Connection::Write(std::uint64_t number, std::string_view data) {
  if (!Owes(number, Phase::kStreaming) || omit_body_ || data.empty()) return;
  if (framing_ == Framing::kChunked) {
    QueueChunk(data);
  } else {
    Queue(data);
  }
  Flush();
  if (phase_ == Phase::kStreaming && Backlog(number) > context_.options.max_backlog_bytes) Close();
}

void Connection::WriteLong(std::uint64_t number, base::LongMessage data) {
  if (!Owes(number, Phase::kStreaming) || omit_body_) return;
  if (framing_ == Framing::kChunked) {
    data.head.insert(0, ChunkStart(data.size()));
    data.tail.append("\r\n");
  }
  QueueLong(std::move(data));
  Flush();
}

void Connection::End(std::uint64_t number) {
  if (!Owes(number, Phase::kStreaming)) return;
  phase_ = Phase::kFlushing;
  deadline_ = loop_->DeadlineIn(context_.options.idle_timeout);
  if (framing_ == Framing::kChunked && !omit_body_) Queue("0\r\n\r\n");
  Flush();
}

void Connection::OnClose(std::uint64_t number, std::function<void()> callback) {
  if (number_.load(std::memory_order_relaxed) != number) return;
  if (aborted_) {
    loop_->Post(std::move(callback));
  } else if (phase_ != Phase::kClosed) {
    on_close_ = std::move(callback);
  }
}

void Connection::Abandon(std::uint64_t number) {
  if (Owes(number, Phase::kStreaming)) return Close();
  Send(number, 500, "text/plain", "The request was not answered\n", {});
}

void Connection::Queue(std::string_view bytes) {
  if (long_) {
    long_->tail.append(bytes);
    return;
  }
  (writing_ ? queued_ : output_).append(bytes);
  AddBacklog(bytes.size());
}

void Connection::QueueChunk(std::string_view data) {
  Queue(ChunkStart(data.size()));
  Queue(data);
  Queue("\r\n");
}

void Connection::QueueLong(base::LongMessage message) {
  if (long_) {  // two on one stream: rare enough
    const Result<std::string> whole = message.Whole();
    return whole ? Queue(*whole) : Close();
  }
  Queue(std::exchange(message.head, {}));
  long_ = std::move(message);
  long_loaded_ = 0;
}

void Connection::LoadPiece() {
  body_.resize(
      static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, long_->size() - long_loaded_)));
  const bool read = long_->Read(long_loaded_, body_);
  if (body_.empty() || !read) {
    std::string().swap(body_);
    long_.reset();
    if (!read) Close();
    return;
  }
  long_loaded_ += body_.size();
  AddBacklog(body_.size());
}

void Connection::Flush() {
  if (writing_ || phase_ == Phase::kClosed) return;
  while (sent_ < output_.size() + body_.size()) {
    std::size_t head_sent = std::min(sent_, output_.size());
    std::array<asio::const_buffer, 2> buffers{
        asio::buffer(output_.data() + head_sent, output_.size() - head_sent),
        asio::buffer(body_.data() + (sent_ - head_sent), body_.size() - (sent_ - head_sent))};
    ErrorCode ec = asio::error::would_block;
    std::size_t size = 0;
    if (!long_)
      size = body_.empty() ? stream_.write_some(buffers[0], ec) : stream_.write_some(buffers, ec);
    if (ec == asio::error::would_block) {
      writing_ = true;
      stream_.async_write_some(buffers,
                               [self = shared_from_this()](ErrorCode failure, std::size_t taken) {
                                 self->OnWritten(failure, taken);
                               });
      return;
    }
    if (ec) return Close();
    Taken(size);
    if (phase_ == Phase::kClosed) return;
  }
  OnFlushed();
}

void Connection::OnWritten(ErrorCode ec, std::size_t size) {
  writing_ = false;
  if (phase_ == Phase::kClosed) return;
  if (ec) return Close();
  Taken(size);
  if (phase_ == Phase::kFlushing) deadline_ = loop_->DeadlineIn(context_.options.idle_timeout);
  Flush();
}

void Connection::Taken(std::size_t size) {
  sent_ += size;
  SubtractBacklog(size);
  if (sent_ < output_.size() + body_.size()) return;
  sent_ = 0;
  output_.clear();
  if (output_.capacity() > kKeptOutput) std::string().swap(output_);
  std::swap(output_, queued_);
  if (long_ && output_.empty()) return LoadPiece();
  std::string().swap(body_);
}

void Connection::OnFlushed() {
  if (phase_ != Phase::kFlushing) return;
  number_.fetch_add(1, std::memory_order_relaxed);
  on_close_ = nullptr;
  if (close_after_) return Linger();
  phase_ = Phase::kReading;
  deadline_ = loop_->DeadlineIn(context_.options.idle_timeout);
  if (dispatching_) return;  // Dispatch goes on
  parser_.Reset();
  // The next request's handler must not run inside the call that completed this reply.
  if (input_.empty() && !end_of_input_) {
    Read();
  } else {
    loop_->Post([self = shared_from_this()] { self->Advance(); });
  }
}

}  // namespace toolpost::net
