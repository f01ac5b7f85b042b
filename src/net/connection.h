// One HTTP/1.x connection: reads requests, calls the handler, writes replies in order.
//
// Everything runs on the loop's thread except where said. A reply is addressed by the number of its
// request, so a call that comes too late changes nothing. The next request is parsed only when the
// reply before it is complete; meanwhile reading goes on, within a bound, to notice that the peer
// has gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_server.h"
#include "net/loop.h"
#include "net/read_buffer.h"
#include "net/request_parser.h"
#include "net/response_head.h"
#include "net/stream.h"

namespace toolpost::net {

class Connection final : public Peer, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Loop> loop, Stream stream, std::string remote_address);

  void Start();
  // Answers 503 without reading a request (with TLS: after the handshake).
  void RefuseBusy();

  // The reply to request `number`.
  void Send(std::uint64_t number, int status, std::string_view content_type, std::string body,
            std::string_view headers);
  void SendLong(std::uint64_t number, int status, std::string_view content_type,
                base::LongMessage body, std::string_view headers);
  void StartStream(std::uint64_t number, int status, std::string_view content_type,
                   std::string_view headers);
  void Write(std::uint64_t number, std::string_view data);
  void WriteLong(std::uint64_t number, base::LongMessage data);
  void End(std::uint64_t number);
  // `callback` runs from the loop, never inside this call.
  void OnClose(std::uint64_t number, std::function<void()> callback);
  // The exchange was dropped: 500 if nothing was sent, else the stream is cut off.
  void Abandon(std::uint64_t number);
  // Gives socket and unread input to a WebSocket. Only inside the handler's call for that request.
  bool Upgrade(std::uint64_t number, const Request& request, std::string_view subprotocol,
               WebSocketEvents events, std::size_t max_message_bytes);

  // Any thread.
  Loop& loop() { return *loop_; }
  std::size_t Backlog(std::uint64_t number) const;
  void AddBacklog(std::size_t bytes) { backlog_.fetch_add(bytes, std::memory_order_relaxed); }
  void SubtractBacklog(std::size_t bytes) { backlog_.fetch_sub(bytes, std::memory_order_relaxed); }

  void OnDeadline() override;
  void OnDrain() override;
  void Kill() override { Close(); }

 private:
  enum class Phase {
    kReading,    // waiting for a request, or in the middle of one
    kHandling,   // the handler owes a reply
    kStreaming,  // a stream is open
    kFlushing,   // the reply is complete but not all of it is in the kernel
    kLingering,  // our side is shut down; input is thrown away so that the peer can read our last
                 // reply
    kClosed,
  };

  // TLS first, then `next`.
  void Handshake(void (Connection::*next)());
  void AnswerBusy();
  void Read();
  void StartRead();
  void OnRead(ErrorCode ec, std::size_t size);
  void OnEndOfInput(ErrorCode ec);
  void Advance();
  void AwaitInput();
  bool AnswerExpect();
  void Dispatch();
  void Refuse(RequestParser::Outcome outcome);
  void RefuseWith(int status, std::string_view content_type, std::string_view body,
                  std::string_view headers = {});

  void Observe(int status) const;
  bool Owes(std::uint64_t number, Phase phase) const;
  void BeginHead(int status, std::string_view content_type, std::string_view headers,
                 Framing framing, std::size_t length);
  void Queue(std::string_view bytes);
  void QueueChunk(std::string_view data);
  void QueueLong(base::LongMessage message);
  // Makes the next piece of long_ the body. Ends the connection if it cannot be read.
  void LoadPiece();
  void Flush();
  void OnWritten(ErrorCode ec, std::size_t size);
  void Taken(std::size_t size);
  void OnFlushed();
  void Linger();
  void Close();

  std::shared_ptr<Loop> loop_;
  ServerContext& context_;
  Stream stream_;
  std::string remote_address_;
  RequestParser parser_;
  ReadBuffer input_;

  Phase phase_ = Phase::kReading;
  bool reading_ = false;      // an asynchronous read is under way
  bool writing_ = false;      // an asynchronous write is under way: output_ and body_ must not move
  bool dispatching_ = false;  // inside the handler's call
  bool end_of_input_ = false;
  bool close_after_ = false;  // after the current reply
  bool aborted_ = false;      // closed while a reply was owed
  bool continued_ = false;    // 100 Continue was sent for the current request
  bool omit_body_ = false;
  Framing framing_ = Framing::kLength;

  std::string output_;    // being written
  std::string body_;      // a large body, written after output_
  std::size_t sent_ = 0;  // of output_ and body_ together
  std::string queued_;    // stream data that waits for writing_
  // Follows queued_, piece by piece as body_; what is queued meanwhile lengthens its tail.
  std::optional<base::LongMessage> long_;
  std::uint64_t long_loaded_ = 0;
  std::function<void()> on_close_;
  std::atomic<std::uint64_t> number_{
      1};  // of the current request; written by the loop's thread only
  std::atomic<std::size_t> backlog_{0};  // stream bytes not yet in the kernel
};

}  // namespace toolpost::net
