#include "tds_server/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "tds_server/packet.h"
#include "tds_server/test_certificate.h"

namespace toolpost::tds_server {
namespace {

// Just enough of a client to see the bytes; real ones are in tests/e2e and src/db.
class Client {
 public:
  explicit Client(std::uint16_t port) : channel_(Connect(port)) {}

  void Send(MessageType type, std::string_view body) {
    Reply request(channel_, 4096, 0, type);
    request.Bytes(body);
    request.Finish();
  }
  void SendRaw(std::string_view bytes) { channel_.Write(bytes); }
  std::string Receive() {
    const auto message = ReadMessage(channel_);
    return message ? message->body : "closed";
  }
  std::string Ask(MessageType type, std::string_view body) {
    Send(type, body);
    return Receive();
  }
  std::string Batch(std::string_view text) { return Ask(MessageType::kBatch, BatchBody(text)); }
  static std::string BatchBody(std::string_view text) {
    ByteWriter body;
    body.U32(4);
    body.Bytes(ToUtf16(text));
    return body.data();
  }
  bool LogIn(std::string_view user, std::string_view password) {
    Ask(MessageType::kPrelogin, std::string_view("\xff", 1));
    return Ask(MessageType::kLogin, LoginBody(user, password)).find('\xad') != std::string::npos;
  }

  static std::string LoginBody(std::string_view user, std::string_view password) {
    std::string scrambled = ToUtf16(password);
    for (char& c : scrambled) {
      const auto byte = static_cast<unsigned char>(c);
      c = static_cast<char>(((byte << 4 | byte >> 4) & 0xff) ^ 0xa5);
    }
    ByteWriter body;
    body.U32(0);
    body.U32(0x74000004);
    body.U32(512);
    body.Bytes(std::string(24, '\0'));
    std::string data;
    const auto field = [&](const std::string& text) {
      body.U16(94 + data.size());
      body.U16(text.size() / 2);
      data += text;
    };
    field("");
    field(ToUtf16(user));
    field(scrambled);
    for (int i = 0; i < 6; ++i) field("");
    body.Bytes(std::string(22, '\0'));
    body.Bytes(data);
    return body.data();
  }

 private:
  static int Connect(std::uint16_t port) {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return client;
  }

  Channel channel_;
};

std::unique_ptr<Server> Serve(std::string_view json) {
  auto script = ParseScript(json);
  EXPECT_TRUE(script) << script.error().message;
  return *Server::Start(*std::move(script));
}

TEST(Server, ChecksUserAndPasswordAndRecordsThem) {
  const auto server = Serve(R"({"login": {"user": "sa", "password": "pässword"}})");
  Client good(server->port()), bad(server->port());
  EXPECT_TRUE(good.LogIn("sa", "pässword"));
  EXPECT_FALSE(bad.LogIn("sa", "password"));
  EXPECT_EQ(bad.Receive(), "closed");
  EXPECT_TRUE(server->record().WaitFor([](const Received& received) {
    return received.kind == Received::Kind::kLogin && received.login.password == "pässword" &&
           received.login.packet_size == 512;
  }));
}

TEST(Server, AnswersInPacketsOfTheAgreedSize) {
  const auto server = Serve(R"({"rules": [{"text": "x", "steps": [
    {"columns": [{"name": "a", "type": "int"}], "rows": [[1]], "repeat": 1000}]}]})");
  Client client(server->port());
  ASSERT_TRUE(client.LogIn("a", "b"));
  const std::string reply = client.Batch("x");
  EXPECT_EQ(reply.substr(0, 3), std::string("\x81\x01\x00", 3));
  // 14 bytes before the rows, 6 for each, 13 of DONE with the count.
  ASSERT_EQ(reply.size(), 14U + 6'000U + 13U);
  EXPECT_EQ(reply.substr(reply.size() - 8, 2), "\xe8\x03");
}

TEST(Server, AnAttentionEndsADelay) {
  const auto server = Serve(R"({"rules": [{"text": "x", "steps": [{"delayMs": 600000}]}]})");
  Client client(server->port());
  ASSERT_TRUE(client.LogIn("a", "b"));
  client.Send(MessageType::kBatch, Client::BatchBody("x"));
  client.Send(MessageType::kAttention, "");
  EXPECT_EQ(client.Receive().substr(0, 3), std::string("\xfd\x02\x00", 3));
  EXPECT_EQ(client.Receive().substr(0, 3), std::string("\xfd\x20\x00", 3));
  EXPECT_EQ(client.Ask(MessageType::kAttention, "").substr(0, 3), std::string("\xfd\x20\x00", 3));
}

TEST(Server, CutsTheConnectionInTheMiddleOfARow) {
  const auto server = Serve(R"({"rules": [{"text": "x", "steps": [
    {"columns": [{"name": "a", "type": "int"}], "rows": [[1]]}, {"cut": [2]}]}]})");
  Client client(server->port());
  ASSERT_TRUE(client.LogIn("a", "b"));
  EXPECT_EQ(client.Batch("x"), "closed");
}

TEST(Server, LoadsAnotherScriptWhileItRuns) {
  const auto server = Serve("{}");
  Client client(server->port());
  ASSERT_TRUE(client.LogIn("a", "b"));
  EXPECT_EQ(client.Batch("x").front(), '\xaa');
  server->Load(*ParseScript(R"({"otherwise": [{"count": 7}]})"));
  EXPECT_EQ(client.Batch("x").front(), '\xfd');
}

TEST(Server, SurvivesMalformedMessages) {
  const auto server = Serve("{}");
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(8, '\0'), std::string(64, '\xff'),
        std::string("\x12\x01\x00\x09\0\0\0\0\0", 9)}) {
    Client client(server->port());
    client.SendRaw(bytes);
  }
  for (const MessageType type : {MessageType::kBatch, MessageType::kCall, MessageType::kTransaction,
                                 static_cast<MessageType>(0x77)}) {
    Client client(server->port());
    ASSERT_TRUE(client.LogIn("a", "b"));
    EXPECT_EQ(client.Ask(type, "\x09"), "closed");
  }
  Client last(server->port());
  EXPECT_TRUE(last.LogIn("a", "b"));
}

TEST(Server, NeedsACertificateThatCanBeRead) {
  Script script;
  script.certificate = "missing.pem";
  EXPECT_FALSE(Server::Start(script));
  const TestCertificate certificate("localhost");
  script.certificate = certificate.certificate();
  EXPECT_FALSE(Server::Start(script));
  script.key = certificate.key();
  EXPECT_TRUE(Server::Start(script));
}

}  // namespace
}  // namespace toolpost::tds_server
