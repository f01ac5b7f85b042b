// Requests and replies over real sockets.
#include "net/http_server.h"

#include <atomic>
#include <stdexcept>
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

TEST(HttpServer, AnswersManyRequestsOnOneConnection) {
  TestServer server(Echo);
  Client client(server.port());
  for (int i = 0; i < 20; ++i) {
    client.Send(Post("/mcp", "body" + std::to_string(i)));
    Reply reply = client.ReadReply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "POST /mcp body" + std::to_string(i));
    EXPECT_NE(reply.head.find("\r\nDate: "), std::string::npos);
    EXPECT_EQ(reply.head.find("Connection:"), std::string::npos);
  }
  EXPECT_EQ(server->connections(), 1U);
}

TEST(HttpServer, RequestCarriesPathQueryHeadersAndAddress) {
  std::string seen;
  TestServer server([&seen](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    seen = std::string(request.path) + "|" + std::string(request.query) + "|" +
           std::string(request.Find("x-UPPER")) + "|" + std::string(request.remote_address) + "|" +
           (request.Has("missing") ? "yes" : "no") + (request.Has("x-empty") ? "yes" : "no");
    exchange->Send(200, "", "", "X-Extra: 1\r\n");
  });
  Client client(server.port());
  client.Send(Get("http://host/a%20b?c=d", "X-Upper: V\r\nX-Empty:\r\n"));
  EXPECT_NE(client.ReadReply().head.find("X-Extra: 1\r\n"), std::string::npos);
  EXPECT_EQ(seen, "/a%20b|c=d|V|127.0.0.1|noyes");
}

TEST(HttpServer, AcceptsARequestByteByByte) {
  TestServer server(Echo);
  Client client(server.port());
  for (char c : Post("/slow", "hello")) client.Send({&c, 1});
  EXPECT_EQ(client.ReadReply().body, "POST /slow hello");
  std::string chunked =
      "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  for (char c : chunked) client.Send({&c, 1});
  EXPECT_EQ(client.ReadReply().body, "POST /c abcde");
}

TEST(HttpServer, EchoesALargeBody) {
  TestServer server(Echo);
  Client client(server.port());
  std::string body(5'000'000, 'x');
  for (std::size_t i = 0; i < body.size(); i += 1000)
    body[i] = static_cast<char>('a' + i / 1000 % 26);
  for (int i = 0; i < 2; ++i) {
    std::thread sender([&] { client.Send(Post("/big", body)); });
    Reply reply = client.ReadReply();
    sender.join();
    EXPECT_TRUE(reply.body == "POST /big " + body);
  }
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInOrderFromOtherThreads) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    std::lock_guard lock(mutex);
    threads.emplace_back([exchange, target = std::string(request.target)] {
      exchange->Send(200, "text/plain", target);
    });
  });
  Client client(server.port());
  std::string requests;
  for (int i = 0; i < 10; ++i) requests += Get("/" + std::to_string(i));
  client.Send(requests);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(client.ReadReply().body, "/" + std::to_string(i));
  std::lock_guard lock(mutex);
  for (auto& thread : threads) thread.join();
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInOrderFromTheHandler) {
  TestServer server(Echo);
  Client client(server.port());
  std::string requests;
  for (int i = 0; i < 500; ++i) requests += Post("/" + std::to_string(i), std::string(200, 'p'));
  std::thread sender([&] { client.Send(requests); });
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(client.ReadReply().body, "POST /" + std::to_string(i) + " " + std::string(200, 'p'));
  }
  sender.join();
}

TEST(HttpServer, NextHandlerWaitsForTheReplyBeforeIt) {
  Event first_seen;
  std::atomic<int> calls{0};
  std::shared_ptr<Exchange> first;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    if (++calls == 1) {
      first = std::move(exchange);
      first_seen.Raise();
    } else {
      exchange->Send(200, "text/plain", "second");
    }
  });
  Client client(server.port());
  client.Send(Get("/1") + Get("/2"));
  ASSERT_TRUE(first_seen.Wait());
  EXPECT_EQ(calls, 1);
  first->Send(200, "text/plain", "first");
  EXPECT_EQ(client.ReadReply().body, "first");
  EXPECT_EQ(client.ReadReply().body, "second");
}

TEST(HttpServer, HeadHasTheLengthButNoBody) {
  TestServer server(Echo);
  Client client(server.port());
  client.Send("HEAD /h HTTP/1.1\r\nHost: h\r\n\r\n" + Get("/next"));
  Reply reply = client.ReadReply(true);
  EXPECT_NE(reply.head.find("Content-Length: 8\r\n"), std::string::npos) << reply.head;
  EXPECT_EQ(client.ReadReply().body, "GET /next ");
}

TEST(HttpServer, NoBodyWithStatus204) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(204, "", "must not leave");
  });
  Client client(server.port());
  client.Send(Get("/") + Get("/"));
  for (int i = 0; i < 2; ++i) {
    Reply reply = client.ReadReply();
    EXPECT_EQ(reply.status, 204);
    EXPECT_EQ(reply.head.find("Content-Length"), std::string::npos);
  }
}

TEST(HttpServer, Http10ClosesUnlessKeepAliveIsAsked) {
  TestServer server(Echo);
  Client closing(server.port());
  closing.Send("GET /a HTTP/1.0\r\n\r\n");
  Reply reply = closing.ReadReply();
  EXPECT_EQ(reply.body, "GET /a ");
  EXPECT_NE(reply.head.find("Connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(closing.AtEnd());

  Client keeping(server.port());
  for (int i = 0; i < 2; ++i) {
    keeping.Send("GET /b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    reply = keeping.ReadReply();
    EXPECT_EQ(reply.body, "GET /b ");
    EXPECT_NE(reply.head.find("Connection: keep-alive\r\n"), std::string::npos);
  }
}

TEST(HttpServer, ConnectionCloseIsHonoured) {
  TestServer server(Echo);
  Client client(server.port());
  client.Send(Get("/a", "Connection: close\r\n") + Get("/never"));
  Reply reply = client.ReadReply();
  EXPECT_NE(reply.head.find("Connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServer, UnknownMethodsReachTheHandler) {
  TestServer server(Echo);
  Client client(server.port());
  client.Send("BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.ReadReply().body, "BREW /pot ");
}

TEST(HttpServer, DroppedExchangeAnswers500AndTheConnectionLives) {
  TestServer server([](const Request& request, std::shared_ptr<Exchange> exchange) {
    if (request.path == "/drop") return;
    if (request.path == "/throw") throw std::runtime_error("handler failed");
    if (request.path == "/thread") {
      std::thread([exchange = std::move(exchange)]() mutable { exchange.reset(); }).join();
      return;
    }
    exchange->Send(200, "text/plain", "ok");
  });
  Client client(server.port());
  for (const char* path : {"/drop", "/throw", "/thread"}) {
    client.Send(Get(path));
    EXPECT_EQ(client.ReadReply().status, 500) << path;
  }
  client.Send(Get("/fine"));
  EXPECT_EQ(client.ReadReply().body, "ok");
}

TEST(HttpServer, SecondReplyIsIgnored) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "text/plain", "one");
    exchange->Send(200, "text/plain", "two");
    exchange->StartStream(200, "text/plain");
    exchange->Write("three");
    exchange->End();
  });
  Client client(server.port());
  client.Send(Get("/") + Get("/"));
  EXPECT_EQ(client.ReadReply().body, "one");
  EXPECT_EQ(client.ReadReply().body, "one");
}

TEST(HttpServer, HalfClosedClientStillGetsItsReplies) {
  Event asked;
  Event go;
  std::thread replier;
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    if (request.path == "/now") return exchange->Send(200, "text/plain", "now");
    replier = std::thread([&go, exchange] {
      go.Wait();
      exchange->Send(200, "text/plain", "late");
    });
    asked.Raise();
  });
  Client client(server.port());
  client.Send(Get("/late") + Get("/now"));
  ASSERT_TRUE(asked.Wait());
  client.HalfClose();
  go.Raise();
  EXPECT_EQ(client.ReadReply().body, "late");
  EXPECT_EQ(client.ReadReply().body, "now");
  EXPECT_TRUE(client.AtEnd());
  replier.join();
}

TEST(HttpServer, ExchangeMayOutliveTheServer) {
  std::shared_ptr<Exchange> kept;
  Event asked;
  Event closed;
  {
    TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
      kept = std::move(exchange);
      asked.Raise();
    });
    Client client(server.port());
    client.Send(Get("/"));
    ASSERT_TRUE(asked.Wait());
  }
  kept->OnClose([&closed] { closed.Raise(); });
  EXPECT_TRUE(closed.Wait());
  kept->Send(200, "text/plain", "nobody");
  EXPECT_EQ(kept->Backlog(), 0U);
  kept.reset();
}

TEST(HttpServer, StopAnswersWhatIsInFlight) {
  Event asked;
  std::shared_ptr<Exchange> pending;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    pending = std::move(exchange);
    asked.Raise();
  });
  Client idle(server.port());
  Client client(server.port());
  client.Send(Get("/"));
  ASSERT_TRUE(asked.Wait());
  std::thread stopper([&] { server->Stop(testing::kDeadline); });
  EXPECT_TRUE(idle.AtEnd());
  EXPECT_FALSE(Client(server.port()).connected());
  pending->Send(200, "text/plain", "last");
  pending.reset();
  Reply reply = client.ReadReply();
  EXPECT_EQ(reply.body, "last");
  EXPECT_NE(reply.head.find("Connection: close"), std::string::npos);
  EXPECT_TRUE(client.AtEnd());
  client.Close();
  stopper.join();
  EXPECT_EQ(server->connections(), 0U);
}

TEST(HttpServer, StopClosesWhatIsStillOpenAfterTheDrain) {
  Event asked;
  Event closed;
  std::shared_ptr<Exchange> pending;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    exchange->OnClose([&closed] { closed.Raise(); });
    exchange->StartStream(200, "text/event-stream");
    pending = std::move(exchange);
    asked.Raise();
  });
  Client client(server.port());
  client.Send(Get("/"));
  ASSERT_TRUE(asked.Wait());
  server->Stop(std::chrono::milliseconds(50));
  EXPECT_EQ(closed.count(), 1);
  client.ReadToEnd();
  pending->Write("harmless");
  pending->End();
}

TEST(HttpServer, SecondServerOnATakenPortIsTold) {
  for (std::size_t threads : {1, 3}) {
    TestServer first(Echo, TestOptions(threads));
    ServerOptions options = TestOptions(threads);
    options.port = first.port();
    HttpServer second(options, Echo);
    auto started = second.Start();
    ASSERT_FALSE(started.has_value());
    EXPECT_EQ(started.error().code, Code::kConflict);
    std::string expected = "Port " + std::to_string(first.port()) +
                           " on 127.0.0.1 is taken by process " + std::to_string(getpid()) + " (";
    EXPECT_EQ(started.error().message.rfind(expected, 0), 0U) << started.error().message;
  }
}

TEST(HttpServer, AFreedPortCanBeBoundAgainAtOnce) {
  std::uint16_t port = 0;
  {
    TestServer first(Echo);
    port = first.port();
    Client client(port);
    client.Send(Get("/", "Connection: close\r\n"));
    EXPECT_EQ(client.ReadReply().status, 200);
  }
  ServerOptions options = TestOptions();
  options.port = port;
  TestServer second(Echo, options);
  Client client(port);
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply().status, 200);
}

TEST(HttpServer, SkipsAHostThisMachineLacksButNotAll) {
  ServerOptions options = TestOptions(2);
  options.hosts = {"127.0.0.1", "2001:db8::1"};
  TestServer server(Echo, options);
  Client client(server.port());
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply().status, 200);

  options.hosts = {"2001:db8::1"};
  HttpServer none(options, Echo);
  EXPECT_FALSE(none.Start().has_value());
  options.hosts = {"no.such.host.invalid"};
  HttpServer unknown(options, Echo);
  auto started = unknown.Start();
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().code, Code::kInvalidArgument);
}

TEST(HttpServer, TicksOnEveryLoop) {
  Event ticked;
  ServerOptions options = TestOptions(2);
  HttpServer server(options, Echo);
  server.OnTick([&ticked] { ticked.Raise(); });
  ASSERT_TRUE(server.Start().has_value());
  EXPECT_TRUE(ticked.Wait(4));
}

TEST(HttpServer, ManyConnectionsAtOnceKeepTheirRepliesApart) {
  TestServer server(
      [](const Request& request, const std::shared_ptr<Exchange>& exchange) {
        if (request.path == "/thread") {
          std::thread([exchange, body = std::string(request.body)] {
            exchange->Send(200, "text/plain", body);
          }).detach();
        } else if (request.path == "/stream") {
          exchange->StartStream(200, "text/plain");
          exchange->Write(std::string(request.body));
          exchange->End();
        } else {
          exchange->Send(200, "text/plain", std::string(request.body));
        }
      },
      TestOptions(2));
  std::atomic<int> right{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 64; ++c) {
    clients.emplace_back([&, c] {
      Client client(server.port());
      const char* paths[] = {"/direct", "/thread", "/stream"};
      for (int i = 0; i < 30; ++i) {
        std::string body =
            std::to_string(c) + ":" + std::to_string(i) + std::string(std::size_t{300} * i, 'z');
        client.Send(Post(paths[i % 3], body));
        if (client.ReadReply().body == body) ++right;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(right, 64 * 30);
  server->Stop(testing::kDeadline);
}

}  // namespace
}  // namespace toolpost::net
