// Any bytes as a request to the proxy of commands: what is sent on names the host that was checked,
// and a body ends at the same byte however it arrives.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/proxy_request.h"

namespace {

using namespace toolpost::net;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckHead(const ProxyRequest& request) {
  Require(!request.url.host.empty() && request.url.port != 0);
  const std::string sent = request.Head(true);
  Require(sent.ends_with("\r\n\r\n") && sent.find("\r\n\r\n") == sent.size() - 4);
  // With Host and Connection, which are ours, it may have more headers than we take.
  const auto again = ProxyRequest::Parse(sent);
  if (!again && request.headers.size() > 98) return;
  Require(again.has_value() && again->tunnel == request.tunnel &&
          again->url.SameOrigin(request.url) && again->Head(true) == sent);
  const std::string direct = request.Head(false);
  Require(direct.find("\r\nHost: ") != std::string::npos);
}

std::size_t TakeByByte(RequestBody body, std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && !body.done() && !body.malformed())
    taken += body.Take(bytes.substr(taken, 1));
  return taken;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find("\r\n\r\n");
  RequestBody body = RequestBody::Chunked();
  std::string_view rest = text;
  if (end != text.npos) {
    if (const auto request = ProxyRequest::Parse(text.substr(0, end + 4))) {
      CheckHead(*request);
      body = request->body;
      rest = text.substr(end + 4);
    }
  }
  const std::size_t piecewise = TakeByByte(body, rest);
  Require(body.Take(rest) == piecewise);
  return 0;
}
