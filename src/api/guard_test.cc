#include "api/guard.h"

#include <gtest/gtest.h>

namespace toolpost::api {
namespace {

Guard::Verdict Check(const Guard& guard, const std::vector<net::Header>& headers) {
  net::Request request;
  request.headers = &headers;
  return guard.Check(request);
}

TEST(Guard, LoopbackNamesAreAllowedWithAnyPort) {
  const Guard guard({}, {});
  for (const std::string_view host :
       {"localhost", "LOCALHOST:3001", "127.0.0.1:9", "127.0.0.2:9", "[::1]:3001", "[::1]"}) {
    EXPECT_TRUE(Check(guard, {{"Host", host}}).allowed) << host;
  }
}

TEST(Guard, OtherHostsAreRefused) {
  const Guard guard({}, {});
  for (const std::string_view host :
       {"evil.example.com", "localhost.evil.com", "127.0.0.1.evil.com", "127.evil.com", "[::2]",
        "[::1", "[::1].evil.com", "[::1]:3001@evil.com", "localhost:3001@evil.com", "localhost:x",
        ""}) {
    const auto verdict = Check(guard, {{"Host", host}});
    EXPECT_FALSE(verdict.allowed) << host;
    EXPECT_NE(verdict.reason.find("http.allowed_hosts"), std::string_view::npos);
  }
  EXPECT_FALSE(Check(guard, {}).allowed);
}

TEST(Guard, OriginsAreCheckedToo) {
  const Guard guard({}, {"https://app.example.com"});
  EXPECT_TRUE(Check(guard, {{"Host", "localhost"}, {"Origin", "http://localhost:5173"}}).allowed);
  EXPECT_TRUE(Check(guard, {{"Host", "localhost"}, {"Origin", "https://app.example.com"}}).allowed);
  for (const std::string_view origin :
       {"http://evil.example.com", "null", "https://app.example.com.evil.com",
        "http://localhost.evil.com", "http://localhost:1@evil.com", "http://[::1].evil.com",
        "file://"}) {
    EXPECT_FALSE(Check(guard, {{"Host", "localhost"}, {"Origin", origin}}).allowed) << origin;
  }
}

TEST(Guard, D24_CrossSiteFetchesAreRefusedUnlessTheOriginIsConfigured) {
  const Guard guard({}, {"https://app.example.com"});
  EXPECT_FALSE(Check(guard, {{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}}).allowed);
  EXPECT_TRUE(Check(guard, {{"Host", "localhost"}, {"Sec-Fetch-Site", "same-origin"}}).allowed);
  EXPECT_TRUE(Check(guard, {{"Host", "localhost"},
                            {"Sec-Fetch-Site", "cross-site"},
                            {"Origin", "https://app.example.com"}})
                  .allowed);
}

TEST(Guard, ConfiguredHostsMatchWithAndWithoutPort) {
  const Guard guard({"tools.example.com", "other.example.com:8080"}, {});
  EXPECT_TRUE(Check(guard, {{"Host", "tools.example.com:3001"}}).allowed);
  EXPECT_TRUE(Check(guard, {{"Host", "other.example.com:8080"}}).allowed);
  EXPECT_FALSE(Check(guard, {{"Host", "other.example.com:9090"}}).allowed);
}

TEST(Guard, AllowedOriginsGetCorsHeaders) {
  const Guard guard({}, {});
  const auto verdict = Check(guard, {{"Host", "localhost"}, {"Origin", "http://localhost:5173"}});
  EXPECT_NE(verdict.cors.find("Access-Control-Allow-Origin: http://localhost:5173\r\n"),
            std::string::npos);
  EXPECT_NE(verdict.cors.find("Mcp-Session-Id"), std::string::npos);
  EXPECT_TRUE(Check(guard, {{"Host", "localhost"}}).cors.empty());
}

TEST(Guard, PreflightsAllowTheHeadersOfMcpAndThoseToolsNamed) {
  const std::vector<net::Header> headers = {
      {"Access-Control-Request-Headers",
       "mcp-method, mcp-param-region,Mcp-Param-X_1, mcp-param-,"
       " mcp-param-a;b, x-other"}};
  net::Request request;
  request.headers = &headers;
  const std::string allowed = PreflightHeaders(request);
  EXPECT_NE(allowed.find("Mcp-Method, Mcp-Name"), std::string::npos);
  EXPECT_NE(allowed.find(", baggage, mcp-param-region, Mcp-Param-X_1\r\n"), std::string::npos)
      << allowed;
}

}  // namespace
}  // namespace toolpost::api
