#include "net/response_head.h"

#include <gtest/gtest.h>

namespace toolpost::net {
namespace {

std::string Head(const ResponseHead& head) {
  std::string out;
  AppendHead(out, head);
  return out;
}

TEST(ResponseHead, WritesLengthAndExtraHeaders) {
  ResponseHead head;
  head.content_type = "application/json";
  head.headers = "Mcp-Session-Id: 1\r\n";
  head.date = "D";
  head.length = 12;
  EXPECT_EQ(Head(head),
            "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Type: application/json\r\nContent-Length: "
            "12\r\nMcp-Session-Id: 1\r\n\r\n");
}

TEST(ResponseHead, ChunkedAndClosingHeads) {
  ResponseHead head;
  head.status = 404;
  head.framing = Framing::kChunked;
  head.close = true;
  EXPECT_EQ(Head(head),
            "HTTP/1.1 404 Not Found\r\nDate: \r\nTransfer-Encoding: chunked\r\nConnection: "
            "close\r\n\r\n");
}

TEST(ResponseHead, NoLengthWhereAStatusForbidsIt) {
  ResponseHead head;
  head.status = 204;
  EXPECT_EQ(Head(head), "HTTP/1.1 204 No Content\r\nDate: \r\n\r\n");
}

TEST(ResponseHead, DateIsImfFixdate) {
  EXPECT_EQ(HttpDate(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(HttpDate(0), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(ResponseHead, UnknownStatusStillHasAReason) { EXPECT_FALSE(ReasonPhrase(799).empty()); }

}  // namespace
}  // namespace toolpost::net
