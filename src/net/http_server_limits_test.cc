// Hostile, oversized, slow and too many: what the server refuses and how.
#include <atomic>
#include <thread>
#include <vector>

#include "net/testing.h"

namespace toolpost::net {
namespace {

using testing::Client;
using testing::Echo;
using testing::Event;
using testing::Get;
using testing::Post;
using testing::Reply;
using testing::TestOptions;
using testing::TestServer;

ServerOptions Small() {
  ServerOptions options = TestOptions();
  options.max_body_bytes = 100;
  options.max_header_bytes = 1024;
  options.header_timeout = std::chrono::seconds(1);
  options.body_timeout = std::chrono::seconds(1);
  options.idle_timeout = std::chrono::seconds(1);
  return options;
}

// Sends and expects one refusal, after which the connection ends.
void ExpectRefusal(std::uint16_t port, std::string_view bytes, int status) {
  Client client(port);
  client.Send(bytes);
  Reply reply = client.ReadReply();
  EXPECT_EQ(reply.status, status) << bytes.substr(0, 200);
  EXPECT_NE(reply.head.find("Connection: close"), std::string::npos);
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServerLimits, MalformedRequestsGet400AndNeverReachTheHandler) {
  std::atomic<int> calls{0};
  TestServer server([&calls](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    ++calls;
    Echo(request, exchange);
  });
  ExpectRefusal(
      server.port(),
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
      "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n",
      400);
  ExpectRefusal(server.port(),
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                400);
  ExpectRefusal(server.port(), "GET / HTTP/1.1\r\n\r\n", 400);
  ExpectRefusal(server.port(), std::string("\0\0\0\0garbage\r\n\r\n", 15), 400);
  ExpectRefusal(server.port(), "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n",
                501);
  EXPECT_EQ(calls, 0);
}

TEST(HttpServerLimits, RequestsBeforeAMalformedOneAreAnswered) {
  TestServer server(Echo);
  Client client(server.port());
  client.Send(Get("/good") + "BAD\r\n\r\n");
  EXPECT_EQ(client.ReadReply().body, "GET /good ");
  EXPECT_EQ(client.ReadReply().status, 400);
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServerLimits, TooLargeHeadersGet431) {
  TestServer server(Echo, Small());
  ExpectRefusal(server.port(), Get("/", "X: " + std::string(2000, 'a') + "\r\n"), 431);
  std::string many;
  for (int i = 0; i < 101; ++i) many += "A:1\r\n";
  ExpectRefusal(server.port(), Get("/", many), 431);
}

TEST(HttpServerLimits, TooLargeBodyGets413WithTheGivenDocument) {
  TestServer server(Echo, Small());
  Client client(server.port());
  client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n");
  Reply reply = client.ReadReply();
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.body, R"({"error":"too large"})");
  EXPECT_NE(reply.head.find("Content-Type: application/json"), std::string::npos);
  EXPECT_TRUE(client.AtEnd());
  // The refusal must survive the rest of a body that was on its way.
  ExpectRefusal(server.port(), Post("/", std::string(300'000, 'b')), 413);
  ExpectRefusal(server.port(),
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n", 413);
  Client fits(server.port());
  fits.Send(Post("/", std::string(100, 'c')));
  EXPECT_EQ(fits.ReadReply().status, 200);
}

TEST(HttpServerLimits, ExpectIsAnsweredBeforeTheBody) {
  TestServer server(Echo, Small());
  Client client(server.port());
  client.Send("POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("abc");
  EXPECT_EQ(client.ReadReply().body, "POST /e abc");
  // With the body in the same packet there is nothing to wait for.
  client.Send(Post("/f", "x", "Expect: 100-continue\r\n"));
  EXPECT_EQ(client.ReadReply().body, "POST /f x");

  ExpectRefusal(server.port(),
                "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n",
                413);
  ExpectRefusal(server.port(),
                "POST / HTTP/1.1\r\nHost: h\r\nExpect: magic\r\nContent-Length: 1\r\n\r\n", 417);
}

TEST(HttpServerLimits, SlowRequestsGet408AndIdleConnectionsAreClosed) {
  TestServer server(Echo, Small());
  Client silent(server.port());
  Client half_head(server.port());
  half_head.Send("GET / HTT");
  Client half_body(server.port());
  half_body.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
  Client idle(server.port());
  idle.Send(Get("/"));
  EXPECT_EQ(idle.ReadReply().status, 200);
  EXPECT_TRUE(silent.AtEnd());
  EXPECT_EQ(half_head.ReadReply().status, 408);
  EXPECT_EQ(half_body.ReadReply().status, 408);
  EXPECT_TRUE(idle.AtEnd());
}

TEST(HttpServerLimits, ADribbledHeadDoesNotExtendItsTime) {
  Event ticked;
  TestServer server(Echo, Small());
  server->OnTick([&ticked] { ticked.Raise(); });
  Client client(server.port());
  client.Send("GET / HTTP/1.1\r\n");
  std::atomic<bool> done{false};
  // One line per look at the deadlines: would each one move them, none would ever pass.
  std::thread dribble([&] {
    for (int tick = 1; !done && ticked.Wait(tick) && client.Send("X: 1\r\n"); ++tick) {
    }
  });
  EXPECT_EQ(client.ReadReply().status, 408);
  done = true;
  dribble.join();
}

TEST(HttpServerLimits, AWaitingReplyHasNoDeadline) {
  Event ticked;
  Event asked;
  std::shared_ptr<Exchange> pending;
  ServerOptions options = Small();
  HttpServer server(options, [&](const Request&, std::shared_ptr<Exchange> exchange) {
    pending = std::move(exchange);
    asked.Raise();
  });
  server.OnTick([&ticked] { ticked.Raise(); });
  ASSERT_TRUE(server.Start().has_value());
  Client client(server.port());
  client.Send(Get("/"));
  ASSERT_TRUE(asked.Wait());
  ASSERT_TRUE(ticked.Wait(ticked.count() + 4));
  pending->Send(200, "text/plain", "late");
  EXPECT_EQ(client.ReadReply().body, "late");
}

TEST(HttpServerLimits, TooManyConnectionsGet503) {
  ServerOptions options = TestOptions();
  options.max_connections = 2;
  TestServer server(Echo, options);
  Client first(server.port());
  auto second = std::make_unique<Client>(server.port());
  for (Client* client : {&first, second.get()}) {
    client->Send(Get("/"));
    EXPECT_EQ(client->ReadReply().status, 200);
  }
  Client third(server.port());
  third.Send(Get("/"));
  Reply refusal = third.ReadReply();
  EXPECT_EQ(refusal.status, 503);
  EXPECT_NE(refusal.head.find("Retry-After: 1\r\n"), std::string::npos);
  EXPECT_TRUE(third.AtEnd());
  third.Close();
  second.reset();
  int status = 503;
  for (int attempt = 0; attempt < 1000 && status == 503; ++attempt) {
    Client again(server.port());
    again.Send(Get("/"));
    status = again.ReadReply().status;
  }
  EXPECT_EQ(status, 200);
}

TEST(HttpServerLimits, RandomBytesNeverHangOrCrash) {
  TestServer server(Echo, Small());
  unsigned seed = 12345;
  for (int i = 0; i < 200; ++i) {
    std::string bytes = i % 2 == 0 ? Post("/", "body") : std::string();
    for (int n = 0; n < 60; ++n) {
      seed = seed * 1103515245 + 12345;
      char c = static_cast<char>(seed >> 16);
      if (bytes.size() < 60) {
        bytes.push_back(c);
      } else {
        bytes[(seed >> 8) % bytes.size()] = c;
      }
    }
    Client client(server.port());
    client.Send(bytes);
    client.HalfClose();
    client.ReadToEnd();
  }
  Client client(server.port());
  client.Send(Get("/alive"));
  EXPECT_EQ(client.ReadReply().body, "GET /alive ");
}

}  // namespace
}  // namespace toolpost::net
