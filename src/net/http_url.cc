// libcurl's URL parser behind stricter rules.
#include "net/http_url.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "net/curl_library.h"

namespace toolpost::net {
namespace {

using base::StrCat;
using Handle = CurlHandle<CURLU>;

constexpr std::size_t kMaxUrlBytes = std::size_t{8} * 1024;

Error BadUrl(std::string_view what) { return Error::InvalidParams(StrCat("The URL ", what, ".")); }

void Count(std::size_t* steps, std::size_t bytes) {
  if (steps != nullptr) *steps += bytes;
}

Result<void> CheckBytes(std::string_view text, std::size_t* steps) {
  if (text.size() > kMaxUrlBytes) return BadUrl("is longer than 8 KiB");
  Count(steps, text.size());
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return c > 0x20 && c < 0x7F && c != '\\'; });
  if (!plain) {
    return BadUrl(
        "contains a space, a backslash, a control or a non-ASCII character: percent-encode it");
  }
  return {};
}

// libcurl forgives what is refused here: one slash, three slashes, escapes in the host.
Result<void> CheckShape(std::string_view text, std::size_t* steps) {
  Count(steps, text.size());
  const std::size_t colon = text.find("://");
  const std::string scheme = base::ToLower(text.substr(0, std::min(colon, text.size())));
  if (colon == text.npos || (scheme != "http" && scheme != "https")) {
    return BadUrl("must start with http:// or https://");
  }
  text.remove_prefix(colon + 3);
  const std::string_view authority = text.substr(0, text.find_first_of("/?#"));
  if (authority.empty()) return BadUrl("names no host");
  if (authority.find('@') != authority.npos)
    return BadUrl("must not contain a user name or password");
  if (authority.find('%') != authority.npos) return BadUrl("must not contain % in its host");
  return {};
}

// RFC 3986 3.1.
bool HasScheme(std::string_view reference) {
  const std::size_t end = reference.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  return end != reference.npos && end > 0 && reference[end] == ':';
}

std::string Part(const CurlLibrary& curl, const Handle& url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl.url_get(url.get(), part, &text, flags) != CURLUE_OK) return {};
  std::string copy(text);
  curl.free(text);
  return copy;
}

Result<HttpUrl> Take(const CurlLibrary& curl, const Handle& url, std::size_t* steps) {
  HttpUrl result;
  const std::string host = Part(curl, url, CURLUPART_HOST);
  result.host = base::ToLower(host);
  if (result.host.ends_with('.')) result.host.pop_back();
  if (result.host.empty() || result.host.ends_with('.')) return BadUrl("names no host");
  if (result.host != host) {
    if (curl.url_set(url.get(), CURLUPART_HOST, result.host.c_str(), 0) != CURLUE_OK)
      return BadUrl("names no host");
    // "0x7f." is a name, "0x7f" an address: the host has to be read again.
    return HttpUrl::Parse(Part(curl, url, CURLUPART_URL), steps);
  }
  if (result.host.front() == '[') result.host = result.host.substr(1, result.host.size() - 2);
  if (!Part(curl, url, CURLUPART_ZONEID).empty()) return BadUrl("must not contain a zone");
  result.scheme = Part(curl, url, CURLUPART_SCHEME);
  const std::string port = Part(curl, url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  std::from_chars(port.data(), port.data() + port.size(), result.port);
  if (result.port == 0) return BadUrl("has no usable port");
  curl.url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
  result.text = Part(curl, url, CURLUPART_URL);
  RETURN_IF_ERROR(CheckBytes(result.text, steps));
  return result;
}

}  // namespace

Result<HttpUrl> HttpUrl::Parse(std::string_view text, std::size_t* steps) {
  RETURN_IF_ERROR(CheckBytes(text, steps));
  RETURN_IF_ERROR(CheckShape(text, steps));
  ASSIGN_OR_RETURN(const CurlLibrary* curl, CurlLibrary::Get());
  const Handle url(curl->url(), curl->url_cleanup);
  Count(steps, text.size());
  if (!url || curl->url_set(url.get(), CURLUPART_URL, std::string(text).c_str(),
                            CURLU_DISALLOW_USER) != CURLUE_OK) {
    return BadUrl("cannot be read: give it as https://host/path");
  }
  return Take(*curl, url, steps);
}

Result<HttpUrl> HttpUrl::Resolve(std::string_view reference) const {
  RETURN_IF_ERROR(CheckBytes(reference, nullptr));
  // What names a host itself is read as strictly as any other URL, before libcurl could mend it.
  if (reference.starts_with("//")) return Parse(StrCat(scheme, ':', reference));
  if (HasScheme(reference)) return Parse(reference);
  ASSIGN_OR_RETURN(const CurlLibrary* curl, CurlLibrary::Get());
  const Handle url(curl->url(), curl->url_cleanup);
  if (!url || curl->url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK ||
      curl->url_set(url.get(), CURLUPART_URL, std::string(reference).c_str(),
                    CURLU_DISALLOW_USER | CURLU_URLENCODE) != CURLUE_OK) {
    return BadUrl("of the redirect cannot be read");
  }
  return Parse(Part(*curl, url, CURLUPART_URL));
}

}  // namespace toolpost::net
