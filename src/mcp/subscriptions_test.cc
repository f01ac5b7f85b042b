#include "mcp/subscriptions.h"

#include <gtest/gtest.h>

#include <mutex>

#include "base/clock.h"
#include "base/log.h"
#include "base/strings.h"
#include "mcp/connection.h"
#include "mcp/core.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kUri = "test://own";

// A client that subscribed to kUri, in the way of its revision.
class Subscriber {
 public:
  Subscriber(Core& core, const std::string& user, bool modern,
             std::shared_ptr<const Credential> credential = nullptr) {
    Connection::Options options{.transport = "test", .view = {}, .hang_up = {}};
    auto principal = std::make_shared<Principal>();
    principal->id = principal->user = user;
    principal->credential = std::move(credential);
    options.principal = std::move(principal);
    connection_ = Connection::Open(core, std::move(options), [this](const std::string& message) {
      const std::lock_guard lock(mutex_);
      if (message.find("notifications/resources/updated") != std::string::npos) ++updates_;
      last_ = message;
    });
    if (modern) {
      connection_->Receive(base::StrCat(
          R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{)",
          R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)",
          R"("io.modelcontextprotocol/clientCapabilities":{}},)",
          R"("notifications":{"resourceSubscriptions":[")", kUri, R"("]}}})"));
      return;
    }
    connection_->Receive(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    connection_->Receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    connection_->Receive(
        base::StrCat(R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":")",
                     kUri, R"("}})"));
  }
  ~Subscriber() { connection_->Close(); }
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;

  std::string last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  int updates() const {
    const std::lock_guard lock(mutex_);
    return updates_;
  }

 private:
  mutable std::mutex mutex_;
  int updates_ = 0;
  std::string last_;
  std::shared_ptr<Connection> connection_;
};

class Subscriptions : public ::testing::Test {
 protected:
  Subscriptions() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    ResourceInfo info;
    info.uri = kUri;
    info.name = "own";
    EXPECT_TRUE(core_.catalog.AddResource(
        info, [](std::string_view, const UriVariables&, CallContext&) -> Result<ResourceContents> {
          return ResourceContents{};
        }));
  }
  ~Subscriptions() override { core_.Stop(); }

  Core core_{ServerOptions{}};
};

TEST_F(Subscriptions, AChangeForOneUserIsToldToThatUserAlone) {
  for (const bool modern : {false, true}) {
    const Subscriber ann(core_, "ann", modern), again(core_, "ann", modern),
        bob(core_, "bob", modern), nobody(core_, "", modern);
    EXPECT_EQ(core_.ResourceUpdated(kUri, "ann"), 2u);
    EXPECT_EQ(core_.ResourceUpdated(kUri, "an"), 0u);
    EXPECT_EQ(core_.ResourceUpdated("test://other", "ann"), 0u);
    EXPECT_EQ(ann.updates(), 1) << modern;
    EXPECT_EQ(again.updates(), 1) << modern;
    EXPECT_EQ(bob.updates(), 0) << modern;
    EXPECT_EQ(nobody.updates(), 0) << modern;
  }
}

TEST_F(Subscriptions, AChangeForEverybodyIsToldToAll) {
  const Subscriber ann(core_, "ann", false), bob(core_, "bob", true), nobody(core_, "", false);
  EXPECT_EQ(core_.ResourceUpdated(kUri), 3u);
  EXPECT_EQ(ann.updates(), 1);
  EXPECT_EQ(bob.updates(), 1);
  EXPECT_EQ(nobody.updates(), 1);
}

TEST_F(Subscriptions, ListensEndWithTheirCredentialAndSayThatTheyAreOver) {
  const auto readable = [] {
    auto credential = std::make_shared<Credential>();
    credential->grants.scopes = {"read"};
    return credential;
  };
  const auto revoked = readable(), expired = readable(), good = readable();
  const Subscriber ann(core_, "ann", true, revoked), bob(core_, "bob", true, expired),
      eve(core_, "eve", true, good), local(core_, "local", true);
  core_.listens.EndRefused();
  EXPECT_EQ(core_.listens.open(), 4u);
  revoked->revoked = true;
  expired->expires = base::Now();
  good->expires = base::Now() + std::chrono::hours(1);
  core_.listens.EndRefused();
  EXPECT_EQ(core_.listens.open(), 2u);
  for (const Subscriber* ended : {&ann, &bob})
    EXPECT_NE(ended->last().find(R"("id":1,"result":{"resultType":"complete")"), std::string::npos)
        << ended->last();
  EXPECT_EQ(core_.ResourceUpdated(kUri), 2u);
  EXPECT_EQ(ann.updates() + bob.updates(), 0);
  EXPECT_EQ(eve.updates() + local.updates(), 2);
}

TEST_F(Subscriptions, NobodySubscribesToWhatTheyMayNotRead) {
  const auto writer = std::make_shared<Credential>();
  writer->grants.scopes = {"write"};
  for (const bool modern : {false, true}) {
    const Subscriber ann(core_, "ann", modern, writer);
    EXPECT_EQ(core_.ResourceUpdated(kUri), 0u) << modern;
  }
}

}  // namespace
}  // namespace toolpost::mcp
