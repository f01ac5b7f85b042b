#include "net/forward_proxy.h"

#include <thread>
#include <vector>

#include "net/host_policy.h"
#include "net/testing.h"

namespace toolpost::net {
namespace {

using testing::Client;
using testing::Echo;
using testing::TestServer;

class Proxy : public ::testing::Test {
 protected:
  Proxy() {
    rules_.addresses.loopback = true;
    rules_.resolver = [](const std::string& host, base::SteadyTime,
                         std::stop_token) -> Result<std::vector<IpAddress>> {
      if (host == "inside.example") return std::vector{*IpAddress::Parse("10.0.0.1")};
      if (host == "half.example")
        return std::vector{*IpAddress::Parse("127.0.0.1"), *IpAddress::Parse("169.254.169.254")};
      if (host == "gone.example") return Error::Unavailable("gone.example has no address.");
      return std::vector{*IpAddress::Parse("127.0.0.1")};
    };
    rules_.check_url = [](const HttpUrl& url) -> Result<void> {
      if (url.host == "evil.example") return Refusal(url.host);
      return {};
    };
  }

  // A listening socket, as a box hands it over.
  void Start() {
    base::Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(listen(listener.get(), 128), 0);
    getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    proxy_.emplace(std::move(listener), rules_, [this](const ProxiedConnection& connection) {
      const std::lock_guard lock(mutex_);
      seen_.push_back(connection);
    });
  }
  // All connections, once they have ended.
  std::vector<ProxiedConnection> Seen() {
    proxy_.reset();
    return seen_;
  }
  std::string Ask(const std::string& request) {
    Client client(port_);
    client.Send(request);
    return client.ReadToEnd();
  }
  static std::string At(const TestServer& server, const std::string& host = "a.example") {
    return host + ":" + std::to_string(server.port());
  }

  FetchOptions rules_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::vector<ProxiedConnection> seen_;
  std::optional<ForwardProxy> proxy_;
};

TEST_F(Proxy, PassesARequestOn) {
  TestServer server(Echo);
  Start();
  const std::string reply = Ask("POST http://" + At(server) +
                                "/p HTTP/1.1\r\nHost: lie.example\r\nContent-Length: 4\r\n\r\nbody"
                                "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  EXPECT_TRUE(reply.ends_with("POST /p body")) << reply;
  const auto seen = Seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].host, "a.example");
  EXPECT_EQ(seen[0].address, "127.0.0.1");
  EXPECT_EQ(seen[0].sent, 4u);
  EXPECT_EQ(seen[0].received, reply.size());
  EXPECT_EQ(seen[0].refusal, "");
}

TEST_F(Proxy, PassesChunksOn) {
  TestServer server(Echo);
  Start();
  EXPECT_TRUE(Ask("POST http://" + At(server) +
                  "/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
                  .ends_with("POST / abc"));
}

TEST_F(Proxy, ATunnelCarriesAnyBytesBothWays) {
  TestServer server(Echo);
  Start();
  Client client(port_);
  client.Send("CONNECT " + At(server) + " HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 200 Connection established\r\n\r\n");
  const std::string large(3'000'000, 'x');
  for (int round = 0; round < 3; ++round) {
    std::thread sender([&] { client.Send(testing::Post("/t", large)); });
    EXPECT_EQ(client.ReadReply().body, "POST /t " + large);
    sender.join();
  }
  client.HalfClose();
  EXPECT_TRUE(client.AtEnd());
  const auto seen = Seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_GT(seen[0].sent, 9'000'000u);
  EXPECT_GT(seen[0].received, 9'000'000u);
}

TEST_F(Proxy, RefusesAndSaysWhy) {
  TestServer server(Echo);
  Start();
  const std::string port = ":" + std::to_string(server.port());
  for (const std::string host : {"evil.example", "inside.example", "half.example", "10.0.0.1",
                                 "169.254.169.254", "[::ffff:10.0.0.1]", "0x0a000001"}) {
    for (const std::string& request :
         {"CONNECT " + host + port, "GET http://" + host + port + "/"}) {
      const std::string reply = Ask(request + " HTTP/1.1\r\n\r\n");
      EXPECT_TRUE(reply.starts_with("HTTP/1.1 403 Forbidden\r\n")) << request << reply;
      EXPECT_NE(reply.find("its operator decides which hosts and ports can be reached"),
                std::string::npos)
          << reply;
    }
  }
  for (const ProxiedConnection& each : Seen()) {
    EXPECT_TRUE(each.denied) << each.host;
    EXPECT_EQ(each.address, "") << each.host;
  }
  EXPECT_EQ(seen_.size(), 14u);
}

TEST_F(Proxy, LoopbackOnlyWhenConfigured) {
  TestServer server(Echo);
  rules_.addresses.loopback = false;
  Start();
  for (const char* host : {"127.0.0.1", "2130706433", "[::1]", "a.example"}) {
    EXPECT_TRUE(
        Ask("CONNECT " + At(server, host) + " HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403"))
        << host;
  }
}

TEST_F(Proxy, AddressesThatAreRefusedByTheOperatorAre) {
  TestServer server(Echo);
  rules_.refuses = [](const IpAddress&, std::uint16_t) { return true; };
  Start();
  EXPECT_TRUE(Ask("CONNECT " + At(server) + " HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403"));
}

TEST_F(Proxy, WhatCannotBeReachedOrReadIsAnswered) {
  std::uint16_t closed = 0;
  {
    TestServer server(Echo);
    closed = server.port();
  }
  Start();
  EXPECT_TRUE(Ask("CONNECT a.example:" + std::to_string(closed) + " HTTP/1.1\r\n\r\n")
                  .starts_with("HTTP/1.1 502"));
  EXPECT_TRUE(Ask("CONNECT gone.example:443 HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 502"));
  EXPECT_TRUE(Ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(Ask("GET http://a/" + std::string(100'000, 'a') + " HTTP/1.1\r\n\r\n")
                  .starts_with("HTTP/1.1 400"));
}

TEST_F(Proxy, GoesThroughAnotherProxy) {
  TestServer server(Echo);
  TestServer other([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    exchange->Send(200, "text/plain",
                   "via " + std::string(request.method) + " " + std::string(request.target));
  });
  rules_.proxy = "http://127.0.0.1:" + std::to_string(other.port());
  Start();
  EXPECT_TRUE(
      Ask("GET http://far.example/p HTTP/1.1\r\n\r\n").ends_with("via GET http://far.example/p"));
  EXPECT_TRUE(Ask("GET http://10.0.0.1/p HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403"));
}

TEST_F(Proxy, ManyAtOnceAndTheRestWaits) {
  TestServer server(Echo);
  Start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const std::string path = "/" + std::to_string(i * 100 + round);
        EXPECT_TRUE(Ask("GET http://" + At(server) + path + " HTTP/1.1\r\n\r\n")
                        .ends_with("GET " + path + " "));
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(Seen().size(), 160u);
}

TEST_F(Proxy, EndsWithConnectionsOpen) {
  TestServer server([](const Request&, const std::shared_ptr<Exchange>&) {});
  Start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 100; ++i) {  // more than are served at once
    clients.push_back(std::make_unique<Client>(port_));
    if (i % 2 == 0) clients.back()->Send("CONNECT " + At(server) + " HTTP/1.1\r\n\r\n");
  }
  EXPECT_EQ(clients[0]->ReadUntil("\r\n\r\n").substr(0, 12), "HTTP/1.1 200");
  proxy_.reset();
  EXPECT_TRUE(clients[0]->AtEnd());
}

}  // namespace
}  // namespace toolpost::net
