#include "net/request_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace toolpost::net {
namespace {

using Outcome = RequestParser::Outcome;

struct Fed {
  Outcome outcome;
  std::string rest;
};

// Feeds `input` in pieces of `step` bytes, as a connection does: what is not consumed is offered
// again, together with more.
Fed FeedAll(RequestParser& parser, std::string_view input, std::size_t step) {
  std::string pending;
  Outcome outcome = Outcome::kNeedMore;
  while (outcome == Outcome::kNeedMore && !input.empty()) {
    pending.append(input.substr(0, step));
    input.remove_prefix(std::min(step, input.size()));
    std::size_t consumed = 0;
    outcome = parser.Feed(pending, consumed);
    EXPECT_LE(consumed, pending.size());
    if (outcome != Outcome::kComplete) pending.erase(0, consumed);
    if (outcome == Outcome::kComplete) return {outcome, pending.substr(consumed)};
  }
  return {outcome, pending};
}

Outcome Parse(std::string_view input, std::size_t max_header = 4096, std::size_t max_body = 1024) {
  Outcome whole;
  {
    RequestParser parser(max_header, max_body);
    whole = FeedAll(parser, input, input.size()).outcome;
  }
  RequestParser parser(max_header, max_body);
  Outcome bytewise = FeedAll(parser, input, 1).outcome;
  // Byte by byte a malformed line may wait for an end that never comes; it must not be understood.
  if (whole != Outcome::kMalformed || bytewise != Outcome::kNeedMore) {
    EXPECT_EQ(bytewise, whole) << "differs byte by byte: " << input;
  }
  return whole;
}

TEST(RequestParser, GivesMethodTargetHeadersAndBody) {
  for (std::size_t step : {1, 2, 3, 7, 1000}) {
    RequestParser parser(4096, 1024);
    std::string input =
        "POST /mcp?x=1 HTTP/1.1\r\nHost: h\r\nX-Empty:\r\nContent-Length: 5\r\n\r\nhello";
    // The body may be a view of the fed bytes, so the last piece must outlive the check.
    std::string pending;
    Outcome outcome = Outcome::kNeedMore;
    for (std::size_t at = 0; at < input.size(); at += step) {
      pending += input.substr(at, step);
      std::size_t consumed = 0;
      outcome = parser.Feed(pending, consumed);
      if (outcome == Outcome::kComplete) break;
      pending.erase(0, consumed);
    }
    ASSERT_EQ(outcome, Outcome::kComplete);
    EXPECT_EQ(parser.method(), "POST");
    EXPECT_EQ(parser.target(), "/mcp?x=1");
    ASSERT_EQ(parser.headers().size(), 3U);
    EXPECT_EQ(parser.headers()[1].name, "X-Empty");
    EXPECT_EQ(parser.headers()[1].value, "");
    EXPECT_EQ(parser.headers()[2].value, "5");
    EXPECT_EQ(parser.body(), "hello");
    EXPECT_TRUE(parser.keep_alive());
  }
}

TEST(RequestParser, LeavesTheNextRequestAlone) {
  RequestParser parser(4096, 1024);
  std::string input = "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n";
  Fed fed = FeedAll(parser, input, input.size());
  EXPECT_EQ(fed.outcome, Outcome::kComplete);
  EXPECT_EQ(parser.target(), "/a");
  parser.Reset();
  fed = FeedAll(parser, fed.rest, 1000);
  EXPECT_EQ(fed.outcome, Outcome::kComplete);
  EXPECT_EQ(parser.target(), "/b");
  EXPECT_EQ(parser.headers().size(), 1U);
}

TEST(RequestParser, JoinsChunksAndDropsTrailers) {
  for (std::size_t step : {1, 2, 5, 1000}) {
    RequestParser parser(4096, 1024);
    Fed fed =
        FeedAll(parser,
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n"
                "2\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n",
                step);
    EXPECT_EQ(fed.outcome, Outcome::kComplete);
    EXPECT_EQ(parser.body(), "abcde");
    EXPECT_EQ(parser.headers().size(), 2U);
  }
}

TEST(RequestParser, IgnoresEmptyLinesBeforeARequest) {
  EXPECT_EQ(Parse("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"), Outcome::kComplete);
}

TEST(RequestParser, RefusesWhatTwoParsersCouldReadDifferently) {
  constexpr const char* kBad[] = {
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 4\r\n\r\nabcd",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x3\r\n\r\nabc",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length : 3\r\n\r\nabc",
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
       "chunked\r\n\r\n0\r\n\r\n"),
      "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\nHost: h\n\n",
      "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/2.0\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nBad Name: 1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\x01\r\n\r\n",
      "G\x01T / HTTP/1.1\r\nHost: h\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  };
  for (const char* input : kBad) EXPECT_EQ(Parse(input), Outcome::kMalformed) << input;
}

TEST(RequestParser, OtherTransferCodingsAreNotImplemented) {
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n"),
            Outcome::kUnimplemented);
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
            Outcome::kUnimplemented);
}

TEST(RequestParser, AcceptsARepeatedEqualLength) {
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"),
            Outcome::kComplete);
}

TEST(RequestParser, LimitsHeaderBytesHoweverTheyArrive) {
  std::string one_long = "GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(5000, 'a') + "\r\n\r\n";
  EXPECT_EQ(Parse(one_long), Outcome::kHeaderTooLarge);
  std::string target = "GET /" + std::string(5000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n";
  EXPECT_EQ(Parse(target), Outcome::kHeaderTooLarge);
  std::string many = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (int i = 0; i < 60; ++i) many += "X: " + std::string(100, 'a') + "\r\n";
  EXPECT_EQ(Parse(many + "\r\n"), Outcome::kHeaderTooLarge);
}

TEST(RequestParser, LimitsTheNumberOfHeaders) {
  std::string request = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (int i = 0; i < 99; ++i) request += "X: 1\r\n";
  EXPECT_EQ(Parse(request + "\r\n"), Outcome::kComplete);
  EXPECT_EQ(Parse(request + "X: 1\r\n\r\n"), Outcome::kHeaderTooLarge);
}

TEST(RequestParser, LimitsChunkExtensionsAndTrailers) {
  std::string head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Parse(head + "1;" + std::string(6000, 'a')), Outcome::kHeaderTooLarge);
  EXPECT_EQ(Parse(head + "0\r\nX: " + std::string(6000, 'a')), Outcome::kHeaderTooLarge);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "1;" + std::string(90, 'a') + "\r\nx\r\n";
  EXPECT_EQ(Parse(head + many), Outcome::kHeaderTooLarge);
}

TEST(RequestParser, LimitsTheBodyBeforeItArrives) {
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1025\r\n\r\n"),
            Outcome::kBodyTooLarge);
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n"),
            Outcome::kBodyTooLarge);
  std::string chunk = "200\r\n" + std::string(512, 'a') + "\r\n";
  EXPECT_EQ(Parse("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk +
                  chunk + "1\r\na\r\n0\r\n\r\n"),
            Outcome::kBodyTooLarge);
}

TEST(RequestParser, SplittingMutatedInputNeverTurnsARefusalIntoARequest) {
  const std::string good =
      "POST /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3;e=1\r\nabc\r\n"
      "0\r\nT: 1\r\n\r\n";
  const std::string_view alphabet("\r\n0;: aF,=\"\t\0\xff", 14);
  unsigned seed = 7;
  auto next = [&seed] { return (seed = seed * 1664525 + 1013904223) >> 10; };
  for (int round = 0; round < 20'000; ++round) {
    std::string input = good;
    for (unsigned i = next() % 4 + 1; i > 0; --i) {
      std::size_t at = next() % input.size();
      switch (next() % 3) {
        case 0:
          input[at] = alphabet[next() % alphabet.size()];
          break;
        case 1:
          input.erase(at, next() % 3 + 1);
          break;
        default:
          input.insert(at, 1, alphabet[next() % alphabet.size()]);
      }
    }
    RequestParser whole(4096, 1024);
    RequestParser split(4096, 1024);
    Outcome first = FeedAll(whole, input, input.size()).outcome;
    Outcome second = FeedAll(split, input, next() % 5 + 1).outcome;
    ASSERT_EQ(first == Outcome::kComplete, second == Outcome::kComplete) << input;
  }
}

TEST(RequestParser, KeepAliveFollowsVersionAndConnection) {
  auto keeps = [](std::string_view input) {
    RequestParser parser(4096, 1024);
    EXPECT_EQ(FeedAll(parser, input, input.size()).outcome, Outcome::kComplete);
    return parser.keep_alive();
  };
  EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"));
}

TEST(SplitTarget, KnowsAllFormsAndDecodesNothing) {
  auto check = [](std::string_view target, std::string_view path, std::string_view query) {
    EXPECT_EQ(SplitTarget(target).path, path) << target;
    EXPECT_EQ(SplitTarget(target).query, query) << target;
  };
  check("/mcp?x=1", "/mcp", "x=1");
  check("/a%2Fb?", "/a%2Fb", "");
  check("http://host:80/path?q", "/path", "q");
  check("http://host", "/", "");
  check("http://host?q=/", "/", "q=/");
  check("/redirect?to=http://other/x", "/redirect", "to=http://other/x");
  check("*", "*", "");
  check("host:443", "host:443", "");
}

}  // namespace
}  // namespace toolpost::net
