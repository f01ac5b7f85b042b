// Any bytes as a URL, as a redirect target and as an address: what is accepted has one reading, and
// nothing but public addresses passes the strict policy.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "net/address_class.h"
#include "net/host_policy.h"
#include "net/http_url.h"

namespace {

using namespace toolpost::net;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckUrl(const HttpUrl& url) {
  Require(url.scheme == "http" || url.scheme == "https");
  Require(!url.host.empty() && url.port != 0);
  Require(
      std::all_of(url.text.begin(), url.text.end(), [](char c) { return c > 0x20 && c < 0x7F; }));
  Require(url.host.find_first_of("@/\\%?#") == std::string_view::npos);
  const auto again = HttpUrl::Parse(url.text);
  Require(again.has_value() && again->SameOrigin(url));
  static const HostPolicy kPolicy = HostPolicy::Make({.allow = {"*.example", "1.1.1.1"}}).value();
  if (kPolicy.Check(url)) Require(url.host.ends_with(".example") || url.host == "1.1.1.1");
}

void CheckAddress(const IpAddress& address) {
  const AddressPolicy strict;
  const AddressPolicy open{.loopback = true, .private_networks = true};
  Require(!strict.Allows(address) || Classify(address) == AddressClass::kPublic);
  Require(open.Allows(address) || !strict.Allows(address));
  const auto parsed = IpAddress::Parse(address.ToString());
  Require(parsed.has_value() && *parsed == address);
  if (address.v6) return;
  IpAddress mapped{.v6 = true};
  mapped.bytes[10] = mapped.bytes[11] = 0xFF;
  std::copy_n(address.bytes.begin(), 4, mapped.bytes.begin() + 12);
  Require(Classify(mapped) == Classify(address));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto url = HttpUrl::Parse(text)) CheckUrl(*url);
  static const HttpUrl kBase = HttpUrl::Parse("https://base.example/a/b?c").value();
  if (const auto url = kBase.Resolve(text)) CheckUrl(*url);
  if (const auto address = IpAddress::Parse(text)) CheckAddress(*address);
  IpAddress address{.v6 = size >= 16};
  std::copy_n(data, std::min<std::size_t>(size, address.v6 ? 16 : 4), address.bytes.begin());
  CheckAddress(address);
  return 0;
}
