// Status line and headers of a reply.
#include "net/response_head.h"

#include <charconv>
#include <cstddef>
#include <ctime>

namespace toolpost::net {

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 207:
      return "Multi-Status";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 426:
      return "Upgrade Required";
    case 428:
      return "Precondition Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 499:
      return "Client Closed Request";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Status";
  }
}

bool StatusHasNoBody(int status) { return status < 200 || status == 204 || status == 304; }

void AppendHead(std::string& out, const ResponseHead& head) {
  char digits[24];
  auto number = [&digits](std::uint64_t value) {
    auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return std::string_view(digits, static_cast<std::size_t>(end - digits));
  };
  if (head.status == 200) {
    out.append("HTTP/1.1 200 OK\r\nDate: ");
  } else {
    out.append("HTTP/1.1 ").append(number(static_cast<std::uint64_t>(head.status)));
    out.append(" ").append(ReasonPhrase(head.status)).append("\r\nDate: ");
  }
  out.append(head.date).append("\r\n");
  if (!head.content_type.empty()) {
    out.append("Content-Type: ").append(head.content_type).append("\r\n");
  }
  if (head.framing == Framing::kChunked) {
    out.append("Transfer-Encoding: chunked\r\n");
  } else if (head.framing == Framing::kLength && !StatusHasNoBody(head.status)) {
    out.append("Content-Length: ").append(number(head.length)).append("\r\n");
  }
  if (head.close) {
    out.append("Connection: close\r\n");
  } else if (head.keep_alive) {
    out.append("Connection: keep-alive\r\n");
  }
  out.append(head.headers).append("\r\n");
}

std::string HttpDate(std::int64_t unix_seconds) {
  static constexpr char kDays[] = "SunMonTueWedThuFriSat";
  static constexpr char kMonths[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  std::time_t time = unix_seconds;
  std::tm tm{};
  gmtime_r(&time, &tm);
  std::string out;
  auto two = [&out](int value) {
    out.push_back(static_cast<char>('0' + value / 10));
    out.push_back(static_cast<char>('0' + value % 10));
  };
  out.append(kDays + std::ptrdiff_t{3} * tm.tm_wday, 3).append(", ");
  two(tm.tm_mday);
  out.append(" ").append(kMonths + std::ptrdiff_t{3} * tm.tm_mon, 3).append(" ");
  out.append(std::to_string(tm.tm_year + 1900)).append(" ");
  two(tm.tm_hour);
  out.append(":");
  two(tm.tm_min);
  out.append(":");
  two(tm.tm_sec);
  return out.append(" GMT");
}

}  // namespace toolpost::net
