// References of a page to URLs.
#include "tools/web/links.h"

#include <utility>

#include "base/strings.h"

namespace toolpost::tools::web {
namespace {

// What browsers encode by themselves and our URL reader refuses.
std::string Encoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\r' || c == '\t') continue;
    if (byte > 0x20 && byte < 0x7F && c != '(' && c != ')' && c != '\\') {
      out.push_back(c);
    } else {
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return out;
}

std::optional<net::HttpUrl> Parsed(std::string_view text) {
  auto url = net::HttpUrl::Parse(text);
  return url ? std::optional(*std::move(url)) : std::nullopt;
}

}  // namespace

LinkResolver::LinkResolver(std::string_view page_url) : page_(Parsed(page_url)) {}

std::string LinkResolver::operator()(std::string_view base, std::string_view reference) {
  if (++links_ > kMaxLinks) return {};
  std::string encoded = Encoded(reference);
  if (base::EqualIgnoringCase(std::string_view(encoded).substr(0, 7), "mailto:")) return encoded;
  if (base != base_text_) {
    base_text_ = base;
    base_ = Parsed(base);
  }
  const std::optional<net::HttpUrl>& from = base_ ? base_ : page_;
  const std::size_t hash = encoded.find('#');
  const std::string target = encoded.substr(0, hash);
  if (!from || target.empty()) return {};
  const auto url = from->Resolve(target);
  if (!url) return {};
  return hash == encoded.npos ? url->text : url->text + encoded.substr(hash);
}

}  // namespace toolpost::tools::web
