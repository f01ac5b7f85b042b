// Prefix tables of the special-purpose registries.
#include "net/address_class.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace toolpost::net {
namespace {

struct Prefix {
  std::array<std::uint8_t, 16> bytes;
  int bits;
  AddressClass its_class;
};

// The first match decides, so exceptions stand before the ranges they are cut from.
constexpr Prefix kV4[] = {
    {{169, 254, 169, 254}, 32, AddressClass::kMetadata},
    {{169, 254, 170, 2}, 32, AddressClass::kMetadata},
    {{169, 254, 170, 23}, 32, AddressClass::kMetadata},
    {{100, 100, 100, 200}, 32, AddressClass::kMetadata},
    {{168, 63, 129, 16}, 32, AddressClass::kMetadata},
    {{192, 0, 0, 192}, 32, AddressClass::kMetadata},
    {{0}, 8, AddressClass::kUnspecified},
    {{10}, 8, AddressClass::kPrivate},
    {{100, 64}, 10, AddressClass::kSharedAddress},
    {{127}, 8, AddressClass::kLoopback},
    {{169, 254}, 16, AddressClass::kLinkLocal},
    {{172, 16}, 12, AddressClass::kPrivate},
    {{192, 0, 0}, 24, AddressClass::kReserved},
    {{192, 0, 2}, 24, AddressClass::kDocumentation},
    {{192, 31, 196}, 24, AddressClass::kReserved},
    {{192, 52, 193}, 24, AddressClass::kReserved},
    {{192, 88, 99}, 24, AddressClass::kReserved},
    {{192, 168}, 16, AddressClass::kPrivate},
    {{192, 175, 48}, 24, AddressClass::kReserved},
    {{198, 18}, 15, AddressClass::kReserved},
    {{198, 51, 100}, 24, AddressClass::kDocumentation},
    {{203, 0, 113}, 24, AddressClass::kDocumentation},
    {{224}, 4, AddressClass::kMulticast},
    {{240}, 4, AddressClass::kReserved},
};

constexpr Prefix kV6[] = {
    {{0xFD, 0x00, 0x0E, 0xC2}, 32, AddressClass::kMetadata},
    {{0xFD, 0x20, 0x00, 0xCE}, 32, AddressClass::kMetadata},
    {{}, 128, AddressClass::kUnspecified},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, AddressClass::kLoopback},
    {{0xFC}, 7, AddressClass::kPrivate},
    {{0xFE, 0x80}, 10, AddressClass::kLinkLocal},
    {{0xFF}, 8, AddressClass::kMulticast},
    {{0x20, 0x01, 0x0D, 0xB8}, 32, AddressClass::kDocumentation},
    {{0x3F, 0xFF}, 20, AddressClass::kDocumentation},
    {{0x20, 0x01}, 23, AddressClass::kReserved},
    {{0x20}, 3, AddressClass::kPublic},
    {{}, 0, AddressClass::kReserved},
};

constexpr std::array<std::uint8_t, 16> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
constexpr std::array<std::uint8_t, 16> kNat64{0, 0x64, 0xFF, 0x9B};
constexpr std::array<std::uint8_t, 16> k6to4{0x20, 0x02};

bool HasPrefix(const std::array<std::uint8_t, 16>& bytes,
               const std::array<std::uint8_t, 16>& prefix, int bits) {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (std::memcmp(bytes.data(), prefix.data(), whole) != 0) return false;
  const int rest = bits % 8;
  return rest == 0 || ((bytes[whole] ^ prefix[whole]) >> (8 - rest)) == 0;
}

AddressClass Find(std::span<const Prefix> table, const std::array<std::uint8_t, 16>& bytes) {
  for (const Prefix& prefix : table) {
    if (HasPrefix(bytes, prefix.bytes, prefix.bits)) return prefix.its_class;
  }
  return AddressClass::kPublic;
}

AddressClass ClassifyV4At(const IpAddress& address, std::size_t offset) {
  std::array<std::uint8_t, 16> bytes{};
  std::copy_n(address.bytes.begin() + static_cast<std::ptrdiff_t>(offset), 4, bytes.begin());
  return Find(kV4, bytes);
}

AddressClass Translated(AddressClass inner) {
  return inner == AddressClass::kPublic || inner == AddressClass::kMetadata
             ? inner
             : AddressClass::kReserved;
}

}  // namespace

std::optional<IpAddress> IpAddress::Parse(std::string_view text) {
  char terminated[INET6_ADDRSTRLEN] = {};
  if (text.size() >= sizeof terminated || text.find('\0') != text.npos) return {};
  std::copy(text.begin(), text.end(), terminated);
  IpAddress address;
  address.v6 = text.find(':') != text.npos;
  if (inet_pton(address.v6 ? AF_INET6 : AF_INET, terminated, address.bytes.data()) != 1) return {};
  return address;
}

std::optional<IpAddress> IpAddress::From(const sockaddr* address) {
  IpAddress result;
  if (address->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, address, sizeof v4);
    std::memcpy(result.bytes.data(), &v4.sin_addr, sizeof v4.sin_addr);
    return result;
  }
  if (address->sa_family != AF_INET6) return {};
  sockaddr_in6 v6{};
  std::memcpy(&v6, address, sizeof v6);
  result.v6 = true;
  result.scope = v6.sin6_scope_id;
  std::memcpy(result.bytes.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
  return result;
}

std::string IpAddress::ToString() const {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(v6 ? AF_INET6 : AF_INET, bytes.data(), text, sizeof text);
  return text;
}

IpAddress IpAddress::Plain() const {
  IpAddress plain;
  plain.v6 = v6 && !HasPrefix(bytes, kMapped, 96);
  if (v6 && !plain.v6) {
    std::copy_n(bytes.begin() + 12, 4, plain.bytes.begin());
  } else {
    plain.bytes = bytes;
  }
  return plain;
}

AddressClass Classify(const IpAddress& address) {
  if (!address.v6) return Find(kV4, address.bytes);
  if (address.scope != 0) return AddressClass::kLinkLocal;
  if (HasPrefix(address.bytes, kMapped, 96)) return ClassifyV4At(address, 12);
  if (HasPrefix(address.bytes, kNat64, 96)) return Translated(ClassifyV4At(address, 12));
  if (HasPrefix(address.bytes, k6to4, 16)) return Translated(ClassifyV4At(address, 2));
  return Find(kV6, address.bytes);
}

bool AddressPolicy::Allows(const IpAddress& address) const {
  switch (Classify(address)) {
    case AddressClass::kPublic:
      return true;
    case AddressClass::kLoopback:
      return loopback;
    case AddressClass::kPrivate:
    case AddressClass::kSharedAddress:
      return private_networks;
    default:
      return false;
  }
}

}  // namespace toolpost::net
