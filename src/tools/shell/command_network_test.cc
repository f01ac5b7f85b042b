// Commands with a network, by real programs: what the operator lists is reached through the proxy,
// everything else fails in the proxy or in the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

#include "base/log.h"
#include "mcp/test_context.h"
#include "net/host_policy.h"
#include "net/tls_fixture.h"
#include "tools/shell/shell.h"

namespace toolpost::tools::shell {
namespace {

using net::testing::TestServer;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Network : public ::testing::Test {
 protected:
  Network() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_net_XXXXXX").string();
    base_ = mkdtemp(name.data());
    chmod(base_.c_str(), 0755);
    std::filesystem::create_directories(base_ / "work");
    sandbox::RootsOptions options;
    options.roots = {(base_ / "work").string()};
    roots_ = *sandbox::Roots::Open(options);
    services_.roots = [this](CallContext&) -> Result<std::shared_ptr<const sandbox::Roots>> {
      return roots_;
    };
    services_.spawner = sandbox::Spawner::Fork();
    services_.confinement = std::make_shared<sandbox::ConfinementProbe>(services_.spawner);
    services_.slots = std::make_shared<RunSlots>(RunSlots::Limits{});
    services_.policy.allowed = {"curl", "git", "node", "npm", "ls", "cat"};
    Grant({"127.0.0.1", "allowed.example"});
  }
  ~Network() override { std::filesystem::remove_all(base_); }

  void SetUp() override {
    const sandbox::Confinement& found = services_.confinement->Get();
    if (found.level < 3) GTEST_SKIP() << "this machine offers level " << found.description;
    for (const char* program : {"curl", "git", "node", "npm"}) {
      const bool there = access(("/usr/bin/" + std::string(program)).c_str(), X_OK) == 0 ||
                         access(("/usr/local/bin/" + std::string(program)).c_str(), X_OK) == 0;
      if (!there) GTEST_SKIP() << program << " is not installed";
    }
  }

  // allowed.example and evil.example are this machine; 127.0.0.1 stands for itself.
  void Grant(std::vector<std::string> hosts) {
    const auto policy = net::HostPolicy::Make({.allow = std::move(hosts), .loopback = true});
    ASSERT_TRUE(policy.has_value());
    net::FetchOptions rules;
    rules.addresses.loopback = true;
    rules.check_url = [policy = *policy](const net::HttpUrl& url) { return policy.Check(url); };
    rules.resolver = [](const std::string&, base::SteadyTime,
                        std::stop_token) -> Result<std::vector<net::IpAddress>> {
      return std::vector{*net::IpAddress::Parse("127.0.0.1")};
    };
    services_.network = rules;
  }
  Json Run(const std::string& command) {
    const auto called = ExecuteTool(services_).handler({{"command", command}}, context_);
    return called ? called->structured : Json{{"refused", called.error().message}};
  }
  static std::string Text(const Json& result, std::string_view name) {
    const Json* text = result.as_object().if_contains(name);
    return text == nullptr ? "none" : std::string(text->as_string());
  }
  static std::string At(const TestServer& server, const std::string& host = "127.0.0.1") {
    return host + ":" + std::to_string(server.port());
  }
  // Serves the files below `folder`.
  static net::HttpServer::Handler Files(const std::filesystem::path& folder) {
    return [folder](const net::Request& request, const std::shared_ptr<net::Exchange>& exchange) {
      const std::string target(request.target.substr(0, request.target.find('?')));
      std::ifstream file(folder / target.substr(1), std::ios::binary);
      std::ostringstream text;
      if (file) text << file.rdbuf();
      exchange->Send(file ? 200 : 404, "application/octet-stream", text.str());
    };
  }

  std::filesystem::path base_;
  std::shared_ptr<const sandbox::Roots> roots_;
  ShellServices services_;
  mcp::TestContext context_;
};

TEST_F(Network, CurlReachesWhatIsListed) {
  TestServer server(net::testing::Echo);
  EXPECT_EQ(Text(Run("curl -s http://" + At(server, "allowed.example") + "/p"), "stdout"),
            "GET /p ");
  EXPECT_EQ(Text(Run("curl -s -d sent http://" + At(server) + "/p"), "stdout"), "POST /p sent");
  ASSERT_EQ(context_.contacts().size(), 2u);
  EXPECT_EQ(context_.contacts()[0].host, "allowed.example");
  EXPECT_EQ(context_.contacts()[0].address, "127.0.0.1");
  EXPECT_EQ(context_.contacts()[0].outcome, "connected");
  EXPECT_EQ(context_.contacts()[1].sent, 4u);
}

TEST_F(Network, HttpsGoesThroughUnread) {
  const net::testing::CertificateFiles files;
  net::ServerOptions options = net::testing::TestOptions();
  options.tls_cert = files.cert();
  options.tls_key = files.key();
  TestServer server(net::testing::Echo, options);
  EXPECT_EQ(Text(Run("curl -s -k https://" + At(server, "allowed.example") + "/tls"), "stdout"),
            "GET /tls ");
  // Certificates are judged by the program, which knows those of the system.
  EXPECT_NE(Run("curl -s https://" + At(server, "allowed.example") + "/tls").at("exitCode"), 0);
}

TEST_F(Network, WhatIsNotListedIsRefusedAndExplained) {
  TestServer server(net::testing::Echo);
  const Json refused = Run("curl -s http://" + At(server, "evil.example") + "/p");
  EXPECT_THAT(Text(refused, "stdout"), HasSubstr("may not connect to evil.example"));
  ASSERT_TRUE(refused.as_object().contains("refusedConnections"));
  EXPECT_THAT(std::string(refused.at("refusedConnections").at(0).as_string()),
              AllOf(HasSubstr("evil.example:"), HasSubstr("operator")));
  const Json tunnel = Run("curl -s https://" + At(server, "evil.example") + "/p");
  EXPECT_NE(tunnel.at("exitCode"), 0);
  EXPECT_EQ(tunnel.at("refusedConnections").as_array().size(), 1u);
  for (const Contact& contact : context_.contacts()) {
    EXPECT_EQ(contact.outcome, "refused");
    EXPECT_EQ(contact.address, "");
  }
  EXPECT_EQ(context_.contacts().size(), 2u);
}

TEST_F(Network, WithoutTheProxyTheKernelRefuses) {
  bool reached = false;
  TestServer server([&](const net::Request&, const std::shared_ptr<net::Exchange>& exchange) {
    reached = true;
    exchange->Send(200, "", "");
  });
  const Json loopback = Run("curl -s -S --noproxy '*' http://" + At(server) + "/");
  EXPECT_EQ(loopback.at("exitCode"), 7) << Text(loopback, "stderr");
  const Json other = Run("curl -s -S --noproxy '*' http://192.0.2.1/");
  EXPECT_EQ(other.at("exitCode"), 7) << Text(other, "stderr");
  const Json node = Run("node -e \"require('net').connect(" + std::to_string(server.port()) +
                        ", '127.0.0.1').on('error', (e) => console.log(e.code))\"");
  EXPECT_EQ(Text(node, "stdout"), "ECONNREFUSED\n") << Text(node, "stderr");
  EXPECT_FALSE(reached);
  EXPECT_TRUE(context_.contacts().empty());
}

TEST_F(Network, GitFetchesAndClones) {
  const std::string repository = (base_ / "served/repo.git").string();
  const std::string make =
      "cd '" + base_.string() +
      "' && git init -q source && cd source && echo text > file && "
      "git add file && git -c user.name=t -c user.email=t@t commit -q -m first && "
      "git clone -q --bare . '" +
      repository + "' && cd '" + repository +
      "' && "
      "git update-server-info";
  ASSERT_EQ(system(make.c_str()), 0);
  TestServer server(Files(base_ / "served"));
  const std::string url = "http://" + At(server) + "/repo.git";
  const Json cloned = Run("git clone -q " + url + " copy");
  EXPECT_EQ(cloned.at("exitCode"), 0) << Text(cloned, "stderr");
  EXPECT_EQ(Text(Run("cat copy/file"), "stdout"), "text\n");
  EXPECT_THAT(Text(Run("git ls-remote " + url), "stdout"), HasSubstr("refs/heads/"));
  const Json evil = Run("git ls-remote http://" + At(server, "evil.example") + "/repo.git");
  EXPECT_NE(evil.at("exitCode"), 0);
  EXPECT_THAT(Text(evil, "stderr"), HasSubstr("403"));
  EXPECT_THAT(Text(Run("git ls-remote ssh://127.0.0.1/x"), "stderr"), HasSubstr("ssh"));
}

TEST_F(Network, NpmAsksItsRegistry) {
  TestServer server([](const net::Request& request,
                       const std::shared_ptr<net::Exchange>& exchange) {
    EXPECT_EQ(request.target, "/small");
    exchange->Send(200, "application/json",
                   R"({"name":"small","dist-tags":{"latest":"1.2.3"},"versions":{"1.2.3":)"
                   R"({"name":"small","version":"1.2.3","dist":{"tarball":"http://x/s.tgz"}}}})");
  });
  const Json shown =
      Run("npm view small version --registry http://" + At(server, "allowed.example") + "/");
  EXPECT_EQ(Text(shown, "stdout"), "1.2.3\n") << Text(shown, "stderr");
}

TEST_F(Network, ACredentialThatMayNotUseTheWebHasNone) {
  TestServer server(net::testing::Echo);
  const auto credential = std::make_shared<Credential>();
  credential->grants.scopes = {"read", "shell"};
  context_.who.credential = credential;
  const Json result = Run("curl -s -S http://" + At(server) + "/");
  EXPECT_EQ(result.at("exitCode"), 7);
  EXPECT_THAT(Text(Run("git ls-remote http://" + At(server) + "/x"), "refused"),
              AllOf(HasSubstr("shell.network_hosts"), HasSubstr("scope write")));
  const auto writer = std::make_shared<Credential>();
  writer->grants.scopes = {"write", "shell"};
  context_.who.credential = writer;
  EXPECT_EQ(Text(Run("curl -s http://" + At(server) + "/"), "stdout"), "GET / ");
}

TEST_F(Network, WithoutAGrantThereIsNone) {
  TestServer server(net::testing::Echo);
  services_.network.reset();
  EXPECT_NE(Run("curl -s http://" + At(server) + "/").at("exitCode"), 0);
  EXPECT_THAT(Text(Run("git fetch"), "refused"), HasSubstr("shell.network_hosts"));
  EXPECT_FALSE(ExecuteTool(services_).info.hints.open_world.value_or(true));
}

TEST_F(Network, ProgramsWithoutUseForItGetNone) {
  EXPECT_EQ(Text(Run("cat /proc/net/tcp"), "stdout").find("0100007F:0C38"), std::string::npos);
  EXPECT_FALSE(UsesNetwork({"ls"}));
  EXPECT_FALSE(UsesNetwork({"git", "status"}));
  EXPECT_TRUE(UsesNetwork({"git", "--no-pager", "fetch"}));
  EXPECT_TRUE(UsesNetwork({"npm", "install"}));
}

TEST_F(Network, EndingTheCommandEndsItsConnections) {
  services_.max_timeout = std::chrono::milliseconds(1000);
  std::mutex mutex;
  std::vector<std::shared_ptr<net::Exchange>> held;
  TestServer server([&](const net::Request&, const std::shared_ptr<net::Exchange>& exchange) {
    const std::lock_guard lock(mutex);
    held.push_back(exchange);
  });
  const Json result = Run("curl -s http://" + At(server) + "/");
  EXPECT_EQ(result.at("timedOut"), true);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(held.size(), 1u);
  held.clear();
}

}  // namespace
}  // namespace toolpost::tools::shell
