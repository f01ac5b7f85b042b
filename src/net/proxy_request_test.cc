#include "net/proxy_request.h"

#include <gtest/gtest.h>

namespace toolpost::net {
namespace {

std::string Sent(std::string_view head, bool to_proxy = false) {
  const auto request = ProxyRequest::Parse(head);
  return request ? request->Head(to_proxy) : "refused: " + request.error().message;
}

TEST(ProxyRequest, ATunnelNamesHostAndPort) {
  const auto request = ProxyRequest::Parse("CONNECT Example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_TRUE(request->tunnel);
  EXPECT_EQ(request->url.host, "example.com");
  EXPECT_EQ(request->url.port, 443);
  EXPECT_EQ(request->Head(true),
            "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n");
  const auto v6 = ProxyRequest::Parse("CONNECT [2001:db8::1]:8443 HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(v6) << v6.error().message;
  EXPECT_EQ(v6->url.host, "2001:db8::1");
  EXPECT_EQ(v6->url.port, 8443);
}

TEST(ProxyRequest, TheHostThatWasCheckedIsTheOneThatIsSent) {
  EXPECT_EQ(Sent("GET http://a.example:8080/p?q=1 HTTP/1.1\r\nHost: other.example\r\n"
                 "Connection: keep-alive, X-Mine\r\nX-Mine: 1\r\nProxy-Authorization: secret\r\n"
                 "Accept: */*\r\n\r\n"),
            "GET /p?q=1 HTTP/1.1\r\nHost: a.example:8080\r\nConnection: close\r\n"
            "Accept: */*\r\n\r\n");
  EXPECT_EQ(Sent("GET http://a.example HTTP/1.0\r\n\r\n", true),
            "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n");
}

TEST(ProxyRequest, OurOwnConnectionHeaderNamesNoOtherHeader) {
  EXPECT_EQ(Sent("GET http://a/ HTTP/1.1\r\nClose: 1\r\nX: 2\r\n\r\n"),
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: 2\r\n\r\n");
}

TEST(ProxyRequest, WhatTwoParsersCouldReadDifferentlyIsRefused) {
  for (const std::string_view head : {
           "\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
           "GET  http://a/ HTTP/1.1\r\n\r\n",
           "GET http://a/ HTTP/2\r\n\r\n",
           "GET http://a/\r\n\r\n",
           "G(T http://a/ HTTP/1.1\r\n\r\n",
           "GET https://a/ HTTP/1.1\r\n\r\n",
           "GET ftp://a/ HTTP/1.1\r\n\r\n",
           "GET http://user@a/ HTTP/1.1\r\n\r\n",
           "GET http://a\\b/ HTTP/1.1\r\n\r\n",
           "CONNECT a HTTP/1.1\r\n\r\n",
           "CONNECT [::1] HTTP/1.1\r\n\r\n",
           "CONNECT a:0 HTTP/1.1\r\n\r\n",
           "CONNECT a:443/x HTTP/1.1\r\n\r\n",
           "CONNECT u@a:443 HTTP/1.1\r\n\r\n",
           "CONNECT http://a:443 HTTP/1.1\r\n\r\n",
           "GET http://a/ HTTP/1.1\r\n folded: x\r\n\r\n",
           "GET http://a/ HTTP/1.1\r\nName : x\r\n\r\n",
           "GET http://a/ HTTP/1.1\r\nX: a\rb\r\n\r\n",
           "GET http://a/ HTTP/1.1\r\nX: a\nb: c\r\n\r\n",
           "POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
           "POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
           "POST http://a/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
           "POST http://a/ HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n",
           "POST http://a/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
       }) {
    EXPECT_FALSE(ProxyRequest::Parse(head)) << head;
  }
}

TEST(ProxyRequest, LengthHeadersStayWhateverConnectionCallsThem) {
  EXPECT_NE(
      Sent("POST http://a/ HTTP/1.1\r\nConnection: content-length\r\nContent-Length: 3\r\n\r\n")
          .find("Content-Length: 3"),
      std::string::npos);
}

// How much of `bytes` is the body, fed in pieces of `step`.
std::string Body(RequestBody body, std::string_view bytes, std::size_t step) {
  std::string taken;
  while (!bytes.empty() && !body.done() && !body.malformed()) {
    const std::string_view piece = bytes.substr(0, step);
    const std::size_t used = body.Take(piece);
    taken.append(piece.substr(0, used));
    bytes.remove_prefix(used);
    if (used < piece.size()) break;
  }
  return body.malformed() ? "malformed" : body.done() ? taken : taken + "…";
}

TEST(RequestBody, EndsWhereItsLengthSays) {
  for (const std::size_t step : {1, 2, 3, 100}) {
    EXPECT_EQ(Body(RequestBody::OfLength(3), "abcGET / HTTP/1.1", step), "abc");
    EXPECT_EQ(Body(RequestBody::OfLength(9), "abc", step), "abc…");
  }
  EXPECT_TRUE(RequestBody::OfLength(0).done());
}

TEST(RequestBody, EndsAfterTheLastChunk) {
  for (const std::size_t step : {1, 2, 3, 7, 100}) {
    for (const std::string_view whole :
         {"0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "A;x=y\r\n0123456789\r\n00\r\nT: x\r\n\r\n",
          "3 \r\n\r\n\r\r\n0\r\n\r\n"}) {
      EXPECT_EQ(Body(RequestBody::Chunked(), std::string(whole) + "GET /", step), whole) << step;
    }
    for (const std::string_view bad :
         {"\r\n", "x", "3\nabc", "3\r\nabcd", "3\r\nabc\n", "3\rabc\r\n", "0\r\nT: x\n\r\n",
          "0\r\n\n", "fffffffffffffffff\r\n"}) {
      EXPECT_EQ(Body(RequestBody::Chunked(), bad, step), "malformed") << bad;
    }
  }
  EXPECT_EQ(Body(RequestBody::Chunked(), "3;" + std::string(10'000, 'x'), 1000), "malformed");
}

}  // namespace
}  // namespace toolpost::net
