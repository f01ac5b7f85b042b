// HTTPS against a real OpenSSL client: handshakes, refusals, renewal, streams, WebSocket.
#include "net/tls.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "base/log.h"
#include "net/tls_fixture.h"

namespace toolpost::net {
namespace {

using testing::CertificateFiles;
using testing::Client;
using testing::Echo;
using testing::Event;
using testing::Get;
using ::testing::HasSubstr;
using testing::kDeadline;
using testing::Post;
using testing::Reply;
using testing::TestOptions;
using testing::TestServer;
using testing::TlsClient;
using testing::TlsOffer;

class Tls : public ::testing::Test {
 protected:
  Tls() { signal(SIGPIPE, SIG_IGN); }  // OpenSSL's own sockets, of the client here, raise it

  ServerOptions Options(std::size_t threads = 1) const {
    ServerOptions options = TestOptions(threads);
    options.tls_cert = files_.cert();
    options.tls_key = files_.key();
    return options;
  }
  std::string StartError(const ServerOptions& options) const {
    HttpServer server(options, Echo);
    const auto started = server.Start();
    EXPECT_FALSE(started);
    return started ? "" : started.error().message;
  }

  CertificateFiles files_;
};

TEST_F(Tls, ServesRequestsOnOneConnection) {
  TestServer server(Echo, Options());
  TlsClient client(server.port());
  ASSERT_TRUE(client.ready());
  EXPECT_EQ(client.version(), "TLSv1.3");
  EXPECT_EQ(client.Name(), "first.example");
  client.Send(Get("/one"));
  EXPECT_EQ(client.ReadReply().body, "GET /one ");
  client.Send(Post("/two", "body") + Get("/three"));
  EXPECT_EQ(client.ReadReply().body, "POST /two body");
  EXPECT_EQ(client.ReadReply().body, "GET /three ");
  client.Send(Get("/last", "Connection: close\r\n"));
  EXPECT_EQ(client.ReadReply().body, "GET /last ");
  EXPECT_TRUE(client.AtEnd());
  EXPECT_TRUE(client.EndedProperly());
}

TEST_F(Tls, HandlersCanTell) {
  TestServer server(
      [](const Request& request, const std::shared_ptr<Exchange>& exchange) {
        exchange->Send(200, "text/plain", request.secure ? "secure" : "plain");
      },
      Options());
  TlsClient client(server.port());
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply().body, "secure");
}

TEST_F(Tls, SpeaksVersion12And13AndNothingOlder) {
  TestServer server(Echo, Options());
  TlsClient client(server.port(), {TLS1_2_VERSION, TLS1_2_VERSION});
  ASSERT_TRUE(client.ready());
  EXPECT_EQ(client.version(), "TLSv1.2");
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply().status, 200);
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    EXPECT_FALSE(TlsClient(server.port(), {version, version}).ready());
  }
}

TEST_F(Tls, NegotiatesHttp11) {
  TestServer server(Echo, Options());
  TlsClient both(server.port(), {TLS1_2_VERSION, TLS1_3_VERSION, "\x02h2\x08http/1.1"});
  ASSERT_TRUE(both.ready());
  EXPECT_EQ(both.protocol(), "http/1.1");
  TlsClient other(server.port(), {TLS1_2_VERSION, TLS1_2_VERSION, "\x02h2"});
  EXPECT_FALSE(other.ready());
}

TEST_F(Tls, BodiesOfAnySizePassBothWays) {
  TestServer server(Echo, Options());
  TlsClient client(server.port());
  for (const std::size_t size : {1U, 4096U, 16'384U, 16'385U, 300'000U, 5'000'000U}) {
    const std::string body(size, 'b');
    client.Send(Post("/", body));
    EXPECT_EQ(client.ReadReply().body, "POST / " + body) << size;
  }
}

TEST_F(Tls, SlowReadersGetWholeReplies) {
  const std::string large(3'000'000, 'x');
  TestServer server(
      [&](const Request&, const std::shared_ptr<Exchange>& exchange) {
        exchange->Send(200, "text/plain", large);
      },
      Options());
  TlsClient client(server.port(), {}, 4096);
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply().body, large);
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply().body, large);
}

TEST_F(Tls, StreamsArriveAsTheyAreWritten) {
  std::shared_ptr<Exchange> stream;
  Event started;
  TestServer server(
      [&](const Request&, const std::shared_ptr<Exchange>& exchange) {
        exchange->StartStream(200, "text/event-stream");
        stream = exchange;
        started.Raise();
      },
      Options());
  TlsClient client(server.port());
  client.Send(Get("/"));
  EXPECT_EQ(client.ReadReply(true).status, 200);
  ASSERT_TRUE(started.Wait());
  for (const std::string part : {"one", "two", "three"}) {
    stream->Write(part);
    EXPECT_EQ(client.ReadChunk(), part);
  }
  for (int i = 0; i < 200; ++i) stream->Write(std::string(5000, 'z'));
  stream->End();
  std::size_t total = 0;
  for (std::string chunk = client.ReadChunk(); !chunk.empty(); chunk = client.ReadChunk())
    total += chunk.size();
  EXPECT_EQ(total, 1'000'000U);
  stream.reset();
}

TEST_F(Tls, StreamsNoticeThatTheClientLeft) {
  for (const bool reset : {false, true}) {
    Event closed;
    std::shared_ptr<Exchange> stream;
    TestServer server(
        [&](const Request&, const std::shared_ptr<Exchange>& exchange) {
          exchange->OnClose([&] { closed.Raise(); });
          exchange->StartStream(200, "text/event-stream");
          stream = exchange;
        },
        Options());
    TlsClient client(server.port());
    client.Send(Get("/"));
    EXPECT_EQ(client.ReadReply(true).status, 200);
    reset ? client.Reset() : client.Close();
    EXPECT_TRUE(closed.Wait());
    server->Stop(std::chrono::milliseconds(0));
    stream.reset();
  }
}

TEST_F(Tls, AnOwedReplyIsSentAfterTheClientEndedItsSide) {
  std::shared_ptr<Exchange> held;
  Event arrived;
  TestServer server(
      [&](const Request&, const std::shared_ptr<Exchange>& exchange) {
        held = exchange;
        arrived.Raise();
      },
      Options());
  TlsClient client(server.port());
  client.Send(Get("/"));
  ASSERT_TRUE(arrived.Wait());
  client.EndOutput();
  held->Send(200, "text/plain", "late");
  EXPECT_EQ(client.ReadReply().body, "late");
  held.reset();
}

TEST_F(Tls, ARefusalIsReadableWhileTheBodyIsStillBeingSent) {
  ServerOptions options = Options();
  options.max_body_bytes = 1000;
  TestServer server(Echo, options);
  TlsClient client(server.port());
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" +
              std::string(200'000, 'x'));
  const Reply reply = client.ReadReply();
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.body, R"({"error":"too large"})");
}

TEST_F(Tls, PlainHttpIsClosedWithoutAnAnswer) {
  TestServer server(Echo, Options());
  Client plain(server.port());
  plain.Send(Get("/"));
  EXPECT_EQ(plain.ReadToEnd().find("HTTP"), std::string::npos);
  TlsClient after(server.port());
  after.Send(Get("/"));
  EXPECT_EQ(after.ReadReply().status, 200);
}

TEST_F(Tls, BrokenAndAbortedHandshakesLeaveNothingBehind) {
  TestServer server(Echo, Options(2));
  const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  for (int i = 0; i < 20; ++i) {
    Client aborted(server.port());
    aborted.Send(std::string_view(hello).substr(0, static_cast<std::size_t>(i % 11)));
    i % 2 == 0 ? aborted.Reset() : aborted.Close();
    Client garbage(server.port());
    garbage.Send(base::RandomHex(200));
    garbage.ReadToEnd();
    Client half(server.port());
    half.Send(hello);
    half.HalfClose();
    half.ReadToEnd();
  }
  TlsClient client(server.port());
  client.Send(Get("/", "Connection: close\r\n"));
  EXPECT_EQ(client.ReadReply().status, 200);
  client.Close();
  server->Stop(kDeadline);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(Tls, AHandshakeMustEndWithinTheHeaderTimeout) {
  ServerOptions options = Options();
  options.header_timeout = std::chrono::seconds(1);
  TestServer server(Echo, options);
  Client silent(server.port());
  Client slow(server.port());
  slow.Send(std::string("\x16\x03\x01\x02\x00\x01", 6));
  EXPECT_TRUE(silent.AtEnd());
  EXPECT_EQ(slow.ReadToEnd().find("HTTP"), std::string::npos);
  TlsClient idle(server.port());  // and so must the first request
  ASSERT_TRUE(idle.ready());
  EXPECT_TRUE(idle.AtEnd());
}

TEST_F(Tls, StoppingDoesNotWaitForHandshakes) {
  TestServer server(Echo, Options());
  Client silent(server.port());
  Event ticked;
  server->OnTick([&] { ticked.Raise(); });
  ASSERT_TRUE(ticked.Wait());
  server->Stop(kDeadline);
  EXPECT_TRUE(silent.AtEnd());
}

TEST_F(Tls, TooManyConnectionsAreToldSo) {
  ServerOptions options = Options();
  options.max_connections = 1;
  TestServer server(Echo, options);
  TlsClient first(server.port());
  first.Send(Get("/"));
  EXPECT_EQ(first.ReadReply().status, 200);
  TlsClient second(server.port());
  ASSERT_TRUE(second.ready());
  EXPECT_EQ(second.ReadReply().status, 503);
  EXPECT_TRUE(second.AtEnd());
}

TEST_F(Tls, CarriesWebSockets) {
  std::shared_ptr<WebSocket> socket;
  Event closed;
  TestServer server(
      [&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
        WebSocketEvents events;
        events.on_open = [&](std::shared_ptr<WebSocket> opened) { socket = std::move(opened); };
        events.on_message = [&](std::string_view text) {
          socket->Send("echo " + std::string(text));
        };
        events.on_close = [&] { closed.Raise(); };
        AcceptWebSocket(request, exchange, "", std::move(events), 1'000'000);
      },
      Options());
  TlsClient client(server.port());
  const std::string masked_hi("\x81\x82\0\0\0\0hi", 8);
  client.Send(
      "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" +
      masked_hi);
  EXPECT_EQ(client.ReadReply(true).status, 101);
  EXPECT_EQ(client.ReadExactly(9),
            "\x81\x07"
            "echo hi");
  client.Send(masked_hi);
  EXPECT_EQ(client.ReadExactly(9),
            "\x81\x07"
            "echo hi");
  client.Send(std::string("\x88\x82\0\0\0\0\x03\xe8", 8));
  EXPECT_EQ(client.ReadExactly(4), std::string("\x88\x02\x03\xe8", 4));
  EXPECT_TRUE(client.AtEnd());
  EXPECT_TRUE(client.EndedProperly());
  client.Close();
  EXPECT_TRUE(closed.Wait());
  server->Stop(std::chrono::milliseconds(0));
}

TEST_F(Tls, FilesThatCannotBeUsedStopTheStart) {
  ServerOptions options = Options();
  options.tls_cert = files_.file("none.pem");
  EXPECT_THAT(StartError(options), HasSubstr("Cannot use the TLS certificate"));
  EXPECT_THAT(StartError(options), HasSubstr("No such file"));
  options.tls_cert = ::testing::TempDir();
  EXPECT_THAT(StartError(options), HasSubstr("not a regular file"));
  std::ofstream(files_.file("text.pem")) << "hello";
  options.tls_cert = files_.file("text.pem");
  EXPECT_THAT(StartError(options), HasSubstr("a PEM file is needed"));
  options = Options();
  options.tls_key = "";
  EXPECT_THAT(StartError(options), HasSubstr("Cannot use the TLS private key"));
  options.tls_key = files_.cert();
  EXPECT_THAT(StartError(options), HasSubstr("Cannot use the TLS private key"));
}

TEST_F(Tls, AKeyOfAnotherCertificateStopsTheStart) {
  ServerOptions options = Options();
  options.tls_key = files_.file("stray.pem");
  CertificateFiles::WriteStrayKey(options.tls_key);
  const std::string error = StartError(options);
  EXPECT_THAT(error, HasSubstr("Cannot use the TLS private key"));
  EXPECT_THAT(error, HasSubstr("key values mismatch"));
  EXPECT_THAT(error, HasSubstr("belongs to"));
}

TEST_F(Tls, AKeyWithAPassphraseIsRefusedWithoutAsking) {
  ServerOptions options = Options();
  options.tls_key = files_.file("locked.pem");
  CertificateFiles::WriteStrayKey(options.tls_key, "passphrase");
  EXPECT_THAT(StartError(options), HasSubstr("without a passphrase"));
}

// The process log as text.
class LogText {
 public:
  LogText() {
    if (pipe(pipe_) == 0) base::SetLogDescriptorForTest(pipe_[1]);
  }
  ~LogText() {
    base::FlushLog();
    base::SetLogDescriptorForTest(STDERR_FILENO);
    close(pipe_[0]);
    close(pipe_[1]);
  }
  LogText(const LogText&) = delete;
  LogText& operator=(const LogText&) = delete;

  bool WaitFor(std::string_view text) {
    while (seen_.find(text) == std::string::npos) {
      pollfd ready{pipe_[0], POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(kDeadline.count() * 1000)) != 1) return false;
      char chunk[4096];
      const ssize_t size = read(pipe_[0], chunk, sizeof chunk);
      if (size <= 0) return false;
      seen_.append(chunk, static_cast<std::size_t>(size));
    }
    return true;
  }

 private:
  int pipe_[2] = {-1, -1};
  std::string seen_;
};

TEST_F(Tls, ARenewedCertificateIsUsedForNewConnections) {
  LogText log;
  TestServer server(Echo, Options(2));
  TlsClient before(server.port());
  EXPECT_EQ(before.Name(), "first.example");
  files_.Make("second.example");
  ASSERT_TRUE(log.WaitFor("the TLS certificate was renewed"));
  EXPECT_EQ(TlsClient(server.port()).Name(), "second.example");
  before.Send(Get("/still"));
  EXPECT_EQ(before.ReadReply().body, "GET /still ");
}

TEST_F(Tls, AnUnusableRenewalLeavesTheOldCertificateUntilItIsRepaired) {
  LogText log;
  TestServer server(Echo, Options());
  CertificateFiles::WriteStrayKey(files_.key());
  ASSERT_TRUE(log.WaitFor("the TLS certificate was not renewed, the old one stays"));
  TlsClient meanwhile(server.port());
  EXPECT_EQ(meanwhile.Name(), "first.example");
  std::filesystem::remove(files_.cert());
  ASSERT_TRUE(log.WaitFor("No such file"));
  EXPECT_TRUE(TlsClient(server.port()).ready());
  files_.Make("third.example");
  ASSERT_TRUE(log.WaitFor("the TLS certificate was renewed"));
  EXPECT_EQ(TlsClient(server.port()).Name(), "third.example");
}

TEST_F(Tls, AKeyOthersMayReadIsWarnedAbout) {
  LogText log;
  std::filesystem::permissions(files_.key(), std::filesystem::perms(0640));
  TestServer server(Echo, Options());
  EXPECT_TRUE(log.WaitFor("other users may read the private key of TLS"));
}

TEST_F(Tls, AnExpiredCertificateIsWarnedAbout) {
  LogText log;
  files_.Make("old.example", 0);
  TestServer server(Echo, Options());
  EXPECT_TRUE(log.WaitFor("the TLS certificate has expired"));
}

}  // namespace
}  // namespace toolpost::net
