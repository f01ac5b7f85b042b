// The client over TLS: certificates, and HTTP/2 against a server of a few frames.
#include <poll.h>

#include <atomic>
#include <thread>

#include "net/http_client.h"
#include "net/tls_fixture.h"

namespace toolpost::net {
namespace {

using testing::CertificateFiles;
using testing::Echo;
using testing::kDeadline;
using testing::TestOptions;
using testing::TestServer;

ServerOptions TlsOptions(const CertificateFiles& files) {
  ServerOptions options = TestOptions();
  options.hosts = {"127.0.0.1"};
  options.tls_cert = files.cert();
  options.tls_key = files.key();
  return options;
}

// Every name is this machine; the test certificate is the only one that is trusted.
FetchOptions Trusting(const CertificateFiles& files) {
  FetchOptions options;
  options.addresses.loopback = true;
  options.timeout = kDeadline;
  options.ca_file = files.cert();
  options.resolver = [](const std::string&, base::SteadyTime,
                        std::stop_token) -> Result<std::vector<IpAddress>> {
    return std::vector{*IpAddress::Parse("127.0.0.1")};
  };
  return options;
}

std::string Https(std::string_view host, std::uint16_t port, std::string_view path = "/x") {
  return "https://" + std::string(host) + ":" + std::to_string(port) + std::string(path);
}

void ExpectUntrusted(const Result<HttpResponse>& response) {
  ASSERT_FALSE(response.has_value()) << response->body;
  EXPECT_EQ(response.error().code, Code::kUnavailable);
  EXPECT_NE(response.error().message.find("certificate"), std::string::npos)
      << response.error().message;
}

TEST(HttpClientTls, ReachesAServerWhoseCertificateIsTrusted) {
  const CertificateFiles files;
  // Our server answers only for hosts it knows.
  ServerOptions options = TlsOptions(files);
  TestServer server(Echo, options);
  const auto response = Fetch({.method = "POST",
                               .url = Https("first.example", server.port()),
                               .body = std::string(100'000, 'b')},
                              Trusting(files));
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "POST /x " + std::string(100'000, 'b'));
  EXPECT_EQ(response->version, "1.1");
}

TEST(HttpClientTls, RefusesUnknownIssuersWrongNamesAndExpiredCertificates) {
  const CertificateFiles files;
  TestServer server(Echo, TlsOptions(files));
  FetchOptions options = Trusting(files);
  ExpectUntrusted(Fetch({.url = Https("other.example", server.port())}, options));
  ExpectUntrusted(Fetch({.url = Https("127.0.0.1", server.port())}, options));
  const CertificateFiles strangers;
  options.ca_file = strangers.cert();
  ExpectUntrusted(Fetch({.url = Https("first.example", server.port())}, options));
  options.ca_file.clear();
  ExpectUntrusted(Fetch({.url = Https("first.example", server.port())}, options));

  const CertificateFiles old;
  old.Make("first.example", -1);
  TestServer expired(Echo, TlsOptions(old));
  ExpectUntrusted(Fetch({.url = Https("first.example", expired.port())}, Trusting(old)));
}

TEST(HttpClientTls, DoesNotFollowARedirectToPlainHttp) {
  const CertificateFiles files;
  std::atomic<int> asked = 0;
  TestServer plain([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    ++asked;
    Echo(request, exchange);
  });
  const std::string target = "http://127.0.0.1:" + std::to_string(plain.port()) + "/";
  TestServer server(
      [&](const Request&, const std::shared_ptr<Exchange>& exchange) {
        exchange->Send(302, "", "", "Location: " + target + "\r\n");
      },
      TlsOptions(files));
  const auto response = Fetch({.url = Https("first.example", server.port())}, Trusting(files));
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code, Code::kPermissionDenied);
  EXPECT_EQ(asked, 0);
}

sockaddr_in Loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The port the socket then listens at.
std::uint16_t Listen(int socket) {
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(listen(socket, 1), 0);
  EXPECT_EQ(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
  return ntohs(address.sin_port);
}

// A proxy that opens one tunnel to `target` and remembers what it was asked.
class TunnelProxy {
 public:
  explicit TunnelProxy(std::uint16_t target)
      : target_(target), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    port_ = Listen(listener_);
    thread_ = std::thread([this] { Serve(); });
  }
  ~TunnelProxy() {
    Finish();
    close(listener_);
  }
  TunnelProxy(const TunnelProxy&) = delete;
  TunnelProxy& operator=(const TunnelProxy&) = delete;

  std::uint16_t port() const { return port_; }
  // Waits for the end of the tunnel; the head of the request for it.
  const std::string& Finish() {
    shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    return head_;
  }

 private:
  void Serve() {
    const int client = accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    char chunk[4096];
    while (head_.find("\r\n\r\n") == head_.npos) {
      const ssize_t size = recv(client, chunk, sizeof chunk, 0);
      if (size <= 0) break;
      head_.append(chunk, static_cast<std::size_t>(size));
    }
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = Loopback(target_);
    if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nX-Proxy: yes\r\n\r\n";
      send(client, kOk.data(), kOk.size(), MSG_NOSIGNAL);
      Pump(client, server);
    }
    close(server);
    close(client);
  }
  static void Pump(int a, int b) {
    pollfd ends[] = {{a, POLLIN, 0}, {b, POLLIN, 0}};
    char chunk[16384];
    while (poll(ends, 2, static_cast<int>(kDeadline.count()) * 1'000) > 0) {
      for (const pollfd& end : ends) {
        if (end.revents == 0) continue;
        const ssize_t size = recv(end.fd, chunk, sizeof chunk, 0);
        if (size <= 0) return;
        send(end.fd == a ? b : a, chunk, static_cast<std::size_t>(size), MSG_NOSIGNAL);
      }
    }
  }

  const std::uint16_t target_;
  int listener_;
  std::uint16_t port_ = 0;
  std::string head_;
  std::thread thread_;
};

TEST(HttpClientTls, TunnelsThroughAProxyThatSeesNoHeaders) {
  const CertificateFiles files;
  TestServer server(Echo, TlsOptions(files));
  TunnelProxy proxy(server.port());
  FetchOptions options = Trusting(files);
  options.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
  options.addresses = {};  // the target's name is the proxy's to look up
  const auto response =
      Fetch({.url = "https://first.example/x", .headers = {{"X-API-Key", "secret"}}}, options);
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "GET /x ");
  EXPECT_EQ(response->Find("x-proxy"), "");
  const std::string& head = proxy.Finish();
  EXPECT_TRUE(head.starts_with("CONNECT first.example:443 HTTP/1.1")) << head;
  EXPECT_EQ(head.find("secret"), head.npos) << head;
}

// Serves one connection: the shortest HTTP/2 reply there is, whatever was asked.
class Http2Server {
 public:
  explicit Http2Server(const CertificateFiles& files)
      : context_(SSL_CTX_new(TLS_server_method())), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    SSL_CTX_use_certificate_file(context_.get(), files.cert().c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_use_PrivateKey_file(context_.get(), files.key().c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_set_alpn_select_cb(context_.get(), ChooseH2, nullptr);
    port_ = Listen(listener_);
    thread_ = std::thread([this] { Serve(); });
  }
  ~Http2Server() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  Http2Server(const Http2Server&) = delete;
  Http2Server& operator=(const Http2Server&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  static int ChooseH2(SSL*, const unsigned char** out, unsigned char* out_size,
                      const unsigned char* offered, unsigned size, void*) {
    static constexpr unsigned char kH2[] = "\2h2";
    return SSL_select_next_proto(const_cast<unsigned char**>(out), out_size, kH2, 3, offered,
                                 size) == OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK
               : SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  static std::string Frame(char type, char flags, char stream, std::string_view payload) {
    std::string frame{0,
                      static_cast<char>(payload.size() >> 8),
                      static_cast<char>(payload.size()),
                      type,
                      flags,
                      0,
                      0,
                      0,
                      stream};
    return frame.append(payload);
  }
  void Serve() {
    const int fd = accept(listener_, nullptr, nullptr);
    if (fd < 0) return;
    const timeval limit{kDeadline.count(), 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const std::unique_ptr<SSL, testing::Freed<SSL_free>> ssl(SSL_new(context_.get()));
    SSL_set_fd(ssl.get(), fd);
    if (SSL_accept(ssl.get()) == 1) Answer(ssl.get());
    close(fd);
  }
  static void Answer(SSL* ssl) {
    // Settings; then, once a HEADERS frame (type 1) of stream 1 came, `:status: 200` and the body.
    const std::string settings = Frame(4, 0, 0, "") + Frame(4, 1, 0, "");
    SSL_write(ssl, settings.data(), static_cast<int>(settings.size()));
    std::string received;
    char chunk[4096];
    const std::string_view headers_of_stream_1("\0\0\0\x01", 4);
    while (received.find(headers_of_stream_1, 24) == received.npos) {
      const int size = SSL_read(ssl, chunk, sizeof chunk);
      if (size <= 0) return;
      received.append(chunk, static_cast<std::size_t>(size));
    }
    const std::string reply = Frame(1, 4, 1, "\x88") + Frame(0, 1, 1, "over h2");
    SSL_write(ssl, reply.data(), static_cast<int>(reply.size()));
    while (SSL_read(ssl, chunk, sizeof chunk) > 0) {
    }
  }

  testing::ClientContext context_;
  int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

TEST(HttpClientTls, SpeaksHttp2WhenTheServerOffersIt) {
  const CertificateFiles files;
  const Http2Server server(files);
  const auto response = Fetch({.url = Https("first.example", server.port())}, Trusting(files));
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->version, "2");
  EXPECT_EQ(response->body, "over h2");
}

}  // namespace
}  // namespace toolpost::net
