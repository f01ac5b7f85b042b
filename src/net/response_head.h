// Writes the status line and headers of a reply by hand: one append into a string that is reused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toolpost::net {

enum class Framing {
  kLength,      // Content-Length
  kChunked,     // Transfer-Encoding: chunked
  kUntilClose,  // an HTTP/1.0 stream: the end of the connection ends the body
};

struct ResponseHead {
  int status = 200;
  std::string_view content_type;  // empty: no Content-Type
  std::string_view headers;       // raw "Name: value\r\n" block
  std::string_view date;          // of HttpDate
  Framing framing = Framing::kLength;
  std::uint64_t length = 0;  // for kLength; left out where RFC 9110 8.6 forbids it (1xx, 204)
  bool close = false;        // adds Connection: close
  bool keep_alive = false;   // adds Connection: keep-alive, which an HTTP/1.0 client needs to hear
};

void AppendHead(std::string& out, const ResponseHead& head);
// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string HttpDate(std::int64_t unix_seconds);
std::string_view ReasonPhrase(int status);
// True for the statuses that never carry a body: 1xx, 204, 304.
bool StatusHasNoBody(int status);

}  // namespace toolpost::net
