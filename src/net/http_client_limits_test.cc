// What ends a reply before its end: bombs, trickles, stacked encodings; and who may be reached.
#include <atomic>
#include <mutex>

#include "base/crypto.h"
#include "net/host_policy.h"
#include "net/http_client.h"
#include "net/http_client_fixture.h"
#include "net/own_address.h"
#include "net/testing.h"

namespace toolpost::net {
namespace {

using testing::CodeOf;
using testing::Echo;
using testing::kDeadline;
using testing::Local;
using testing::TestServer;
using testing::Url;

Resolver Always(std::vector<std::string> addresses) {
  return [addresses = std::move(addresses)](const std::string&, base::SteadyTime,
                                            std::stop_token) -> Result<std::vector<IpAddress>> {
    std::vector<IpAddress> parsed;
    for (const std::string& address : addresses) parsed.push_back(*IpAddress::Parse(address));
    return parsed;
  };
}

// Compressed zeros, and "hello, hello, hello".
constexpr std::string_view kGzipHello = "H4sIAAAAAAAAA8tIzcnJ11HIQKIAn6HKCRMAAAA=";
constexpr std::string_view kBrotliHello = "GxIA+I2Ubt5ECVKGlmwsbxFPJNBxAA==";
constexpr std::string_view kGzip60000 =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAC+DAWqJ1Fg6gAA";
constexpr std::string_view kGzip100000 =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA";
constexpr std::string_view kBrotli10Million = "y///P/gnAOKxQCD3/i//LDHwTwDEYRGAjiMG";
constexpr std::string_view kGzipGzip9Million =
    "H4sIAAAAAAACA+3Yuw1AUABA0fd8ElEwAqOoRKkgZrCAlkQlEjEJA6hMIQobiA38XmkFuae6M1yvtYSi6fss5VtVf4"
    "2HZQsAAAAAAPBz1VrragYI/17COAUAAAAAAH+Xu06kXoBxllsXmNwRfAxaNhVekDTiATU4dnFNIgAA";

HttpServer::Handler Compressed(std::string_view base64, std::string encoding) {
  const auto bytes = base::FromBase64(base64);
  EXPECT_TRUE(bytes.has_value()) << base64;
  return [body = bytes.value_or(""), encoding = std::move(encoding)](
             const Request&, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "text/plain", body, "Content-Encoding: " + encoding + "\r\n");
  };
}

Result<HttpResponse> FetchCompressed(std::string_view base64, std::string encoding) {
  TestServer server(Compressed(base64, std::move(encoding)));
  return Fetch({.url = Url(server, "/")}, Local());
}

TEST(HttpClientLimits, DecodesGzipAndBrotli) {
  for (const auto& [body, encoding] : {std::pair{kGzipHello, "gzip"}, {kBrotliHello, "br"}}) {
    const auto response = FetchCompressed(body, encoding);
    ASSERT_TRUE(response.has_value()) << encoding << response.error().message;
    EXPECT_EQ(response->body, "hello, hello, hello");
    EXPECT_GT(response->wire_bytes, 0);
  }
}

TEST(HttpClientLimits, OffersWhatItCanDecode) {
  TestServer server([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "", std::string(request.Find("Accept-Encoding")));
  });
  const auto response = Fetch({.url = Url(server, "/")}, Local());
  ASSERT_TRUE(response.has_value());
  EXPECT_NE(response->body.find("gzip"), std::string::npos) << response->body;
  EXPECT_NE(response->body.find("br"), std::string::npos) << response->body;
}

TEST(HttpClientLimits, StopsDecompressionBombs) {
  EXPECT_EQ(FetchCompressed(kGzip60000, "gzip")->body.size(), 60'000U);
  for (const auto& [body, encoding] : {std::pair{kGzip100000, "gzip"},
                                       {kBrotli10Million, "br"},
                                       {kGzipGzip9Million, "gzip, gzip"}}) {
    const auto response = FetchCompressed(body, encoding);
    EXPECT_EQ(CodeOf(response), Code::kTooLarge) << encoding;
    if (!response) {
      EXPECT_NE(response.error().message.find("200 times"), std::string::npos)
          << response.error().message;
    }
  }
  EXPECT_EQ(CodeOf(FetchCompressed(kGzipHello, "gzip, gzip, gzip")), Code::kTooLarge);
}

TEST(HttpClientLimits, RepeatedEncodingHeadersCountTogether) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "text/plain", "x",
                   "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\nContent-Encoding: br\r\n");
  });
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/")}, Local())), Code::kTooLarge);
}

TEST(HttpClientLimits, GivesUpOnATrickle) {
  std::mutex mutex;
  std::vector<std::shared_ptr<Exchange>> held;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    exchange->StartStream(200, "text/plain");
    exchange->Write("a few bytes and then nothing");
    const std::lock_guard lock(mutex);
    held.push_back(std::move(exchange));
  });
  FetchOptions options = Local();
  options.stall_time = std::chrono::milliseconds(100);
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/")}, options)), Code::kTimeout);
  EXPECT_LT(std::chrono::steady_clock::now() - started, kDeadline);
  const std::lock_guard lock(mutex);
  held.clear();
}

TEST(HttpClientLimits, ReportsProgressWhileABodyArrives) {
  std::shared_ptr<Exchange> held;
  std::mutex mutex;
  TestServer server([&](const Request&, std::shared_ptr<Exchange> exchange) {
    exchange->StartStream(200, "text/plain");
    exchange->Write(std::string(5'000, 'x'));
    const std::lock_guard lock(mutex);
    held = std::move(exchange);
  });
  FetchOptions options = Local();
  std::vector<std::int64_t> reports;
  // The body goes on only after its beginning was reported.
  options.on_progress = [&](std::int64_t bytes) {
    reports.push_back(bytes);
    const std::lock_guard lock(mutex);
    if (held) held->End();
    held.reset();
  };
  const auto response = Fetch({.url = Url(server, "/")}, options);
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->body.size(), 5'000U);
  ASSERT_FALSE(reports.empty());
  EXPECT_GT(reports.front(), 0);
}

TEST(HttpClientLimits, OneForbiddenAddressAmongSeveralIsEnough) {
  std::atomic<int> asked = 0;
  TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    ++asked;
    Echo(request, exchange);
  });
  FetchOptions options = Local();
  for (const char* other : {"10.0.0.1", "169.254.169.254", "::", "fe80::1", "224.0.0.1"}) {
    options.resolver = Always({"127.0.0.1", other});
    EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/", "name.example")}, options)),
              Code::kPermissionDenied)
        << other;
  }
  EXPECT_EQ(asked, 0);
  options.resolver = Always({"127.0.0.1"});
  EXPECT_EQ(Fetch({.url = Url(server, "/x", "name.example")}, options)->body, "GET /x ");
  EXPECT_EQ(asked, 1);
  options.resolver = Always({});
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/", "name.example")}, options)), Code::kUnavailable);
}

TEST(HttpClientLimits, TheFirstAnswerOfTheResolverIsPinned) {
  TestServer server(Echo);
  std::atomic<int> lookups = 0;
  FetchOptions options = Local();
  options.resolver = [&](const std::string&, base::SteadyTime,
                         std::stop_token) -> Result<std::vector<IpAddress>> {
    // A rebinding name: harmless at first, the metadata service afterwards.
    return std::vector{*IpAddress::Parse(lookups++ == 0 ? "127.0.0.1" : "169.254.169.254")};
  };
  const auto response = Fetch({.url = Url(server, "/x", "rebind.example")}, options);
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->address, "127.0.0.1");
  EXPECT_EQ(lookups, 1);
  EXPECT_EQ(CodeOf(Fetch({.url = Url(server, "/x", "rebind.example")}, options)),
            Code::kPermissionDenied);
}

TEST(HttpClientLimits, RefusesItsOwnListener) {
  TestServer own(Echo);
  TestServer other(Echo);
  FetchOptions options = Local();
  options.refuses = [&](const IpAddress& address, std::uint16_t port) {
    return port == own.port() && IsListeningAddress({"0.0.0.0"}, address);
  };
  for (const char* host : {"127.0.0.1", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "2130706433"})
    EXPECT_EQ(CodeOf(Fetch({.url = Url(own, "/", host)}, options)), Code::kPermissionDenied)
        << host;
  EXPECT_TRUE(Fetch({.url = Url(other, "/")}, options).has_value());
}

TEST(HttpClientLimits, GoesThroughTheProxyAndLeavesNamesToIt) {
  TestServer proxy([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "",
                   std::string(request.target) + "|" +
                       std::string(request.Find("Proxy-Connection")) + "|" +
                       std::string(request.Find("X-Mine")));
  });
  FetchOptions options;  // loopback is not allowed for targets, only the proxy itself is there
  options.timeout = kDeadline;
  options.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
  options.resolver = [](const std::string& host, base::SteadyTime,
                        std::stop_token) -> Result<std::vector<IpAddress>> {
    ADD_FAILURE() << host << " was looked up";
    return Error::Unavailable("no");
  };
  const auto response =
      Fetch({.url = "http://name.example/path?q", .headers = {{"X-Mine", "v"}}}, options);
  if (response) {
    EXPECT_TRUE(response->body.starts_with("http://name.example/path?q|")) << response->body;
    EXPECT_TRUE(response->body.ends_with("|v")) << response->body;
  } else {
    // The test server may refuse an absolute target for a host that is not its own.
    ADD_FAILURE() << response.error().message;
  }
  for (const char* url : {"http://10.0.0.1/", "http://127.0.0.1/", "http://169.254.169.254/"})
    EXPECT_EQ(CodeOf(Fetch({.url = url}, options)), Code::kPermissionDenied) << url;
}

TEST(HttpClientLimits, RefusalsReadTheSame) {
  TestServer server(Echo);
  FetchOptions options;
  options.resolver = Always({"10.1.2.3"});
  const auto by_address = Fetch({.url = "http://name.example/"}, options);
  ASSERT_FALSE(by_address.has_value());
  const auto policy = HostPolicy::Make({.deny = {"name.example"}});
  const auto by_name = policy->Check(*HttpUrl::Parse("http://name.example/"));
  ASSERT_FALSE(by_name.has_value());
  EXPECT_EQ(by_address.error().message, by_name.error().message);
  EXPECT_EQ(by_address.error().message.find("10.1.2.3"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::net
