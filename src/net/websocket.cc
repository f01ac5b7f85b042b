// WebSocket sessions over Beast.
#include "net/websocket.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <utility>

#include "base/strings.h"
#include "net/exchange.h"

namespace toolpost::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace ws = boost::beast::websocket;

// A stream in front of which some input has been read already.
class PrefixedStream {
 public:
  using next_layer_type = Socket;
  using executor_type = Stream::executor_type;

  PrefixedStream(Stream stream, std::string unread)
      : stream_(std::move(stream)), unread_(std::move(unread)) {}

  executor_type get_executor() { return stream_.get_executor(); }
  // The bottom, which Beast closes when time is up.
  Socket& next_layer() { return stream_.socket(); }
  const Socket& next_layer() const { return stream_.socket(); }
  Stream& stream() { return stream_; }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (unread_.empty()) {
      stream_.async_read_some(buffers, std::forward<Handler>(handler));
      return;
    }
    std::size_t size = asio::buffer_copy(buffers, asio::buffer(unread_));
    unread_.erase(0, size);
    asio::post(get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), ErrorCode(), size));
  }

  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    stream_.async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  Stream stream_;
  std::string unread_;
};

template <typename Handler>
void async_teardown(beast::role_type role, PrefixedStream& stream, Handler&& handler) {
  if (stream.stream().secure()) {
    stream.stream().AsyncTlsShutdown(std::forward<Handler>(handler));
  } else {
    ws::async_teardown(role, stream.next_layer(), std::forward<Handler>(handler));
  }
}

bool Offers(const Request& request, std::string_view subprotocol) {
  for (const Header& header : *request.headers) {
    if (!base::EqualIgnoringCase(header.name, "Sec-WebSocket-Protocol")) continue;
    for (std::string_view offer : base::Split(header.value, ',')) {
      if (base::Trim(offer) == subprotocol) return true;
    }
  }
  return false;
}

class Session final : public Peer, public std::enable_shared_from_this<Session> {
 public:
  explicit Session(WebSocketSeed seed)
      : loop_(std::move(seed.loop)),
        events_(std::move(seed.events)),
        stream_(std::move(seed.stream), std::move(seed.unread)),
        subprotocol_(std::move(seed.subprotocol)) {
    const ServerOptions& options = loop_->context().options;
    stream_.read_message_max(seed.max_message_bytes);
    stream_.set_option(
        ws::stream_base::timeout{options.header_timeout, options.idle_timeout, true});
  }

  Loop& loop() { return *loop_; }
  void Accept(const Request& request);
  void Send(std::string text);
  void Close(std::uint16_t code, std::string reason);

  void OnDeadline() override {}
  void OnDrain() override {}
  void Kill() override { Finish(); }

 private:
  void OnAccepted(ErrorCode ec);
  void Read();
  void OnRead(ErrorCode ec);
  void WriteNext();
  void OnWritten(ErrorCode ec);
  void StartClosing();
  void Finish();

  std::shared_ptr<Loop> loop_;
  WebSocketEvents events_;
  ws::stream<PrefixedStream> stream_;
  std::string subprotocol_;
  beast::flat_buffer input_;
  std::deque<std::string> outbox_;
  std::size_t outbox_bytes_ = 0;
  bool writing_ = false;
  bool open_ = false;
  bool closing_ = false;  // a close was asked for; it follows what is in the outbox
  bool finished_ = false;
  ws::close_reason reason_;
};

// What users hold: it does not keep the session alive.
class Handle final : public WebSocket {
 public:
  Handle(std::shared_ptr<Loop> loop, std::weak_ptr<Session> session)
      : loop_(std::move(loop)), session_(std::move(session)) {}

  void Send(std::string text) override {
    Run([text = std::move(text)](Session& session) mutable { session.Send(std::move(text)); });
  }
  void Close(std::uint16_t code, std::string_view reason) override {
    Run([code, reason = std::string(reason)](Session& session) mutable {
      session.Close(code, std::move(reason));
    });
  }

 private:
  template <typename Action>
  void Run(Action action) {
    if (loop_->OnThisThread()) {
      if (auto session = session_.lock()) action(*session);
      return;
    }
    loop_->Post([session_ref = session_, action = std::move(action)]() mutable {
      if (auto session = session_ref.lock()) action(*session);
    });
  }

  std::shared_ptr<Loop> loop_;
  std::weak_ptr<Session> session_;
};

void Session::Accept(const Request& request) {
  auto message = std::make_shared<http::request<http::empty_body>>();
  message->version(11);
  message->method_string(request.method);
  message->target(request.target);
  for (const Header& header : *request.headers) message->insert(header.name, header.value);
  bool echo = !subprotocol_.empty() && Offers(request, subprotocol_);
  stream_.set_option(
      ws::stream_base::decorator([echo, subprotocol = subprotocol_](ws::response_type& response) {
        response.set(http::field::server, "toolpost");  // else Beast names itself
        if (echo) response.set(http::field::sec_websocket_protocol, subprotocol);
      }));
  stream_.async_accept(
      *message, [self = shared_from_this(), message](ErrorCode ec) { self->OnAccepted(ec); });
}

void Session::OnAccepted(ErrorCode ec) {
  if (finished_) return;
  if (ec) return Finish();
  open_ = true;
  stream_.text(true);
  if (events_.on_open) events_.on_open(std::make_shared<Handle>(loop_, weak_from_this()));
  Read();
}

void Session::Read() {
  if (finished_) return;
  stream_.async_read(input_,
                     [self = shared_from_this()](ErrorCode ec, std::size_t) { self->OnRead(ec); });
}

void Session::OnRead(ErrorCode ec) {
  if (finished_) return;
  if (ec) return Finish();
  if (stream_.got_binary()) {
    input_.clear();
    Close(ws::close_code::unknown_data, "Only text messages are understood");
  } else if (!closing_ && events_.on_message) {
    auto data = input_.cdata();
    events_.on_message({static_cast<const char*>(data.data()), data.size()});
  }
  input_.clear();
  Read();
}

void Session::Send(std::string text) {
  if (finished_ || closing_) return;
  outbox_bytes_ += text.size();
  if (outbox_bytes_ > loop_->context().options.max_backlog_bytes) return Finish();
  outbox_.push_back(std::move(text));
  WriteNext();
}

void Session::Close(std::uint16_t code, std::string reason) {
  if (finished_ || closing_) return;
  closing_ = true;
  reason.resize(
      std::min<std::size_t>(reason.size(), 123));  // RFC 6455 5.5: 125 bytes with the code
  reason_ = ws::close_reason(static_cast<ws::close_code>(code), reason);
  if (!writing_) StartClosing();
}

void Session::WriteNext() {
  if (writing_ || finished_ || !open_) return;
  if (outbox_.empty()) {
    if (closing_) StartClosing();
    return;
  }
  writing_ = true;
  stream_.async_write(
      asio::buffer(outbox_.front()),
      [self = shared_from_this()](ErrorCode ec, std::size_t) { self->OnWritten(ec); });
}

void Session::OnWritten(ErrorCode ec) {
  writing_ = false;
  if (finished_) return;
  if (ec) return Finish();
  outbox_bytes_ -= outbox_.front().size();
  outbox_.pop_front();
  WriteNext();
}

void Session::StartClosing() {
  stream_.async_close(reason_, [self = shared_from_this()](ErrorCode) { self->Finish(); });
}

void Session::Finish() {
  if (std::exchange(finished_, true)) return;
  ErrorCode ec;
  beast::get_lowest_layer(stream_).close(ec);
  auto self = shared_from_this();
  if (open_ && events_.on_close) loop_->Post([self] { self->events_.on_close(); });
  loop_->Remove(*this);
}

}  // namespace

void OpenWebSocket(WebSocketSeed seed, const Request& request) {
  auto loop = seed.loop;
  auto session = std::make_shared<Session>(std::move(seed));
  loop->Add(session);
  session->Accept(request);
}

void AcceptWebSocket(const Request& request, const std::shared_ptr<Exchange>& exchange,
                     std::string_view subprotocol, WebSocketEvents events,
                     std::size_t max_message_bytes) {
  auto* upgradable = dynamic_cast<ConnectionExchange*>(exchange.get());
  if (upgradable == nullptr) return;
  upgradable->Upgrade(request, subprotocol, std::move(events), max_message_bytes);
}

}  // namespace toolpost::net
