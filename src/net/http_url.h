// An absolute http or https URL, read strictly and once, by the same parser that later sends the
// request: no two readings of one text can disagree about its host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::net {

struct HttpUrl {
  std::string text;    // as it is requested: normalised, without fragment
  std::string scheme;  // "http" or "https"
  std::string host;    // lower case, IPv6 without brackets, no trailing dot; odd spellings of IPv4
                       // (127.1, 0x7f000001) are made plain
  std::uint16_t port = 0;

  // Code::kInvalidArgument: another scheme, a missing or doubled slash, user info, `%` in the host,
  // a zone, port 0, backslash, space, control or non-ASCII bytes, more than 8 KiB.
  // Code::kUnavailable without libcurl. `steps`, when given, counts the bytes every pass over the
  // text was given.
  static Result<HttpUrl> Parse(std::string_view text, std::size_t* steps = nullptr);
  // The target of a redirect: absolute or relative, then checked like any other.
  Result<HttpUrl> Resolve(std::string_view reference) const;

  bool SameOrigin(const HttpUrl& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
};

}  // namespace toolpost::net
