#include "net/host_policy.h"

#include <gtest/gtest.h>

#include "net/own_address.h"

namespace toolpost::net {
namespace {

bool Allows(const HostPolicy::Rules& rules, std::string_view url) {
  const auto policy = HostPolicy::Make(rules);
  EXPECT_TRUE(policy.has_value()) << policy.error().message;
  const auto parsed = HttpUrl::Parse(url);
  EXPECT_TRUE(parsed.has_value()) << url << ": " << parsed.error().message;
  return policy && parsed && policy->Check(*parsed).has_value();
}

TEST(HostPolicy, DefaultPorts) {
  for (const char* url : {"http://a.example/", "https://a.example/", "http://a.example:8080/",
                          "https://a.example:8443/", "http://a.example:1024/",
                          "http://a.example:3000/", "http://a.example:65535/"})
    EXPECT_TRUE(Allows({}, url)) << url;
  for (const int port :
       {1,    21,   22,   23,   25,   53,   79,   81,   110,   111,   135,  139,  389,
        442,  445,  465,  587,  636,  993,  1023, 1433, 2049,  2375,  2379, 3306, 3389,
        5432, 5672, 6000, 6063, 6379, 6443, 6667, 9200, 10250, 11211, 27017}) {
    EXPECT_FALSE(Allows({}, "http://a.example:" + std::to_string(port) + "/")) << port;
  }
}

TEST(HostPolicy, ConfiguredPortsReplaceTheDefaults) {
  const HostPolicy::Rules rules{.ports = {"443", "8000-8002"}};
  for (const char* url : {"https://a.example/", "http://a.example:8000/", "http://a.example:8002/"})
    EXPECT_TRUE(Allows(rules, url)) << url;
  for (const char* url : {"http://a.example/", "http://a.example:7999/", "http://a.example:8003/"})
    EXPECT_FALSE(Allows(rules, url)) << url;
  for (const char* bad : {"", "0", "a", "1-", "-1", "2-1", "65536", "80 ", "1-2-3"})
    EXPECT_FALSE(HostPolicy::Make({.ports = {bad}}).has_value()) << bad;
}

TEST(HostPolicy, DenyWinsOverAllow) {
  const HostPolicy::Rules rules{.allow = {"example.com", "*.example.com", "9.9.9.9"},
                                .deny = {"secret.example.com", "*.secret.example.com"}};
  for (const char* url : {"http://example.com/", "http://EXAMPLE.com./", "http://a.example.com/",
                          "http://a.b.example.com/", "http://9.9.9.9/"})
    EXPECT_TRUE(Allows(rules, url)) << url;
  for (const char* url :
       {"http://secret.example.com/", "http://a.secret.example.com/", "http://xexample.com/",
        "http://example.com.evil.net/", "http://com/", "http://8.8.8.8/", "http://notexample.com/"})
    EXPECT_FALSE(Allows(rules, url)) << url;
  EXPECT_FALSE(Allows({.allow = {"*.example.com"}}, "http://example.com/"));
}

TEST(HostPolicy, AddressesAreComparedAsAddresses) {
  const HostPolicy::Rules rules{.deny = {"9.9.9.9", "2620:00FE::FE"}};
  for (const char* url : {"http://9.9.9.9/", "http://[::ffff:9.9.9.9]/", "http://151587081/",
                          "http://[2620:fe::fe]/", "http://[2620:fe:0:0:0:0:0:fe]/"})
    EXPECT_FALSE(Allows(rules, url)) << url;
  EXPECT_TRUE(Allows(rules, "http://9.9.9.10/"));
  const auto policy = HostPolicy::Make(rules);
  EXPECT_TRUE(policy->Denies(*IpAddress::Parse("9.9.9.9")));
  EXPECT_TRUE(policy->Denies(*IpAddress::Parse("::ffff:9.9.9.9")));
  EXPECT_FALSE(policy->Denies(*IpAddress::Parse("9.9.9.8")));
}

TEST(HostPolicy, PatternsMustBeHosts) {
  for (const char* bad : {"", "*", "*.", "a*.example", "http://a.example", "a.example/", "a b",
                          "a.example:80", "m\xC3\xBCller.example"})
    EXPECT_FALSE(HostPolicy::Make({.allow = {bad}}).has_value()) << bad;
  for (const char* good : {"a.example", "*.example", "::1", "10.0.0.1", "A_b.Example."})
    EXPECT_TRUE(HostPolicy::Make({.deny = {good}}).has_value()) << good;
}

TEST(HostPolicy, NamesOfInsideNeedTheirSwitch) {
  for (const char* url : {"http://localhost/", "http://LOCALHOST./", "http://a.localhost/",
                          "http://ip6-localhost/"}) {
    EXPECT_FALSE(Allows({}, url)) << url;
    EXPECT_FALSE(Allows({.private_networks = true}, url)) << url;
    EXPECT_TRUE(Allows({.loopback = true}, url)) << url;
  }
  for (const char* url : {"http://printer.local/", "http://wiki.internal/", "http://x.home.arpa/",
                          "http://nas.lan/"}) {
    EXPECT_FALSE(Allows({}, url)) << url;
    EXPECT_TRUE(Allows({.private_networks = true}, url)) << url;
  }
  const HostPolicy::Rules open{.loopback = true, .private_networks = true};
  for (const char* url : {"http://metadata.google.internal/", "http://metadata/",
                          "http://instance-data/", "http://metadata.goog/"})
    EXPECT_FALSE(Allows(open, url)) << url;
  for (const char* url : {"http://localhost.example/", "http://mylocalhost/", "http://local/",
                          "http://internal.example/", "http://notlocal/"})
    EXPECT_TRUE(Allows({}, url)) << url;
}

TEST(OwnAddress, KnowsItsListeners) {
  const auto own = [](const std::vector<std::string>& hosts, const char* address) {
    return IsListeningAddress(hosts, *IpAddress::Parse(address));
  };
  EXPECT_TRUE(own({"127.0.0.1"}, "127.0.0.1"));
  EXPECT_TRUE(own({"127.0.0.1"}, "::ffff:127.0.0.1"));
  EXPECT_TRUE(own({"127.0.0.1", "::1"}, "::1"));
  EXPECT_FALSE(own({"127.0.0.1"}, "127.0.0.2"));
  EXPECT_FALSE(own({"127.0.0.1"}, "::1"));
  EXPECT_TRUE(own({"localhost"}, "127.0.0.9"));
  EXPECT_TRUE(own({"0.0.0.0"}, "127.0.0.9"));
  EXPECT_TRUE(own({"::"}, "127.0.0.1"));
  EXPECT_TRUE(own({"::"}, "::1"));
  EXPECT_FALSE(own({"0.0.0.0"}, "192.0.2.1"));
  EXPECT_TRUE(own({"192.0.2.1"}, "192.0.2.1"));
  EXPECT_FALSE(own({}, "127.0.0.1"));
}

TEST(HostPolicy, StepsAtMostDoubleWithTheHostAndTheLists) {
  const auto steps = [](std::size_t patterns, std::size_t length) {
    HostPolicy::Rules rules;
    for (std::size_t i = 0; i < patterns; ++i)
      rules.deny.push_back("*." + std::string(i % 2 == 0 ? 200 : length / 2, 'a'));
    const auto policy = HostPolicy::Make(rules);
    EXPECT_TRUE(policy.has_value());
    std::size_t taken = 0;
    (void)policy->Check(
        {.text = {}, .scheme = "http", .host = std::string(length, 'a'), .port = 80}, &taken);
    return taken;
  };
  EXPECT_GT(steps(100, 1000), 0u);
  EXPECT_LE(steps(100, 2000), 2 * steps(100, 1000) + 16);
  EXPECT_LE(steps(200, 1000), 2 * steps(100, 1000) + 16);
}

}  // namespace
}  // namespace toolpost::net
