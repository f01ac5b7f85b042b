// One request to an HTTP proxy: CONNECT host:port, or a method with a whole http URL.
//
// Read as strictly as our own server reads: whatever two parsers could read differently is refused,
// because the checks are made on this reading and another server acts on what is sent on. Pure
// values; nothing here is thread-bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "net/http_url.h"
#include "toolpost/result.h"

namespace toolpost::net {

// Finds where the body of a request ends, so that nothing after it is sent on.
class RequestBody {
 public:
  static RequestBody OfLength(std::uint64_t bytes);
  static RequestBody Chunked();

  // How many of the next bytes belong to the body. Linear.
  std::size_t Take(std::string_view bytes);
  bool done() const { return state_ == State::kDone; }
  bool malformed() const { return state_ == State::kMalformed; }

 private:
  enum class State {
    kData,
    kSize,
    kExtension,
    kDataEnd,
    kTrailer,
    kTrailerLine,
    kDone,
    kMalformed
  };

  void TakeByte(char c);
  void TakeSize(char c);
  bool EndsLine(char c);

  State state_ = State::kDone;
  bool chunked_ = false;
  std::uint64_t left_ = 0;  // of the data
  std::size_t line_ = 0;    // bytes of the line so far
  bool return_ = false;     // the last of them was CR
};

struct ProxyRequest {
  bool tunnel = false;  // CONNECT
  HttpUrl url;          // of a tunnel: https://host:port/
  std::string method;
  HeaderList headers;  // for the other server: without those of the connection and the proxy
  RequestBody body;

  // `head` ends with its empty line. Code::kInvalidArgument says what is wrong.
  static Result<ProxyRequest> Parse(std::string_view head);
  // What is sent on, to the host itself or to another proxy. One request per connection.
  std::string Head(bool to_proxy) const;
};

}  // namespace toolpost::net
