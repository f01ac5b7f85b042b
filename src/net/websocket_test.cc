// WebSocket sessions against hand-made frames.
#include <atomic>
#include <thread>
#include <vector>

#include "net/testing.h"

namespace toolpost::net {
namespace {

using testing::Client;
using testing::Event;
using testing::Reply;
using testing::TestOptions;
using testing::TestServer;

constexpr std::size_t kMaxMessage = 70'000;

std::string Frame(unsigned opcode, std::string_view payload, bool final = true,
                  bool masked = true) {
  std::string out;
  out.push_back(static_cast<char>((final ? 0x80U : 0U) | opcode));
  char mask_bit = static_cast<char>(masked ? 0x80 : 0);
  if (payload.size() < 126) {
    out.push_back(static_cast<char>(mask_bit | static_cast<char>(payload.size())));
  } else {
    bool wide = payload.size() > 65535;
    out.push_back(static_cast<char>(mask_bit | static_cast<char>(wide ? 127 : 126)));
    for (int shift = wide ? 56 : 8; shift >= 0; shift -= 8) {
      out.push_back(static_cast<char>(payload.size() >> shift));
    }
  }
  const char key[] = {'\x12', '\x34', '\x56', '\x78'};
  if (masked) out.append(key, 4);
  for (std::size_t i = 0; i < payload.size(); ++i) {
    out.push_back(static_cast<char>(masked ? payload[i] ^ key[i % 4] : payload[i]));
  }
  return out;
}

struct Received {
  unsigned opcode = 0;
  std::string payload;
};

Received ReadFrame(Client& client) {
  std::string head = client.ReadExactly(2);
  if (head.size() < 2) return {};
  std::uint64_t size = static_cast<unsigned char>(head[1]) & 0x7F;
  if (size >= 126) {
    std::string wide = client.ReadExactly(size == 126 ? 2 : 8);
    size = 0;
    for (char c : wide) size = size << 8 | static_cast<unsigned char>(c);
  }
  return {static_cast<unsigned char>(head[0]) & 0x0FU, size == 0 ? "" : client.ReadExactly(size)};
}

unsigned CloseCode(const Received& frame) {
  if (frame.opcode != 8 || frame.payload.size() < 2) return 0;
  return static_cast<unsigned char>(frame.payload[0]) * 256U +
         static_cast<unsigned char>(frame.payload[1]);
}

std::string Handshake(std::string_view extra = {}) {
  return "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         std::string(extra) + "\r\n";
}

// Echoes messages; "close" closes.
struct EchoSocket {
  std::shared_ptr<WebSocket> socket;
  Event opened;
  Event closed;

  HttpServer::Handler Handler() {
    return [this](const Request& request, const std::shared_ptr<Exchange>& exchange) {
      if (!request.upgrade) return exchange->Send(426, "text/plain", "upgrade");
      WebSocketEvents events;
      events.on_open = [this](std::shared_ptr<WebSocket> open) {
        socket = std::move(open);
        opened.Raise();
      };
      events.on_message = [this](std::string_view text) {
        if (text == "close") return socket->Close(4001, "asked");
        socket->Send(std::string(text));
      };
      events.on_close = [this] { closed.Raise(); };
      AcceptWebSocket(request, exchange, "toolpost.v1", std::move(events), kMaxMessage);
    };
  }
};

TEST(WebSocket, AnswersTheHandshakeOfRfc6455) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake("Sec-WebSocket-Protocol: other, toolpost.v1\r\n"));
  Reply reply = client.ReadReply(true);
  EXPECT_EQ(reply.status, 101);
  EXPECT_NE(reply.head.find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"),
            std::string::npos);
  EXPECT_NE(reply.head.find("Sec-WebSocket-Protocol: toolpost.v1\r\n"), std::string::npos);
  EXPECT_EQ(reply.head.find("Beast"), std::string::npos);
  EXPECT_EQ(server->connections(), 1U);
}

TEST(WebSocket, DoesNotClaimASubprotocolThatWasNotOffered) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake("Sec-WebSocket-Protocol: other\r\n"));
  EXPECT_EQ(client.ReadReply(true).head.find("Sec-WebSocket-Protocol"), std::string::npos);
}

TEST(WebSocket, EchoesMessagesThatCameWithTheHandshake) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  std::string large(3000, 'l');
  client.Send(Handshake("Cookie: " + std::string(4000, 'c') + "\r\n") + Frame(1, "first") +
              Frame(1, large));
  EXPECT_EQ(client.ReadReply(true).status, 101);
  EXPECT_EQ(ReadFrame(client).payload, "first");
  EXPECT_EQ(ReadFrame(client).payload, large);
}

TEST(WebSocket, JoinsFragmentsAndAnswersPingsBetweenThem) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake());
  client.ReadReply(true);
  client.Send(Frame(1, "Hel", false) + Frame(9, "ping") + Frame(0, "lo", true));
  Received pong = ReadFrame(client);
  EXPECT_EQ(pong.opcode, 10U);
  EXPECT_EQ(pong.payload, "ping");
  EXPECT_EQ(ReadFrame(client).payload, "Hello");
  for (char c : Frame(1, "byte by byte")) client.Send({&c, 1});
  EXPECT_EQ(ReadFrame(client).payload, "byte by byte");
}

TEST(WebSocket, SendsFromManyThreadsStayWhole) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake());
  client.ReadReply(true);
  ASSERT_TRUE(echo.opened.Wait());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        echo.socket->Send(
            std::string(static_cast<std::size_t>(10 + i * 20), static_cast<char>('a' + t)));
      }
    });
  }
  std::vector<std::size_t> last(8);
  for (int i = 0; i < 400; ++i) {
    Received frame = ReadFrame(client);
    ASSERT_FALSE(frame.payload.empty());
    auto thread = static_cast<std::size_t>(frame.payload[0] - 'a');
    EXPECT_EQ(frame.payload.find_first_not_of(frame.payload[0]), std::string::npos);
    EXPECT_GT(frame.payload.size(), last[thread]);
    last[thread] = frame.payload.size();
  }
  for (auto& thread : threads) thread.join();
}

// Sends `frames` after a handshake and expects a close with that code.
void ExpectClose(const std::string& frames, unsigned code) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake());
  client.ReadReply(true);
  std::thread sender([&] { client.Send(frames); });
  EXPECT_EQ(CloseCode(ReadFrame(client)), code);
  sender.join();
  client.Send(Frame(8, std::string("\x03\xE8", 2)));
  client.ReadToEnd();
  EXPECT_TRUE(echo.closed.Wait());
  echo.socket->Send("harmless");
  echo.socket->Close();
}

TEST(WebSocket, TooLargeMessageCloses1009) {
  ExpectClose(Frame(1, std::string(kMaxMessage + 1, 'x')), 1009);
  ExpectClose(Frame(1, std::string(40'000, 'x'), false) + Frame(0, std::string(40'000, 'x')), 1009);
}

TEST(WebSocket, BinaryMessageCloses1003) { ExpectClose(Frame(2, "bytes"), 1003); }

TEST(WebSocket, ProtocolErrorsClose) {
  ExpectClose(Frame(1, "unmasked", true, false), 1002);
  ExpectClose(Frame(3, "reserved"), 1002);
  ExpectClose(Frame(1, "\xFF\xFE"), 1007);
}

TEST(WebSocket, CloseFromTheServerCarriesItsCode) { ExpectClose(Frame(1, "close"), 4001); }

TEST(WebSocket, CloseFromThePeerIsAnsweredAndReported) {
  ExpectClose(Frame(8, std::string("\x03\xE8", 2)), 1000);
}

TEST(WebSocket, DisconnectIsReported) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake());
  client.ReadReply(true);
  ASSERT_TRUE(echo.opened.Wait());
  client.Reset();
  EXPECT_TRUE(echo.closed.Wait());
  EXPECT_EQ(echo.closed.count(), 1);
}

TEST(WebSocket, BadHandshakesAreRefused) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client no_key(server.port());
  no_key.Send(
      "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\n\r\n");
  EXPECT_EQ(no_key.ReadReply(true).status, 400);
  Client old(server.port());
  old.Send(
      "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  EXPECT_EQ(old.ReadReply(true).status, 426);
  Client plain(server.port());
  plain.Send(testing::Get("/ws"));
  EXPECT_EQ(plain.ReadReply().body, "upgrade");
  EXPECT_EQ(echo.opened.count(), 0);
  EXPECT_EQ(echo.closed.count(), 0);
}

TEST(WebSocket, StopEndsOpenSessions) {
  EchoSocket echo;
  TestServer server(echo.Handler());
  Client client(server.port());
  client.Send(Handshake());
  client.ReadReply(true);
  ASSERT_TRUE(echo.opened.Wait());
  server->Stop(std::chrono::milliseconds(20));
  EXPECT_EQ(echo.closed.count(), 1);
  echo.socket->Send("harmless");
}

TEST(WebSocket, AQuietPeerIsPingedAndASilentOneDropped) {
  EchoSocket echo;
  ServerOptions options = TestOptions();
  options.idle_timeout = std::chrono::seconds(1);
  TestServer server(echo.Handler(), options);
  Client client(server.port());
  client.Send(Handshake());
  client.ReadReply(true);
  EXPECT_EQ(ReadFrame(client).opcode, 9U);
  EXPECT_TRUE(echo.closed.Wait());
}

}  // namespace
}  // namespace toolpost::net
