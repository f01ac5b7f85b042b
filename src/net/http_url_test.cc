#include "net/http_url.h"

#include <gtest/gtest.h>

namespace toolpost::net {
namespace {

TEST(HttpUrl, ReadsHostAndPortAndNormalises) {
  struct Case {
    const char* text;
    const char* scheme;
    const char* host;
    int port;
    const char* normal;
  };
  const Case cases[] = {
      {"http://example.com", "http", "example.com", 80, "http://example.com/"},
      {"HTTPS://EXAMPLE.com:8443/a?b=c#d", "https", "example.com", 8443,
       "https://example.com:8443/a?b=c"},
      {"https://example.com./x", "https", "example.com", 443, "https://example.com/x"},
      {"http://[::1]:8080/", "http", "::1", 8080, "http://[::1]:8080/"},
      {"http://127.1/", "http", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://2130706433/", "http", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://0x7f000001/", "http", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://0177.0.0.1/", "http", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://0x7F000001./", "http", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://127.1./", "http", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://example.com#@127.0.0.1/", "http", "example.com", 80, "http://example.com/"},
      {"http://example.com?@127.0.0.1/", "http", "example.com", 80,
       "http://example.com/?@127.0.0.1/"},
  };
  for (const Case& c : cases) {
    const auto url = HttpUrl::Parse(c.text);
    ASSERT_TRUE(url.has_value()) << c.text << ": " << url.error().message;
    EXPECT_EQ(url->scheme, c.scheme) << c.text;
    EXPECT_EQ(url->host, c.host) << c.text;
    EXPECT_EQ(url->port, c.port) << c.text;
    EXPECT_EQ(url->text, c.normal) << c.text;
  }
}

TEST(HttpUrl, RefusesWhatCouldBeReadInTwoWays) {
  const std::string cases[] = {"",
                               "example.com",
                               "//example.com/",
                               "http:/example.com/",
                               "http:///example.com/",
                               "http://",
                               "http://?x",
                               "http://./",
                               "http://../",
                               "http://:80/",
                               "ftp://example.com/",
                               "file:///etc/passwd",
                               "gopher://example.com/",
                               "javascript:alert(1)",
                               " http://example.com/",
                               "http://example.com/ x",
                               "http://user@example.com/",
                               "http://user:pass@example.com/",
                               "http://example\\@127.0.0.1/",
                               "http://%31%32%37.0.0.1/",
                               "http://[fe80::1%25eth0]/",
                               "http://example.com:0/",
                               "http://example.com:65536/",
                               "http://example.com:x/",
                               "http://[::1/",
                               "http://exam\r\nple.com/",
                               "http://example.com/\r\nX: y",
                               "http://ex\xC3\xA4mple.com/",
                               "http://example.com/\xC3\xA4",
                               std::string("http://example.com/\0x", 21),
                               "http://example.com/" + std::string(8'192, 'a')};
  for (const std::string& text : cases) {
    const auto url = HttpUrl::Parse(text);
    ASSERT_FALSE(url.has_value()) << text << " was read as " << url->host;
    EXPECT_EQ(url.error().code, Code::kInvalidArgument);
  }
}

TEST(HttpUrl, ResolvesRedirectTargets) {
  const auto base = HttpUrl::Parse("https://example.com/a/b?c").value();
  EXPECT_EQ(base.Resolve("/x")->text, "https://example.com/x");
  EXPECT_EQ(base.Resolve("x?y")->text, "https://example.com/a/x?y");
  EXPECT_EQ(base.Resolve("//other.example/z")->text, "https://other.example/z");
  EXPECT_EQ(base.Resolve("http://10.0.0.1:81/")->host, "10.0.0.1");
  EXPECT_TRUE(base.SameOrigin(*base.Resolve("https://EXAMPLE.com:443/y")));
  EXPECT_FALSE(base.SameOrigin(*base.Resolve("https://example.com:444/")));
  EXPECT_FALSE(base.SameOrigin(*base.Resolve("http://example.com:443/")));
  for (const char* bad : {"file:///etc/passwd", "gopher://x/", "http://u@example.com/", "/a b",
                          "http://\xFF/", "http:///example.com/", "http:/x", "http://%31.example/",
                          "///example.com/", "//u@example.com/", "javascript:x", "x:y"}) {
    EXPECT_FALSE(base.Resolve(bad).has_value()) << bad;
  }
}

// As much again of anything makes the reading at most twice as long.
TEST(HttpUrl, StepsAtMostDoubleWithTheLength) {
  const auto repeat = [](std::string_view piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text.append(piece);
    return text;
  };
  for (const std::string_view piece : {"a", "a.", ".", "0x7f.", "A", "1", "-", "[", ":", "%41"}) {
    for (const std::string_view before : {"http://", "http://h/", "http://h/?", "http://h/../", "x",
                                          "http://h:", "http://[", "http://u@"}) {
      const auto steps = [&](std::size_t count) {
        std::size_t taken = 0;
        (void)HttpUrl::Parse(std::string(before) + repeat(piece, count), &taken);
        return taken;
      };
      EXPECT_LE(steps(1000), 2 * steps(500) + 64) << before << piece;
    }
  }
  std::size_t taken = 0;
  EXPECT_FALSE(HttpUrl::Parse("http://h/" + std::string(1 << 20, 'a'), &taken));
  EXPECT_EQ(taken, 0u);  // refused by its length
}

}  // namespace
}  // namespace toolpost::net
