// A raw RFC 6455 client: text frames only, masked as clients must, no extensions.
#include <thread>

#include "peer.h"
#include "socket.h"

namespace toolpost::transcripts {
namespace {

enum Opcode : unsigned { kText = 1, kClose = 8, kPing = 9, kPong = 10 };

std::string Frame(Opcode opcode, std::string_view payload) {
  std::string frame(1, static_cast<char>(0x80 | opcode));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else if (payload.size() < 65'536) {
    frame += static_cast<char>(0x80 | 126);
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size() & 0xff);
  } else {
    frame += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8)
      frame += static_cast<char>(payload.size() >> shift & 0xff);
  }
  constexpr std::string_view kMask = "\x11\x22\x33\x44";
  frame += kMask;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame += static_cast<char>(payload[i] ^ kMask[i % kMask.size()]);
  }
  return frame;
}

class WebSocketPeer : public Peer {
 public:
  explicit WebSocketPeer(std::unique_ptr<Socket> socket) : socket_(std::move(socket)) {
    reader_ = std::thread([this] { ReadFrames(); });
  }
  ~WebSocketPeer() override {
    socket_->Shutdown();
    reader_.join();
  }

  Result<void> Send(std::string_view text) override {
    if (!socket_->Write(Frame(kText, text))) return Error::Internal("the socket is closed");
    return {};
  }
  std::optional<std::string> Receive() override { return inbox_.Pop(); }
  Result<void> Close() override {
    socket_->Write(Frame(kClose, "\x03\xe8"));
    if (!inbox_.Ended()) return Error::Internal("the server did not close, or said more");
    return {};
  }

 private:
  void ReadFrames() {
    std::string message;
    for (;;) {
      const std::string head = socket_->Read(2);
      if (head.size() < 2) break;
      const unsigned opcode = static_cast<unsigned char>(head[0]) & 0x0f;
      std::size_t size = static_cast<unsigned char>(head[1]) & 0x7f;
      if (size >= 126) {
        const std::string bytes = socket_->Read(size == 126 ? 2 : 8);
        size = 0;
        for (const char byte : bytes) size = size << 8 | static_cast<unsigned char>(byte);
      }
      const std::string payload = socket_->Read(size);
      if (opcode == kClose) break;
      if (opcode == kPing) socket_->Write(Frame(kPong, payload));
      if (opcode == kPing || opcode == kPong) continue;
      message += payload;
      if ((static_cast<unsigned char>(head[0]) & 0x80) != 0)
        inbox_.Push(std::exchange(message, {}));
    }
    inbox_.Close();
  }

  std::unique_ptr<Socket> socket_;
  Mailbox inbox_;
  std::thread reader_;
};

}  // namespace

Result<std::unique_ptr<Peer>> ConnectWebSocket(std::uint16_t port) {
  auto socket = std::make_unique<Socket>(port);
  socket->Write("GET /ws HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
  const std::string status = socket->ReadLine();
  if (!status.starts_with("HTTP/1.1 101")) return Error::Internal("no upgrade: " + status);
  bool accepted = false;
  for (std::string line; !(line = socket->ReadLine()).empty();) {
    accepted = accepted || line.ends_with("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }
  if (!accepted) return Error::Internal("the upgrade does not prove that the key was read");
  return std::unique_ptr<Peer>(std::make_unique<WebSocketPeer>(std::move(socket)));
}

}  // namespace toolpost::transcripts
