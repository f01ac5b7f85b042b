#include "net/address_class.h"

#include <gtest/gtest.h>

namespace toolpost::net {
namespace {

struct Classified {
  const char* text;
  AddressClass expected;
};

TEST(AddressClass, EveryRangeAtItsFirstAndLastAddressAndBeside) {
  using enum AddressClass;
  const Classified cases[] = {
      {"0.0.0.0", kUnspecified},
      {"0.255.255.255", kUnspecified},
      {"1.0.0.0", kPublic},
      {"1.1.1.1", kPublic},
      {"9.255.255.255", kPublic},
      {"10.0.0.0", kPrivate},
      {"10.255.255.255", kPrivate},
      {"11.0.0.0", kPublic},
      {"100.63.255.255", kPublic},
      {"100.64.0.0", kSharedAddress},
      {"100.127.255.255", kSharedAddress},
      {"100.128.0.0", kPublic},
      {"100.100.100.200", kMetadata},
      {"126.255.255.255", kPublic},
      {"127.0.0.0", kLoopback},
      {"127.0.0.1", kLoopback},
      {"127.255.255.255", kLoopback},
      {"128.0.0.0", kPublic},
      {"168.63.129.16", kMetadata},
      {"168.63.129.17", kPublic},
      {"169.253.255.255", kPublic},
      {"169.254.0.0", kLinkLocal},
      {"169.254.169.254", kMetadata},
      {"169.254.170.2", kMetadata},
      {"169.254.170.23", kMetadata},
      {"169.254.255.255", kLinkLocal},
      {"169.255.0.0", kPublic},
      {"172.15.255.255", kPublic},
      {"172.16.0.0", kPrivate},
      {"172.31.255.255", kPrivate},
      {"172.32.0.0", kPublic},
      {"191.255.255.255", kPublic},
      {"192.0.0.0", kReserved},
      {"192.0.0.192", kMetadata},
      {"192.0.0.255", kReserved},
      {"192.0.1.0", kPublic},
      {"192.0.2.1", kDocumentation},
      {"192.31.196.1", kReserved},
      {"192.52.193.1", kReserved},
      {"192.88.99.1", kReserved},
      {"192.167.255.255", kPublic},
      {"192.168.0.0", kPrivate},
      {"192.168.255.255", kPrivate},
      {"192.169.0.0", kPublic},
      {"192.175.48.1", kReserved},
      {"198.17.255.255", kPublic},
      {"198.18.0.0", kReserved},
      {"198.19.255.255", kReserved},
      {"198.20.0.0", kPublic},
      {"198.51.100.1", kDocumentation},
      {"203.0.113.1", kDocumentation},
      {"223.255.255.255", kPublic},
      {"224.0.0.0", kMulticast},
      {"239.255.255.255", kMulticast},
      {"240.0.0.0", kReserved},
      {"255.255.255.255", kReserved},

      {"::", kUnspecified},
      {"::1", kLoopback},
      {"::2", kReserved},
      {"::127.0.0.1", kReserved},
      {"::8.8.8.8", kReserved},
      {"::ffff:8.8.8.8", kPublic},
      {"::ffff:127.0.0.1", kLoopback},
      {"::ffff:10.1.2.3", kPrivate},
      {"::ffff:a9fe:a9fe", kMetadata},
      {"::ffff:0:127.0.0.1", kReserved},
      {"::ffff:0:8.8.8.8", kReserved},
      {"64:ff9b::8.8.8.8", kPublic},
      {"64:ff9b::127.0.0.1", kReserved},
      {"64:ff9b::10.0.0.1", kReserved},
      {"64:ff9b::169.254.169.254", kMetadata},
      {"64:ff9b:1::8.8.8.8", kReserved},
      {"100::1", kReserved},
      {"1fff:ffff::1", kReserved},
      {"2000::1", kPublic},
      {"2001::1", kReserved},
      {"2001:1ff:ffff::1", kReserved},
      {"2001:200::1", kPublic},
      {"2001:db8::1", kDocumentation},
      {"2001:db9::1", kPublic},
      {"2002:7f00:1::", kReserved},
      {"2002:a00:1::", kReserved},
      {"2002:a9fe:a9fe::", kMetadata},
      {"2002:808:808::", kPublic},
      {"2606:4700:4700::1111", kPublic},
      {"3ffe::1", kPublic},
      {"3fff::1", kDocumentation},
      {"3fff:fff::1", kDocumentation},
      {"3fff:1000::1", kPublic},
      {"4000::1", kReserved},
      {"5f00::1", kReserved},
      {"fc00::1", kPrivate},
      {"fdff::1", kPrivate},
      {"fd00:ec2::254", kMetadata},
      {"fd00:ec2::23", kMetadata},
      {"fd20:ce::254", kMetadata},
      {"fe00::1", kReserved},
      {"fe80::1", kLinkLocal},
      {"febf::1", kLinkLocal},
      {"fec0::1", kReserved},
      {"ff02::1", kMulticast},
  };
  for (const Classified& c : cases) {
    const auto address = IpAddress::Parse(c.text);
    ASSERT_TRUE(address.has_value()) << c.text;
    EXPECT_EQ(Classify(*address), c.expected) << c.text;
  }
}

TEST(AddressClass, AnAddressWithAZoneIsLinkLocal) {
  sockaddr_in6 raw{};
  raw.sin6_family = AF_INET6;
  raw.sin6_scope_id = 2;
  raw.sin6_addr.s6_addr[0] = 0x20;
  const auto address = IpAddress::From(reinterpret_cast<const sockaddr*>(&raw));
  ASSERT_TRUE(address.has_value());
  EXPECT_EQ(Classify(*address), AddressClass::kLinkLocal);
}

TEST(AddressClass, ParsesOnlyTheUsualSpellings) {
  for (const char* text :
       {"", "1", "127.1", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.1 ", " 127.0.0.1",
        "127.0.0.1:80", "[::1]", "::1%1", "fe80::1%eth0", "256.0.0.1", ":::", "localhost",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0001"}) {
    EXPECT_FALSE(IpAddress::Parse(text).has_value()) << text;
  }
  EXPECT_FALSE(IpAddress::Parse(std::string_view("::1\0", 4)).has_value());
  for (const char* text : {"127.0.0.1", "::1", "2001:db8::1"}) {
    EXPECT_EQ(IpAddress::Parse(text)->ToString(), text);
  }
}

TEST(AddressClass, OtherFamiliesAreNoAddress) {
  sockaddr raw{};
  raw.sa_family = AF_UNIX;
  EXPECT_FALSE(IpAddress::From(&raw).has_value());
}

TEST(AddressPolicy, OpensOnlyWhatItNames) {
  const auto allows = [](const AddressPolicy& policy, const char* text) {
    return policy.Allows(*IpAddress::Parse(text));
  };
  const AddressPolicy strict;
  const AddressPolicy loopback{.loopback = true};
  const AddressPolicy inside{.private_networks = true};
  const AddressPolicy open{.loopback = true, .private_networks = true};
  for (const AddressPolicy& policy : {strict, loopback, inside, open}) {
    EXPECT_TRUE(allows(policy, "8.8.8.8"));
    EXPECT_EQ(allows(policy, "127.0.0.1"), policy.loopback);
    EXPECT_EQ(allows(policy, "::ffff:127.0.0.1"), policy.loopback);
    EXPECT_EQ(allows(policy, "10.0.0.1"), policy.private_networks);
    EXPECT_EQ(allows(policy, "fd12::1"), policy.private_networks);
    EXPECT_EQ(allows(policy, "100.64.0.1"), policy.private_networks);
    for (const char* never : {"169.254.169.254", "169.254.1.1", "fe80::1", "0.0.0.0", "::",
                              "224.0.0.1", "255.255.255.255", "fd00:ec2::254", "100.100.100.200",
                              "64:ff9b::127.0.0.1", "2002:7f00:1::", "::127.0.0.1"}) {
      EXPECT_FALSE(allows(policy, never)) << never;
    }
  }
}

}  // namespace
}  // namespace toolpost::net
