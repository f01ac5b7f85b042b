// Header lines, decoded bytes and their limits.
#include "net/http_reply.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::net {
namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{64} * 1024;
constexpr std::size_t kMaxEncodings = 2;
constexpr std::size_t kMaxRatio = 200;
// A reply of this size is no bomb, whatever it was made from.
constexpr std::size_t kRatioMatters = std::size_t{64} * 1024;

}  // namespace

bool ReplyReader::TakeHeaderLine(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) return Fail(Excess::kHeaders);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (body_began_) return true;  // a trailer
  if (line.starts_with("HTTP/")) {
    response_.headers.clear();  // what came before belonged to an interim response
    encodings_ = 0;
    return true;
  }
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return true;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = base::Trim(line.substr(colon + 1));
  if (base::EqualIgnoringCase(name, "content-encoding")) {
    encodings_ += 1 + static_cast<std::size_t>(std::count(value.begin(), value.end(), ','));
    if (encodings_ > kMaxEncodings) return Fail(Excess::kEncodings);
  }
  response_.headers.emplace_back(name, value);
  return true;
}

bool ReplyReader::TakeBody(std::string_view bytes, std::int64_t wire_bytes) {
  body_began_ = true;
  const std::size_t size = response_.body.size() + bytes.size();
  if (size > options_.max_body_bytes) return Fail(Excess::kBody);
  if (encodings_ > 0 && size > kRatioMatters &&
      size / kMaxRatio > static_cast<std::size_t>(std::max<std::int64_t>(wire_bytes, 1))) {
    return Fail(Excess::kRatio);
  }
  response_.body.append(bytes);
  return true;
}

}  // namespace toolpost::net
