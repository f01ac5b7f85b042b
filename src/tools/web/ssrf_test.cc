// The tables of tests/vectors/web: what must be refused, and its twins that must not.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>

#include "base/json_parse.h"
#include "base/source_directory_fixture.h"
#include "base/strings.h"
#include "tools/web/web_fixture.h"

namespace toolpost::tools::web {
namespace {

class Ssrf : public WebFixture {
 protected:
  static JsonArray Vectors(std::string_view name, std::string_view member) {
    const auto parsed = base::ParseJson(base::VectorFile(std::filesystem::path("web") / name));
    EXPECT_TRUE(parsed.has_value()) << name;
    return parsed ? parsed->at(member).as_array() : JsonArray();
  }
  static std::string With(std::string text, std::uint16_t port) {
    constexpr std::string_view kPort = "{port}";
    const std::size_t at = text.find(kPort);
    return at == text.npos ? text : text.replace(at, kPort.size(), std::to_string(port));
  }
  static std::string Member(const Json& row, std::string_view name) {
    return std::string(row.at(name).as_string());
  }
  // Every name a row needs is bound to the addresses the row gives.
  void Bind(const Json& row) {
    names_.clear();
    const Json* addresses = row.as_object().if_contains("resolves");
    if (addresses == nullptr) return;
    std::string host = Member(row, "url").substr(7);
    host = host.substr(0, host.find_first_of(":/"));
    if (host.ends_with('.')) host.pop_back();
    for (char& c : host) c = base::ToLower(c);
    for (const Json& address : addresses->as_array())
      names_.emplace(host, std::string(address.as_string()));
  }
  static bool IsRefusal(const Result<Output>& output) {
    return CodeOf(output) == Code::kPermissionDenied || CodeOf(output) == Code::kInvalidArgument;
  }

  std::atomic<int> asked_ = 0;
  TestServer server_{[this](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    ++asked_;
    net::testing::Echo(request, exchange);
  }};
};

TEST_F(Ssrf, RefusedUrlsOpenNoConnection) {
  config::Config strict = LocalConfig();
  strict.web.allow_loopback = false;
  config::Config open = LocalConfig();
  open.web.allow_private = true;
  int rows = 0;
  for (const Json& row : Vectors("urls.json", "refuse")) {
    ++rows;
    Bind(row);
    const std::string url = With(Member(row, "url"), server_.port());
    for (const Tool& tool : Tools(Services(strict))) {
      const auto output = Call(tool, {{"url", url}});
      EXPECT_TRUE(IsRefusal(output)) << Member(row, "id") << " " << url;
      // What a name resolves to is nobody's business.
      for (const auto& [name, address] : names_) {
        if (output || url.find(address) != url.npos) continue;
        EXPECT_EQ(output.error().message.find(address), std::string::npos) << Member(row, "id");
      }
    }
    if (!row.as_object().contains("always")) continue;
    EXPECT_TRUE(IsRefusal(Call(RequestTool(Services(open)), {{"url", url}})))
        << Member(row, "id") << " with loopback and private networks open: " << url;
  }
  EXPECT_EQ(asked_, 0);
  EXPECT_GE(rows, 86);
}

TEST_F(Ssrf, TheirTwinsAreAnswered) {
  for (const Json& row : Vectors("urls.json", "allow")) {
    Bind(row);
    const int before = asked_;
    const std::string url = With(Member(row, "url"), server_.port());
    const auto output = RequestWith({{"url", url}});
    EXPECT_TRUE(output.has_value())
        << Member(row, "id") << " " << url << ": " << (output ? "" : output.error().message);
    EXPECT_EQ(asked_, before + 1) << Member(row, "id");
  }
}

TEST_F(Ssrf, RedirectsAreCheckedLikeTheFirstUrl) {
  names_.emplace("inside.example", "10.0.0.1");
  names_.emplace("site.example", "127.0.0.1");
  for (const char* kind : {"refuse", "allow"}) {
    for (const Json& row : Vectors("redirects.json", kind)) {
      std::atomic<int> ended = 0;
      std::string location;
      TestServer server([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
        if (request.target == "/start")
          return exchange->Send(302, "", "", "Location: " + location + "\r\n");
        ++ended;
        exchange->Send(200, "text/plain", "end");
      });
      location = With(Member(row, "location"), server.port());
      const auto output = RequestWith({{"url", Url(server, "/start")}});
      const bool allowed = std::string_view(kind) == "allow";
      EXPECT_EQ(output.has_value(), allowed)
          << Member(row, "id") << " " << location << (output ? "" : output.error().message);
      EXPECT_EQ(ended, allowed ? 1 : 0) << Member(row, "id");
    }
  }
}

TEST_F(Ssrf, HeadersCannotSmuggle) {
  for (const Json& row : Vectors("headers.json", "refuse")) {
    const auto output =
        RequestWith({{"url", Url(server_, "/")},
                     {"headers", JsonObject{{Member(row, "name"), row.at("value")}}}});
    EXPECT_EQ(CodeOf(output), Code::kInvalidArgument) << Member(row, "id");
  }
  EXPECT_EQ(asked_, 0);
  for (const Json& row : Vectors("headers.json", "allow")) {
    const auto output =
        RequestWith({{"url", Url(server_, "/")},
                     {"headers", JsonObject{{Member(row, "name"), row.at("value")}}}});
    EXPECT_TRUE(output.has_value()) << Member(row, "id") << (output ? "" : output.error().message);
  }
}

TEST_F(Ssrf, CredentialsStayWithTheirOrigin) {
  std::string seen;
  TestServer other([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    for (const char* name : {"Authorization", "Cookie", "X-API-Key", "X-Anything"}) {
      if (request.Has(name)) seen += name;
    }
    exchange->Send(200, "", std::string(request.Find("Accept")));
  });
  TestServer first([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(307, "", "", "Location: " + Url(other, "/") + "\r\n");
  });
  const auto output = RequestWith({{"url", Url(first, "/")},
                                   {"headers",
                                    {{"Authorization", "Bearer t"},
                                     {"Cookie", "a=b"},
                                     {"X-API-Key", "k"},
                                     {"X-Anything", "x"},
                                     {"Accept", "text/plain"}}}});
  EXPECT_EQ(Text(output, "body"), "text/plain");
  EXPECT_EQ(seen, "");
}

TEST_F(Ssrf, EverySpecialRangeAndTheAddressesBesideIt) {
  const auto step = [](net::IpAddress address, int by) -> std::optional<net::IpAddress> {
    const std::size_t size = address.v6 ? 16 : 4;
    for (std::size_t i = size; i-- > 0;) {
      const int sum = address.bytes[i] + by;
      address.bytes[i] = static_cast<std::uint8_t>(sum);
      if (sum >= 0 && sum <= 255) return address;
    }
    return std::nullopt;
  };
  std::vector<std::pair<net::IpAddress, net::IpAddress>> ranges;
  for (const Json& row : Vectors("addresses.json", "special"))
    ranges.emplace_back(*net::IpAddress::Parse(Member(row, "first")),
                        *net::IpAddress::Parse(Member(row, "last")));
  const auto is_special = [&](const net::IpAddress& address) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
      return range.first.v6 == address.v6 && range.first.bytes <= address.bytes &&
             address.bytes <= range.second.bytes;
    });
  };
  const net::AddressPolicy strict;
  const auto check = [&](const std::optional<net::IpAddress>& address) {
    if (!address) return;
    // IPv4 inside IPv6 is judged by the IPv4 address.
    const std::string text = address->ToString();
    if (text.starts_with("::ffff:") || text.starts_with("64:ff9b::")) return;
    EXPECT_EQ(strict.Allows(*address), !is_special(*address)) << text;
  };
  for (const auto& [first, last] : ranges) {
    for (const auto& edge : {first, last}) {
      check(edge);
      check(step(edge, 1));
      check(step(edge, -1));
    }
  }
}

TEST_F(Ssrf, OperatorListsDecide) {
  names_.emplace("site.example", "127.0.0.1");
  names_.emplace("other.example", "127.0.0.1");
  config::Config config = LocalConfig();
  config.web.allow_hosts = {"site.example"};
  const Tool allowing = RequestTool(Services(config));
  EXPECT_TRUE(Call(allowing, {{"url", Url(server_, "/", "site.example")}}).has_value());
  EXPECT_EQ(CodeOf(Call(allowing, {{"url", Url(server_, "/", "other.example")}})),
            Code::kPermissionDenied);
  EXPECT_EQ(CodeOf(Call(allowing, {{"url", Url(server_, "/")}})), Code::kPermissionDenied);
  config.web.allow_hosts.clear();
  config.web.deny_hosts = {"site.example"};
  const Tool denying = RequestTool(Services(config));
  EXPECT_EQ(CodeOf(Call(denying, {{"url", Url(server_, "/", "site.example")}})),
            Code::kPermissionDenied);
  EXPECT_TRUE(Call(denying, {{"url", Url(server_, "/", "other.example")}}).has_value());
  config.web.deny_hosts = {"127.0.0.1"};
  EXPECT_EQ(
      CodeOf(Call(RequestTool(Services(config)), {{"url", Url(server_, "/", "other.example")}})),
      Code::kPermissionDenied)
      << "the name leads to a denied address";
  config = LocalConfig();
  config.web.ports = {"443"};
  EXPECT_EQ(CodeOf(Call(RequestTool(Services(config)), {{"url", Url(server_, "/")}})),
            Code::kPermissionDenied);
}

}  // namespace
}  // namespace toolpost::tools::web
