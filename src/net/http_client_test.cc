// The client against real servers on loopback.
#include "net/http_client.h"

#include <atomic>
#include <optional>
#include <thread>

#include "net/http_client_fixture.h"
#include "net/resolve.h"
#include "net/testing.h"

namespace toolpost::net {
namespace {

using testing::CodeOf;
using testing::Echo;
using testing::Event;
using testing::kDeadline;
using testing::Local;
using testing::TestServer;
using testing::Url;

HttpServer::Handler RedirectTo(std::string location, int status = 302) {
  return [location = std::move(location), status](const Request& request,
                                                  const std::shared_ptr<Exchange>& exchange) {
    if (request.path != "/start") return Echo(request, exchange);
    exchange->Send(status, "", "", "Location: " + location + "\r\n");
  };
}

TEST(HttpClient, SendsMethodHeadersAndBodyAndReadsAllOfTheReply) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(201, "text/plain",
                   std::string(request.method) + "|" + std::string(request.target) + "|" +
                       std::string(request.Find("X-Mine")) + "|" +
                       std::string(request.Find("User-Agent")) + "|" +
                       (request.Has("X-Empty") ? "empty" : "") + "|" +
                       std::string(request.Find("Content-Type")) + "|" +
                       (request.Has("Expect") ? "expect" : "") + "|" + std::string(request.body),
                   "X-Reply: a\r\nX-Reply: b\r\n");
  });
  FetchOptions options = Local();
  options.user_agent = "agent/1";
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
    const auto response =
        Fetch({.method = method,
               .url = Url(server, "/p?q=1#f"),
               .headers = {{"X-Mine", "v"}, {"X-Empty", ""}, {"Content-Type", "a/b"}},
               .body = std::string(3'000, 'x')},
              options);
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(response->status, 201);
    EXPECT_EQ(response->body,
              std::string(method) + "|/p?q=1|v|agent/1|empty|a/b||" + std::string(3'000, 'x'));
    EXPECT_EQ(response->Find("x-reply"), "a");
    EXPECT_EQ(response->address, "127.0.0.1");
    EXPECT_EQ(response->redirects, 0);
  }
  const auto head = Fetch({.method = "HEAD", .url = Url(server, "/")}, options);
  ASSERT_TRUE(head.has_value()) << head.error().message;
  EXPECT_EQ(head->body, "");
  const auto bare = Fetch({.method = "POST", .url = Url(server, "/")}, options);
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->body, "POST|/||agent/1||||");
}

TEST(HttpClient, EveryStatusIsAResponse) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(std::stoi(std::string(request.path.substr(1))), "", "x");
  });
  for (const int status : {200, 302, 400, 404, 500, 503}) {
    const auto response = Fetch({.url = Url(server, "/" + std::to_string(status))}, Local());
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(response->status, status);
  }
}

TEST(HttpClient, RefusesAddressesThePolicyDoesNotName) {
  std::atomic<int> asked = 0;
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    ++asked;
    Echo(request, exchange);
  });
  for (const char* host :
       {"127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.",
        "a.localhost", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "0.0.0.0", "[::]",
        "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]", "[2002:7f00:1::]", "224.0.0.1"}) {
    FetchOptions options;
    options.timeout = kDeadline;
    const auto response = Fetch({.url = Url(server, "/", host)}, options);
    ASSERT_FALSE(response.has_value()) << host;
    // A resolver may not know a.localhost at all.
    EXPECT_TRUE(response.error().code == Code::kPermissionDenied ||
                std::string_view(host) == "a.localhost")
        << host << ": " << response.error().message;
  }
  EXPECT_EQ(asked, 0);
}

TEST(HttpClient, ReachesANameThroughItsPinnedAddress) {
  TestServer server(Echo);
  const auto response = Fetch({.url = Url(server, "/x", "LOCALHOST")}, Local());
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "GET /x ");
}

TEST(HttpClient, FollowsRedirectsAndCountsThem) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    const int left = std::stoi(std::string(request.path.substr(1)));
    if (left == 0) return exchange->Send(200, "", "done");
    exchange->Send(302, "", "", "Location: /" + std::to_string(left - 1) + "\r\n");
  });
  FetchOptions options = Local();
  options.max_redirects = 3;
  const auto three = Fetch({.url = Url(server, "/3")}, options);
  ASSERT_TRUE(three.has_value()) << three.error().message;
  EXPECT_EQ(three->body, "done");
  EXPECT_EQ(three->redirects, 3);
  EXPECT_EQ(three->url, Url(server, "/0"));
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/4")}, options)), Code::kPermissionDenied);
  options.max_redirects = 0;
  EXPECT_EQ(Fetch({.url = Url(server, "/1")}, options)->status, 302);
}

TEST(HttpClient, ChecksEveryHopOfARedirect) {
  for (const char* location : {"http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/",
                               "http://[fe80::1]/", "http://0.0.0.0/", "http://2852039166/",
                               "http://[::ffff:169.254.169.254]/", "//192.168.0.1/"}) {
    TestServer server(RedirectTo(location));
    EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/start")}, Local())), Code::kPermissionDenied)
        << location;
  }
  for (const char* location :
       {"file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "http://user@127.0.0.1/",
        "http:///127.0.0.1/", "http://%31%32%37.0.0.1/", "http://127.0.0.1:0/"}) {
    TestServer server(RedirectTo(location));
    const auto response = Fetch({.url = Url(server, "/start")}, Local());
    EXPECT_TRUE(CodeOf(response) == Code::kInvalidArgument ||
                CodeOf(response) == Code::kUnavailable)
        << location << " " << (response ? response->body : response.error().message);
  }
}

TEST(HttpClient, AsksTheCallerAboutEveryHop) {
  TestServer target(Echo);
  TestServer server(RedirectTo(Url(target, "/end")));
  std::vector<int> ports;
  FetchOptions options = Local();
  options.check_url = [&](const HttpUrl& url) -> Result<void> {
    ports.push_back(url.port);
    if (url.port == target.port()) return Error{Code::kPermissionDenied, "not that one", {}};
    return {};
  };
  const auto response = Fetch({.url = Url(server, "/start")}, options);
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().message, "not that one");
  EXPECT_EQ(ports, (std::vector<int>{server.port(), target.port()}));
}

TEST(HttpClient, HeadersStayWithTheirOrigin) {
  const auto show = [](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "",
                   std::string(request.Find("X-API-Key")) + "|" +
                       std::string(request.Find("Authorization")) + "|" +
                       std::string(request.Find("Accept")));
  };
  TestServer target(show);
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    if (request.path == "/same") return exchange->Send(302, "", "", "Location: /show\r\n");
    if (request.path == "/other") {
      return exchange->Send(302, "", "", "Location: " + Url(target, "/") + "\r\n");
    }
    show(request, exchange);
  });
  const HeaderList headers{
      {"X-API-Key", "k"}, {"Authorization", "Bearer t"}, {"Accept", "text/html"}};
  EXPECT_EQ(Fetch({.url = Url(server, "/same"), .headers = headers}, Local())->body,
            "k|Bearer t|text/html");
  EXPECT_EQ(Fetch({.url = Url(server, "/other"), .headers = headers}, Local())->body,
            "||text/html");
}

TEST(HttpClient, RedirectsChangeTheMethodAsRfc9110Says) {
  struct Case {
    int status;
    const char* method;
    const char* expected;
  };
  for (const Case& c : {Case{301, "POST", "GET /end "},
                        {302, "POST", "GET /end "},
                        {303, "POST", "GET /end "},
                        {303, "PUT", "GET /end "},
                        {302, "PUT", "PUT /end b"},
                        {307, "POST", "POST /end b"},
                        {308, "POST", "POST /end b"}}) {
    TestServer server(RedirectTo("/end", c.status));
    const auto response =
        Fetch({.method = c.method, .url = Url(server, "/start"), .body = "b"}, Local());
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(response->body, c.expected) << c.status << c.method;
  }
}

TEST(HttpClient, RefusesRequestsThatCouldSmuggle) {
  TestServer server(Echo);
  const auto send = [&](std::string method, HeaderList headers, std::string body = {}) {
    return CodeOf(Fetch({.method = std::move(method),
                         .url = Url(server, "/"),
                         .headers = std::move(headers),
                         .body = std::move(body)},
                        Local()));
  };
  for (const char* method : {"", "get", "TRACE", "CONNECT", "OPTIONS", "GET / HTTP/1.1\r\nX: y"}) {
    EXPECT_EQ(send(method, {}), Code::kInvalidArgument) << method;
  }
  EXPECT_EQ(send("GET", {}, "body"), Code::kInvalidArgument);
  for (const char* name :
       {"", "a b", "a:", "a\r\nb", "Host", "content-length", "Transfer-Encoding", "Connection",
        "TE", "Upgrade", "Proxy-Authorization", "X-Forwarded-For", "Forwarded", "User-Agent",
        "Expect", "Metadata-Flavor", "X-aws-ec2-metadata-token", "Accept-Encoding"}) {
    EXPECT_EQ(send("GET", {{name, "v"}}), Code::kInvalidArgument) << name;
  }
  for (const std::string& value : {std::string("a\r\nb: c"), std::string("a\nb"),
                                   std::string("a\0b", 3), std::string("\x7F")}) {
    EXPECT_EQ(send("GET", {{"X-A", value}}), Code::kInvalidArgument);
  }
  EXPECT_EQ(send("GET", HeaderList(65, {"X-A", "v"})), Code::kInvalidArgument);
  EXPECT_EQ(send("GET", {{"X-A", std::string(16'384, 'v')}}), Code::kInvalidArgument);
}

TEST(HttpClient, StopsAtTheSizeLimitAlsoWithoutContentLength) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    const std::string body(100'000, 'x');
    if (request.path == "/whole") return exchange->Send(200, "", body);
    exchange->StartStream(200, "text/plain");
    for (int i = 0; i < 10; ++i) exchange->Write(body.substr(0, 10'000));
    exchange->End();
  });
  FetchOptions options = Local();
  for (const char* path : {"/whole", "/chunked"}) {
    options.max_body_bytes = 100'000;
    EXPECT_EQ(Fetch({.url = Url(server, path)}, options)->body.size(), 100'000U);
    options.max_body_bytes = 99'999;
    EXPECT_EQ(CodeOf(Fetch({.url = Url(server, path)}, options)), Code::kTooLarge);
  }
}

TEST(HttpClient, RefusesHugeHeaders) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    std::string headers;
    for (int i = 0; i < 80; ++i) headers += "X-Big: " + std::string(1'000, 'x') + "\r\n";
    exchange->Send(200, "", "", headers);
  });
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/")}, Local())), Code::kTooLarge);
}

TEST(HttpClient, GivesUpOnASlowServer) {
  std::vector<std::shared_ptr<Exchange>> held;
  std::mutex mutex;
  TestServer server([&](const Request& request, std::shared_ptr<Exchange> exchange) {
    if (request.path == "/body") {
      exchange->StartStream(200, "text/plain");
      exchange->Write("some");
    }
    const std::lock_guard lock(mutex);
    held.push_back(std::move(exchange));
  });
  FetchOptions options = Local();
  options.timeout = std::chrono::milliseconds(200);
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/head")}, options)), Code::kTimeout);
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/body")}, options)), Code::kTimeout);
  const std::lock_guard lock(mutex);
  held.clear();
}

TEST(HttpClient, CancellationEndsAWaitingRequest) {
  Event arrived;
  std::shared_ptr<Exchange> held;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    held = std::move(exchange);
    arrived.Raise();
  });
  std::stop_source stop;
  std::optional<Result<HttpResponse>> response;
  std::thread caller(
      [&] { response = Fetch({.url = Url(server, "/")}, Local(), stop.get_token()); });
  EXPECT_TRUE(arrived.Wait());
  stop.request_stop();
  caller.join();
  EXPECT_EQ(CodeOf(*response), Code::kCancelled);
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/")}, Local(), stop.get_token())), Code::kCancelled);
  held.reset();
}

TEST(HttpClient, SaysWhyThereIsNoReply) {
  std::uint16_t port = 0;
  {
    TestServer gone(Echo);
    port = gone.port();
  }
  EXPECT_EQ(CodeOf(Fetch({.url = "http://127.0.0.1:" + std::to_string(port) + "/"}, Local())),
            Code::kUnavailable);
  TestServer plain(Echo);
  const auto tls =
      Fetch({.url = "https://127.0.0.1:" + std::to_string(plain.port()) + "/secret-path?token=1"},
            Local());
  ASSERT_FALSE(tls.has_value());
  EXPECT_EQ(tls.error().code, Code::kUnavailable);
  EXPECT_NE(tls.error().message.find("TLS"), std::string::npos) << tls.error().message;
  EXPECT_EQ(tls.error().message.find("secret"), std::string::npos);
}

TEST(HttpClient, PlainHttpOnlyToLoopbackWhenTlsIsRequired) {
  TestServer server(Echo);
  FetchOptions options = Local();
  options.require_tls = true;
  options.addresses.private_networks = true;
  EXPECT_TRUE(Fetch({.url = Url(server, "/")}, options).has_value());
  EXPECT_EQ(CodeOf(Fetch({.url = "http://10.0.0.1/"}, options)), Code::kPermissionDenied);
  EXPECT_EQ(CodeOf(Fetch({.url = "http://8.8.8.8/"}, options)), Code::kPermissionDenied);
}

TEST(HttpClient, IgnoresTheProxyOfTheEnvironment) {
  TestServer server(Echo);
  setenv("http_proxy", "http://127.0.0.1:9/", 1);
  setenv("ALL_PROXY", "http://127.0.0.1:9/", 1);
  const auto response = Fetch({.url = Url(server, "/x")}, Local());
  unsetenv("http_proxy");
  unsetenv("ALL_PROXY");
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body, "GET /x ");
}

TEST(HttpClient, ManyAtOnce) {
  TestServer server(Echo, testing::TestOptions(2));
  std::atomic<int> good = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int n = 0; n < 10; ++n) {
        const auto response = Fetch({.url = Url(server, "/x", "localhost")}, Local());
        good += response && response->status == 200;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 80);
}

TEST(Resolve, AddressesPassAndUnknownNamesFail) {
  const auto deadline = std::chrono::steady_clock::now() + kDeadline;
  EXPECT_EQ(Resolve("192.0.2.1", deadline, {})->front().ToString(), "192.0.2.1");
  EXPECT_FALSE(Resolve("name.invalid", deadline, {}).has_value());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = Resolve("localhost", deadline, stop.get_token());
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().code, Code::kCancelled);
}

}  // namespace
}  // namespace toolpost::net
