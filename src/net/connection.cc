// One HTTP/1.x connection: the input side. The output side is connection_output.cc.
#include "net/connection.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "net/exchange.h"
#include "net/websocket.h"

namespace toolpost::net {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMinRead = 2048;
constexpr std::size_t kBodyRead = std::size_t{64} * 1024;
// How much of later requests is read while a reply is pending. Past it the peer must wait.
constexpr std::size_t kMaxReadAhead = std::size_t{64} * 1024;
constexpr std::chrono::seconds kLingerTime{2};

}  // namespace

Connection::Connection(std::shared_ptr<Loop> loop, Stream stream, std::string remote_address)
    : loop_(std::move(loop)),
      context_(loop_->context()),
      stream_(std::move(stream)),
      remote_address_(std::move(remote_address)),
      parser_(context_.options.max_header_bytes, context_.options.max_body_bytes) {}

void Connection::Start() {
  deadline_ = loop_->DeadlineIn(context_.options.header_timeout);
  if (stream_.secure()) return Handshake(&Connection::Read);
  Read();
}

void Connection::Handshake(void (Connection::*next)()) {
  stream_.Handshake([self = shared_from_this(), next](ErrorCode ec) {
    if (self->phase_ == Phase::kClosed) return;
    if (ec) {  // plain HTTP, too old a version, a scanner, gone: nobody to explain it to
      base::Log(base::Severity::kDebug, "TLS handshake failed", {{"reason", ec.message()}});
      return self->Close();
    }
    self->deadline_ = self->loop_->DeadlineIn(self->context_.options.header_timeout);
    (self.get()->*next)();
  });
}

void Connection::RefuseBusy() {
  if (!stream_.secure()) return AnswerBusy();
  deadline_ = loop_->DeadlineIn(kLingerTime);
  Handshake(&Connection::AnswerBusy);
}

void Connection::AnswerBusy() {
  RefuseWith(503, "text/plain", "Too many connections: try again shortly\n", "Retry-After: 1\r\n");
}

void Connection::Read() {
  if (reading_ || end_of_input_ || phase_ == Phase::kClosed) return;
  if (phase_ == Phase::kLingering) {
    input_.Consume(input_.size());
  } else if (phase_ != Phase::kReading && input_.size() >= kMaxReadAhead) {
    return;
  }
  bool in_body = phase_ == Phase::kReading && parser_.body_started();
  input_.Prepare(in_body ? kBodyRead : kMinRead);
  reading_ = true;
  // Behind the other connections that are ready: by then the next request is often there, and the
  // system is not asked in vain.
  asio::post(stream_.get_executor(), [self = shared_from_this()] { self->StartRead(); });
}

void Connection::StartRead() {
  if (phase_ == Phase::kClosed) {
    reading_ = false;
    return;
  }
  stream_.async_read_some(
      asio::buffer(input_.space(), input_.room()),
      [self = shared_from_this()](ErrorCode ec, std::size_t size) { self->OnRead(ec, size); });
}

void Connection::OnRead(ErrorCode ec, std::size_t size) {
  reading_ = false;
  if (phase_ == Phase::kClosed) return;
  if (ec) return OnEndOfInput(ec);
  input_.Commit(size);
  if (phase_ == Phase::kReading) {
    Advance();
  } else {
    Read();
  }
}

void Connection::OnEndOfInput(ErrorCode ec) {
  end_of_input_ = true;
  // A client may shut down its sending side and still wait for the reply; with a stream there is no
  // telling it from leaving.
  if (ec == asio::error::eof && phase_ == Phase::kReading)
    return Advance();  // what is buffered still counts
  bool owed = phase_ == Phase::kHandling || phase_ == Phase::kFlushing;
  if (ec != asio::error::eof || !owed) Close();
}

void Connection::Advance() {
  while (phase_ == Phase::kReading) {
    bool fresh = !parser_.started();
    std::size_t consumed = 0;
    auto outcome = parser_.Feed(input_.view(), consumed);
    input_.Consume(consumed);
    if (outcome == RequestParser::Outcome::kComplete) {
      Dispatch();
    } else if (outcome != RequestParser::Outcome::kNeedMore) {
      return Refuse(outcome);
    } else {
      if (fresh && parser_.started()) {
        deadline_ = loop_->DeadlineIn(context_.options.header_timeout);
      }
      return AwaitInput();
    }
  }
  Read();
}

void Connection::AwaitInput() {
  if (end_of_input_) return Close();
  if (parser_.header_done() && !continued_) {
    continued_ = true;
    deadline_ = loop_->DeadlineIn(context_.options.body_timeout);
    if (!AnswerExpect()) return;
  }
  if (!parser_.started()) {
    if (loop_->draining()) return Close();
    if (!reading_) input_.Shrink();
  }
  Read();
}

bool Connection::AnswerExpect() {
  std::string_view expect = parser_.expect();
  if (expect.data() == nullptr || !parser_.http11()) return true;
  if (!base::EqualIgnoringCase(expect, "100-continue")) {
    RefuseWith(417, "text/plain", "Expect: only 100-continue is understood\n");
    return false;
  }
  if (parser_.body_started()) return true;
  Queue("HTTP/1.1 100 Continue\r\n\r\n");
  Flush();
  return phase_ == Phase::kReading;
}

void Connection::Dispatch() {
  std::uint64_t number = number_.load(std::memory_order_relaxed);
  Request request;
  request.method = parser_.method();
  request.target = parser_.target();
  TargetParts parts = SplitTarget(request.target);
  request.path = parts.path;
  request.query = parts.query;
  request.headers = &parser_.headers();
  request.body = parser_.body();
  request.remote_address = remote_address_;
  request.secure = stream_.secure();
  request.upgrade = parser_.websocket_upgrade();

  phase_ = Phase::kHandling;
  deadline_ = 0;
  continued_ = false;
  close_after_ = !parser_.keep_alive() || loop_->draining();
  omit_body_ = request.method == "HEAD";
  dispatching_ = true;
  try {
    context_.handler(request, std::make_shared<ConnectionExchange>(shared_from_this(), number));
  } catch (const std::exception& failure) {  // the exchange, dropped on the way, has answered 500
    base::Log(base::Severity::kError, "request handler failed", {{"reason", failure.what()}});
  }
  dispatching_ = false;
  if (phase_ == Phase::kReading) parser_.Reset();
}

void Connection::Refuse(RequestParser::Outcome outcome) {
  using Outcome = RequestParser::Outcome;
  switch (outcome) {
    case Outcome::kHeaderTooLarge:
      return RefuseWith(431, "text/plain", "The request headers are too large\n");
    case Outcome::kBodyTooLarge:
      return RefuseWith(413, "application/json", context_.options.too_large_body);
    case Outcome::kUnimplemented:
      return RefuseWith(501, "text/plain", "Transfer-Encoding: only chunked is understood\n");
    default:
      return RefuseWith(400, "text/plain", "Malformed HTTP request\n");
  }
}

void Connection::RefuseWith(int status, std::string_view content_type, std::string_view body,
                            std::string_view headers) {
  phase_ = Phase::kFlushing;
  close_after_ = true;
  deadline_ = loop_->DeadlineIn(kLingerTime);
  BeginHead(status, content_type, headers, Framing::kLength, body.size());
  Queue(body);
  Flush();
}

void Connection::Linger() {
  if (end_of_input_) return Close();
  stream_.ShutdownSend(shared_from_this());
  phase_ = Phase::kLingering;
  deadline_ = loop_->DeadlineIn(kLingerTime);
  Read();
}

void Connection::Close() {
  if (phase_ == Phase::kClosed) return;
  aborted_ =
      phase_ == Phase::kHandling || phase_ == Phase::kStreaming || phase_ == Phase::kFlushing;
  phase_ = Phase::kClosed;
  stream_.Close();
  SubtractBacklog(output_.size() + body_.size() + queued_.size() - sent_);
  long_.reset();
  if (on_close_) loop_->Post(std::exchange(on_close_, nullptr));
  auto self = shared_from_this();
  loop_->Remove(*this);
}

void Connection::OnDeadline() {
  bool partial = phase_ == Phase::kReading && parser_.started();
  if (!partial) return Close();
  RefuseWith(408, "text/plain", "The request did not arrive in time\n");
}

void Connection::OnDrain() {
  close_after_ = true;
  if (phase_ == Phase::kReading && !parser_.started() && input_.empty()) Close();
}

bool Connection::Upgrade(std::uint64_t number, const Request& request, std::string_view subprotocol,
                         WebSocketEvents events, std::size_t max_message_bytes) {
  if (!loop_->OnThisThread() || !dispatching_ || !Owes(number, Phase::kHandling)) return false;
  Observe(101);
  phase_ = Phase::kClosed;
  number_.fetch_add(1, std::memory_order_relaxed);
  auto self = shared_from_this();
  loop_->Remove(*this);
  OpenWebSocket({loop_, std::move(stream_), std::string(input_.view()), std::string(subprotocol),
                 std::move(events), max_message_bytes},
                request);
  return true;
}

}  // namespace toolpost::net
