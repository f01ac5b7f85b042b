// Bytes to one HTTP/1.x request, strictly: whatever two parsers could read differently is refused.
//
// Feed it the unread input as often as it grows; after kComplete the accessors describe the request
// until Reset. Memory is reused from request to request. Refused beyond the grammar: Content-Length
// together with Transfer-Encoding, differing lengths, any transfer coding but a single `chunked`, a
// missing or repeated Host in HTTP/1.1, more than 100 headers. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "net/http_server.h"

namespace toolpost::net {

class RequestParser {
 public:
  static constexpr std::size_t kMaxHeaders = 100;

  enum class Outcome {
    kNeedMore,        // all of the input that could be used was consumed
    kComplete,        // the next byte of the input belongs to the next request
    kMalformed,       // 400
    kHeaderTooLarge,  // 431
    kBodyTooLarge,    // 413; announced by Content-Length or reached by chunks
    kUnimplemented,   // 501: a transfer coding other than chunked
  };

  RequestParser(std::size_t max_header_bytes, std::size_t max_body_bytes);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  // Forgets the request and starts the next one.
  void Reset();
  // `consumed` counts the bytes of `input` that must not be fed again; they must stay in place
  // until Reset, because the body may be a view of them.
  Outcome Feed(std::string_view input, std::size_t& consumed);

  bool started() const;      // at least one byte of the request has been seen
  bool header_done() const;  // only the body is missing
  bool body_started() const;

  // Valid once the header is done; views stay valid until Reset.
  std::string_view method() const;
  std::string_view target() const;
  const std::vector<Header>& headers() const;
  std::string_view body() const;
  bool keep_alive() const;
  bool http11() const;
  bool websocket_upgrade() const;
  // The value of Expect, or empty with data() == nullptr.
  std::string_view expect() const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

// The path and query of a request target in origin, absolute (`http://host/path`), authority or
// asterisk form. Nothing is decoded.
struct TargetParts {
  std::string_view path;
  std::string_view query;
};
TargetParts SplitTarget(std::string_view target);

}  // namespace toolpost::net
