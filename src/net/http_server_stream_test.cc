// Streamed replies: framing, disconnects and slow readers.
#include <atomic>
#include <thread>

#include "net/testing.h"

namespace toolpost::net {
namespace {

using testing::Client;
using testing::Event;
using testing::Get;
using testing::Reply;
using testing::TestOptions;
using testing::TestServer;

// Keeps the exchange of the last request, with its stream open.
struct Kept {
  std::shared_ptr<Exchange> exchange;
  Event asked;
  Event closed;

  HttpServer::Handler Handler() {
    return [this](const Request&, std::shared_ptr<Exchange> opened) {
      opened->StartStream(200, "text/event-stream", "Cache-Control: no-cache\r\n");
      opened->OnClose([this] { closed.Raise(); });
      exchange = std::move(opened);
      asked.Raise();
    };
  }
};

TEST(HttpServerStream, EachWriteArrivesAtOnceAndTheConnectionLivesOn) {
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port());
  for (int round = 0; round < 2; ++round) {
    client.Send(Get("/"));
    ASSERT_TRUE(kept.asked.Wait(round + 1));
    Reply head = client.ReadReply(true);
    EXPECT_NE(head.head.find("Transfer-Encoding: chunked"), std::string::npos);
    EXPECT_NE(head.head.find("Cache-Control: no-cache"), std::string::npos);
    for (const char* part : {"data: 1\n\n", "data: 22\n\n"}) {
      kept.exchange->Write(part);
      EXPECT_EQ(client.ReadChunk(), part);
    }
    kept.exchange->Write("");  // must not end the stream
    kept.exchange->Write("last");
    kept.exchange->End();
    EXPECT_EQ(client.ReadChunk(), "last");
    EXPECT_EQ(client.ReadUntil("0\r\n\r\n"), "0\r\n\r\n");
  }
  EXPECT_EQ(kept.closed.count(), 0);
}

TEST(HttpServerStream, PartsOfSeveralThreadsKeepTheirOrder) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>& opened) {
    std::thread([&] { opened->StartStream(200, "text/plain"); }).join();
    opened->Write("1");
    std::thread([&] { opened->Write("2"); }).join();
    opened->Write("3");
    opened->End();
  });
  Client client(server.port());
  client.Send(Get("/"));
  client.ReadReply(true);
  for (const char* part : {"1", "2", "3"}) EXPECT_EQ(client.ReadChunk(), part);
  EXPECT_EQ(client.ReadUntil("0\r\n\r\n"), "0\r\n\r\n");
}

TEST(HttpServerStream, Http10StreamsUntilTheEndOfTheConnection) {
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port());
  client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  ASSERT_TRUE(kept.asked.Wait());
  kept.exchange->Write("raw");
  kept.exchange->End();
  std::string all = client.ReadToEnd();
  EXPECT_EQ(all.find("Transfer-Encoding"), std::string::npos);
  EXPECT_NE(all.find("Connection: close"), std::string::npos);
  EXPECT_EQ(all.substr(all.size() - 7), "\r\n\r\nraw");
}

TEST(HttpServerStream, DisconnectCallsOnCloseOnce) {
  for (bool reset : {false, true}) {
    Kept kept;
    TestServer server(kept.Handler());
    Client client(server.port());
    client.Send(Get("/"));
    ASSERT_TRUE(kept.asked.Wait());
    client.ReadUntil("\r\n\r\n");
    if (reset) {
      client.Reset();
    } else {
      client.Close();
    }
    EXPECT_TRUE(kept.closed.Wait());
    for (int i = 0; i < 100; ++i) kept.exchange->Write("nobody reads");
    kept.exchange->End();
    Event late;
    kept.exchange->OnClose([&late] { late.Raise(); });
    EXPECT_TRUE(late.Wait());
    kept.exchange.reset();
    server->Stop(testing::kDeadline);
    EXPECT_EQ(kept.closed.count(), 1);
  }
}

TEST(HttpServerStream, ResetWhileAReplyIsPendingCallsOnClose) {
  Event asked;
  Event closed;
  std::shared_ptr<Exchange> pending;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    exchange->OnClose([&closed] { closed.Raise(); });
    pending = std::move(exchange);
    asked.Raise();
  });
  Client client(server.port());
  client.Send(Get("/"));
  ASSERT_TRUE(asked.Wait());
  client.Reset();
  EXPECT_TRUE(closed.Wait());
  pending->Send(200, "text/plain", "nobody");
}

TEST(HttpServerStream, DroppedStreamIsCutOff) {
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port());
  client.Send(Get("/"));
  ASSERT_TRUE(kept.asked.Wait());
  kept.exchange->Write("part");
  kept.exchange.reset();
  std::string all = client.ReadToEnd();
  EXPECT_NE(all.find("part"), std::string::npos);
  EXPECT_EQ(all.find("0\r\n\r\n"), std::string::npos);
}

TEST(HttpServerStream, SlowReaderSeesABacklogAndIsClosedAboveTheLimit) {
  Kept kept;
  ServerOptions options = TestOptions();
  options.max_backlog_bytes = 1 << 20;
  TestServer server(kept.Handler(), options);
  Client client(server.port(), 4096);
  client.Send(Get("/"));
  ASSERT_TRUE(kept.asked.Wait());
  std::size_t highest = 0;
  std::string part(65'536, 'p');
  for (int i = 0; i < 100'000 && kept.closed.count() == 0; ++i) {
    if (kept.exchange->Backlog() < 4 * options.max_backlog_bytes) kept.exchange->Write(part);
    highest = std::max(highest, kept.exchange->Backlog());
  }
  EXPECT_TRUE(kept.closed.Wait());
  EXPECT_GT(highest, options.max_backlog_bytes / 2);
}

TEST(HttpServerStream, SlowReaderWithinTheLimitGetsEverythingInOrder) {
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port(), 4096);
  client.Send(Get("/") + Get("/next"));
  ASSERT_TRUE(kept.asked.Wait());
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    std::string part = std::to_string(i) + std::string(50'000, 'q');
    expected += part;
    kept.exchange->Write(part);
  }
  kept.exchange->End();
  EXPECT_TRUE(client.ReadReply().body == expected);
  ASSERT_TRUE(kept.asked.Wait(2));
  kept.exchange->End();
  EXPECT_EQ(client.ReadReply().status, 200);
}

TEST(HttpServerStream, HeadOfAStreamHasNoBody) {
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port());
  client.Send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_TRUE(kept.asked.Wait());
  kept.exchange->Write("invisible");
  kept.exchange->End();
  client.Send(Get("/"));
  ASSERT_TRUE(kept.asked.Wait(2));
  kept.exchange->End();
  EXPECT_EQ(client.ReadReply(true).status, 200);
  EXPECT_EQ(client.ReadReply().status, 200);
}

// About 3 MB in a file between a head and a tail.
base::LongMessage LongMessage() {
  const auto text = std::make_shared<base::LongText>(::testing::TempDir());
  for (int i = 0; i < 300'000; ++i) EXPECT_TRUE(text->Append(std::to_string(1'000'000 + i) + "; "));
  return {"{\"text\":\"", text, "\"}"};
}

TEST(HttpServerStream, ALongReplyHasALengthAndTheConnectionLivesOn) {
  const base::LongMessage message = LongMessage();
  const std::string whole = *message.Whole();
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    if (request.path == "/short") return exchange->Send(200, "text/plain", "short");
    std::thread([&] { exchange->SendLong(200, "text/plain", message, "X-A: b\r\n"); }).join();
  });
  Client client(server.port(), 4096);  // a reader that is slower than the writer
  client.Send(Get("/long") + Get("/short") + Get("/long"));
  for (const bool is_long : {true, false, true}) {
    const Reply reply = client.ReadReply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.head.find("X-A: b") != std::string::npos, is_long);
    EXPECT_TRUE(reply.body == (is_long ? whole : "short")) << reply.body.size();
  }
  client.Send("HEAD /long HTTP/1.1\r\nHost: localhost\r\n\r\n" + Get("/short"));
  const Reply head = client.ReadReply(true);
  EXPECT_NE(head.head.find("Content-Length: " + std::to_string(whole.size()) + "\r\n"),
            std::string::npos);
  EXPECT_EQ(client.ReadReply().body, "short");
}

TEST(HttpServerStream, ALongPartIsOneChunkAmongTheOthers) {
  const base::LongMessage message = LongMessage();
  const std::string whole = *message.Whole();
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port(), 4096);
  client.Send(Get("/"));
  ASSERT_TRUE(kept.asked.Wait());
  kept.exchange->Write("before");
  kept.exchange->WriteLong(message);
  kept.exchange->Write("between");
  kept.exchange->WriteLong(message);
  kept.exchange->Write("after");
  kept.exchange->End();
  client.ReadReply(true);
  for (const std::string& part :
       {std::string("before"), whole, std::string("between"), whole, std::string("after")}) {
    EXPECT_TRUE(client.ReadChunk() == part) << part.size();
  }
  EXPECT_EQ(client.ReadUntil("0\r\n\r\n"), "0\r\n\r\n");
}

TEST(HttpServerStream, AReaderOfALongReplyMayGo) {
  const base::LongMessage message = LongMessage();
  const std::weak_ptr<const base::LongText> text = message.text;
  Kept kept;
  TestServer server(kept.Handler());
  Client client(server.port(), 4096);
  client.Send(Get("/"));
  ASSERT_TRUE(kept.asked.Wait());
  kept.exchange->WriteLong(message);
  kept.exchange->End();
  client.ReadReply(true);
  client.Reset();
  EXPECT_TRUE(kept.closed.Wait());
  kept.exchange.reset();
  server->Stop(testing::kDeadline);
  EXPECT_EQ(text.use_count(), 1) << "only the test's own";
}

}  // namespace
}  // namespace toolpost::net
