// A strict reading of request heads and bodies.
#include "net/proxy_request.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "base/hex_digit.h"
#include "base/strings.h"

namespace toolpost::net {
namespace {

using base::EqualIgnoringCase;
using base::StrCat;

constexpr std::size_t kMaxHeaders = 100;
constexpr std::size_t kMaxLine = 8192;  // of chunk sizes and trailers
constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 60;
// "close" too: our own Connection: close names it.
constexpr std::string_view kHopHeaders[] = {"host", "connection", "keep-alive", "close",
                                            "te",   "trailer",    "upgrade"};

Error Malformed(std::string_view what) {
  return Error::InvalidParams(StrCat("The request to the proxy is malformed: ", what, "."));
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool IsVisible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
  });
}

// Header fields by line; lines end in CR LF and nothing else.
Result<HeaderList> ReadHeaders(std::string_view text) {
  HeaderList headers;
  while (text != "\r\n") {
    const std::size_t end = text.find("\r\n");
    if (end == text.npos) return Malformed("it does not end in an empty line");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 2);
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !IsToken(line.substr(0, colon)))
      return Malformed("a header has no name");
    const std::string_view value = base::Trim(line.substr(colon + 1));
    if (!IsVisible(value)) return Malformed("a header has a control character");
    headers.emplace_back(line.substr(0, colon), value);
    if (headers.size() > kMaxHeaders) return Malformed("it has more than 100 headers");
  }
  return headers;
}

Result<RequestBody> BodyOf(const HeaderList& headers) {
  std::optional<std::string_view> length;
  std::optional<std::string_view> coding;
  for (const auto& [name, value] : headers) {
    const bool is_length = EqualIgnoringCase(name, "content-length");
    if (!is_length && !EqualIgnoringCase(name, "transfer-encoding")) continue;
    if (length || coding) return Malformed("its length is given twice");
    (is_length ? length : coding) = value;
  }
  if (coding) {
    if (!EqualIgnoringCase(*coding, "chunked"))
      return Malformed("only the transfer coding chunked is known");
    return RequestBody::Chunked();
  }
  if (!length) return RequestBody::OfLength(0);
  std::uint64_t bytes = 0;
  const char* const end = length->data() + length->size();
  const auto [at, error] = std::from_chars(length->data(), end, bytes);
  if (error != std::errc() || at != end) return Malformed("Content-Length is no number");
  return RequestBody::OfLength(bytes);
}

// RFC 9110 7.6.1: what belongs to this connection only, by name or because Connection names it.
void RemoveHopHeaders(HeaderList& headers) {
  std::vector<std::string> named;
  for (const auto& [name, value] : headers) {
    if (!EqualIgnoringCase(name, "connection")) continue;
    for (const std::string_view each : base::Split(value, ','))
      named.push_back(base::ToLower(base::Trim(each)));
  }
  std::erase_if(headers, [&](const auto& header) {
    const std::string name = base::ToLower(header.first);
    // They say where the body ends, whatever Connection calls them.
    if (name == "content-length" || name == "transfer-encoding") return false;
    return name.starts_with("proxy-") ||
           std::ranges::find(kHopHeaders, name) != std::end(kHopHeaders) ||
           std::ranges::find(named, name) != named.end();
  });
}

Result<HttpUrl> TunnelUrl(std::string_view authority) {
  const bool plain = std::ranges::all_of(authority, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._:[]").find(c) != std::string_view::npos;
  });
  const std::size_t colon = authority.rfind(':');
  if (!plain || colon == authority.npos || authority.find(']', colon) != authority.npos)
    return Malformed("CONNECT needs host:port");
  return HttpUrl::Parse(StrCat("https://", authority, "/"));
}

std::string Authority(const HttpUrl& url, bool with_port) {
  const bool v6 = url.host.find(':') != url.host.npos;
  std::string text = v6 ? StrCat("[", url.host, "]") : url.host;
  if (with_port) text.append(StrCat(":", url.port));
  return text;
}

// Path and query.
std::string_view PathOf(const HttpUrl& url) {
  const std::string_view text = url.text;
  const std::size_t slash = text.find('/', url.scheme.size() + 3);
  return slash == text.npos ? "/" : text.substr(slash);
}

}  // namespace

RequestBody RequestBody::OfLength(std::uint64_t bytes) {
  RequestBody body;
  body.left_ = bytes;
  body.state_ = bytes == 0 ? State::kDone : State::kData;
  return body;
}

RequestBody RequestBody::Chunked() {
  RequestBody body;
  body.chunked_ = true;
  body.state_ = State::kSize;
  return body;
}

std::size_t RequestBody::Take(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && !done() && !malformed()) {
    if (state_ != State::kData) {
      TakeByte(bytes[taken++]);
      continue;
    }
    const auto part =
        static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - taken));
    taken += part;
    left_ -= part;
    if (left_ == 0) state_ = chunked_ ? State::kDataEnd : State::kDone;
    line_ = 0;
  }
  return taken;
}

void RequestBody::TakeByte(char c) {
  if (++line_ > kMaxLine) {
    state_ = State::kMalformed;
    return;
  }
  switch (state_) {
    case State::kSize:
      return TakeSize(c);
    case State::kExtension:
      if (EndsLine(c)) state_ = left_ == 0 ? State::kTrailer : State::kData;
      return;
    case State::kDataEnd:
      if (c != (line_ == 1 ? '\r' : '\n')) state_ = State::kMalformed;
      if (line_ == 2 && !malformed()) {
        state_ = State::kSize;
        line_ = 0;
      }
      return;
    case State::kTrailer:  // at the start of a line
      if (line_ == 1 && c != '\r') {
        state_ = State::kTrailerLine;
        (void)EndsLine(c);
        return;
      }
      if (line_ == 2) state_ = c == '\n' ? State::kDone : State::kMalformed;
      return;
    case State::kTrailerLine:
      if (EndsLine(c)) state_ = State::kTrailer;
      return;
    default:
      state_ = State::kMalformed;
  }
}

void RequestBody::TakeSize(char c) {
  const int digit = base::HexDigit(c);
  if (digit >= 0) {
    if (left_ > kMaxChunk / 16) state_ = State::kMalformed;
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
  } else if (line_ > 1 && (c == ';' || c == '\r' || c == ' ' || c == '\t')) {
    state_ = State::kExtension;
    return_ = c == '\r';
  } else {
    state_ = State::kMalformed;
  }
}

// CR LF, and neither without the other.
bool RequestBody::EndsLine(char c) {
  if ((c == '\n') != return_) {
    state_ = State::kMalformed;
    return false;
  }
  return_ = c == '\r';
  if (c == '\n') line_ = 0;
  return c == '\n';
}

Result<ProxyRequest> ProxyRequest::Parse(std::string_view head) {
  const std::size_t end = head.find("\r\n");
  if (end == head.npos) return Malformed("it has no request line");
  const std::vector<std::string_view> words = base::Split(head.substr(0, end), ' ');
  if (words.size() != 3 || !IsToken(words[0]) || words[1].empty() ||
      (words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0")) {
    return Malformed("the request line is not METHOD URL HTTP/1.1");
  }
  ProxyRequest request;
  request.method = words[0];
  request.tunnel = words[0] == "CONNECT";
  ASSIGN_OR_RETURN(request.headers, ReadHeaders(head.substr(end + 2)));
  if (request.tunnel) {
    ASSIGN_OR_RETURN(request.url, TunnelUrl(words[1]));
    return request;
  }
  ASSIGN_OR_RETURN(request.url, HttpUrl::Parse(words[1]));
  if (request.url.scheme != "http") return Malformed("https goes through CONNECT");
  ASSIGN_OR_RETURN(request.body, BodyOf(request.headers));
  RemoveHopHeaders(request.headers);
  return request;
}

std::string ProxyRequest::Head(bool to_proxy) const {
  if (tunnel) {
    const std::string authority = Authority(url, true);
    return StrCat("CONNECT ", authority, " HTTP/1.1\r\nHost: ", authority, "\r\n\r\n");
  }
  std::string head =
      StrCat(method, " ", to_proxy ? std::string_view(url.text) : PathOf(url),
             " HTTP/1.1\r\nHost: ", Authority(url, url.port != 80), "\r\nConnection: close\r\n");
  for (const auto& [name, value] : headers)
    head.append(name).append(": ").append(value).append("\r\n");
  return head.append("\r\n");
}

}  // namespace toolpost::net
