// What is kept of a reply while it arrives, and the limits that end it. Inside of http_client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "net/http_client.h"

namespace toolpost::net {

// Fed by one transfer on one thread. Each Take function returns false when the transfer must end;
// excess() then says why.
class ReplyReader {
 public:
  explicit ReplyReader(const FetchOptions& options) : options_(options) {}

  enum class Excess { kNone, kBody, kHeaders, kRatio, kEncodings };

  // One line with its end of line; status lines, trailers and the empty line too.
  bool TakeHeaderLine(std::string_view line);
  // Decoded bytes; `wire_bytes` is how many arrived for everything so far.
  bool TakeBody(std::string_view bytes, std::int64_t wire_bytes);

  Excess excess() const { return excess_; }
  bool began() const { return header_bytes_ > 0; }
  std::size_t header_bytes() const { return header_bytes_; }
  HttpResponse& response() { return response_; }

 private:
  bool Fail(Excess excess) {
    excess_ = excess;
    return false;
  }

  const FetchOptions& options_;
  HttpResponse response_;
  std::size_t header_bytes_ = 0;
  std::size_t encodings_ = 0;
  bool body_began_ = false;
  Excess excess_ = Excess::kNone;
};

}  // namespace toolpost::net
