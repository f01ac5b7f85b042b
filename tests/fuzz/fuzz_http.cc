// Any bytes as HTTP requests, fed whole and in two parts: what is accepted one way is accepted the
// other way, and is the same request. (What is refused may be noticed earlier or later, depending
// on where the input was cut.)
#include <cstdint>
#include <cstdlib>
#include <string>

#include "net/request_parser.h"

namespace {

using toolpost::net::RequestParser;

struct Seen {
  RequestParser::Outcome outcome = RequestParser::Outcome::kNeedMore;
  std::string method;
  std::string target;
  std::string body;

  bool operator==(const Seen&) const = default;
};

Seen Parse(std::string_view input, std::size_t first_part) {
  RequestParser parser(8'192, 65'536);
  std::size_t done = 0;
  std::size_t end = first_part;
  Seen seen;
  for (;;) {
    std::size_t consumed = 0;
    seen.outcome = parser.Feed(input.substr(done, end - done), consumed);
    done += consumed;
    if (seen.outcome != RequestParser::Outcome::kNeedMore || end == input.size()) break;
    end = input.size();
  }
  if (seen.outcome == RequestParser::Outcome::kComplete) {
    seen.method = parser.method();
    seen.target = parser.target();
    seen.body = parser.body();
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Seen whole = Parse(input, input.size());
  const Seen parts = Parse(input, data[0] % (input.size() + 1));
  const bool accepted = whole.outcome == RequestParser::Outcome::kComplete ||
                        parts.outcome == RequestParser::Outcome::kComplete;
  if (accepted && whole != parts) std::abort();
  return 0;
}
