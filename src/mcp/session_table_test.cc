#include "mcp/session_table.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/log.h"
#include "mcp/core.h"

namespace toolpost::mcp {
namespace {

class Sessions : public ::testing::Test {
 protected:
  Sessions() { base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson); }

  std::shared_ptr<Session> Open(const Principal& principal = {}) {
    auto session = core_.sessions.Create("http", std::make_shared<Principal>(principal), {});
    EXPECT_TRUE(session);
    return *session;
  }
  static Result<std::string> Initialize(Session& session, std::string_view version = "2025-11-25") {
    const auto body = *Body::Parse(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
        std::string(version) +
        R"(","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"2"}}})");
    return session.Initialize(body->message());
  }

  Core core_{ServerOptions{.max_sessions = 5}};
};

TEST_F(Sessions, PRD_FR_003_2_PRD_AC_003_3_IdsAreUniqueAndCarryTheirCreationTime) {
  const auto before =
      std::chrono::duration_cast<std::chrono::milliseconds>(base::Now().time_since_epoch()).count();
  std::set<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.insert(Open()->id());
  EXPECT_EQ(ids.size(), 5u);
  for (const std::string& id : ids) {
    const std::size_t dash = id.find('-');
    ASSERT_NE(dash, std::string::npos);
    EXPECT_EQ(id.size() - dash - 1, 32u) << "128 random bits";
    const auto created = std::stoll(id.substr(0, dash), nullptr, 16);
    EXPECT_GE(created, before);
    EXPECT_LE(created, before + 600'000);
  }
}

TEST_F(Sessions, PRD_FR_003_3_PRD_FR_003_4_PRD_AC_003_1_TheRecordHoldsWhatTheHandshakeSaid) {
  const auto session = Open({.id = "alice", .user = "alice", .authenticated = true});
  EXPECT_FALSE(session->Record().is_initialized);
  ASSERT_TRUE(Initialize(*session, "2025-06-18"));
  const SessionRecord record = session->Record();
  EXPECT_EQ(record.id, session->id());
  EXPECT_EQ(record.transport, "http");
  EXPECT_TRUE(record.is_initialized);
  EXPECT_EQ(record.client_info.at("name"), Json("c"));
  EXPECT_EQ(record.protocol_version, "2025-06-18");
  EXPECT_TRUE(record.capabilities.as_object().contains("sampling"));
  EXPECT_TRUE(record.is_authenticated);
  EXPECT_LE(record.created_at, record.last_activity + std::chrono::seconds(1));
}

TEST_F(Sessions, WhatAClientSaysOfItselfIsBounded) {
  const auto initialize = [](Session& session, std::string_view name, std::size_t bytes) {
    const auto body = *Body::Parse(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",")" +
        std::string(name) + R"(":{"name":")" + std::string(bytes, 'x') + R"("}}})");
    return session.Initialize(body->message());
  };
  for (const char* name : {"clientInfo", "capabilities"}) {
    const auto session = Open();
    const auto refused = initialize(*session, name, 20'000);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
    EXPECT_EQ(refused.error().message, std::string(name) + " may have 16384 bytes at most");
    EXPECT_FALSE(session->initialized());
    EXPECT_TRUE(initialize(*session, name, 16'000));
  }
}

TEST_F(Sessions, PRD_US_008_ASecondInitializeIsRefused) {
  const auto session = Open();
  ASSERT_TRUE(Initialize(*session));
  const auto again = Initialize(*session);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kInvalidRequest);
}

TEST_F(Sessions, PRD_FR_003_6_TheLimitIsNamedWhenItIsReached) {
  for (int i = 0; i < 5; ++i) Open();
  const auto refused = core_.sessions.Create("http", {}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_NE(refused.error().message.find("limits.sessions"), std::string::npos);
  EXPECT_NE(refused.error().message.find('5'), std::string::npos);
  EXPECT_EQ(core_.sessions.size(), 5u);
}

TEST_F(Sessions, AnotherPrincipalDoesNotFindThem) {
  const auto session = Open({.id = "alice", .user = "alice"});
  EXPECT_EQ(core_.sessions.Find(session->id(), {.id = "alice", .user = "alice"}), session);
  EXPECT_EQ(core_.sessions.Find(session->id(), {.id = "bob", .user = "bob"}), nullptr);
  EXPECT_EQ(core_.sessions.Find("", {}), nullptr);
}

TEST_F(Sessions, PRD_FR_003_5_PRD_NFR_013_PRD_AC_003_4_IdleOnesExpireAndActiveOnesStay) {
  const auto idle = Open();
  core_.sessions.RemoveIdle(std::chrono::hours(1));
  EXPECT_EQ(core_.sessions.size(), 1u);
  core_.sessions.RemoveIdle(std::chrono::steady_clock::duration(-1));
  EXPECT_EQ(core_.sessions.size(), 0u);
  EXPECT_TRUE(idle->closed());
}

TEST_F(Sessions, PRD_FR_004_3_EveryMessageCountsAsActivity) {
  const auto session = Open();
  ASSERT_TRUE(Initialize(*session));
  for (const char* text : {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                           R"({"jsonrpc":"2.0","id":"none of ours","result":{}})"}) {
    const auto before = session->last_activity();
    while (std::chrono::steady_clock::now() <= before) std::this_thread::yield();
    const auto body = *Body::Parse(text);
    session->Receive(body, body->message(), nullptr);
    EXPECT_GT(session->last_activity(), before) << text;
    EXPECT_GE(session->Record().last_activity, session->created_at());
  }
}

TEST_F(Sessions, RemovedOnesAreClosedAndFreeTheirPlace) {
  for (int i = 0; i < 20; ++i) {
    const auto session = Open();
    EXPECT_TRUE(core_.sessions.Remove(session->id()));
    EXPECT_FALSE(core_.sessions.Remove(session->id()));
    EXPECT_TRUE(session->closed());
  }
  EXPECT_EQ(core_.sessions.size(), 0u);
}

TEST_F(Sessions, PRD_NFR_008_ManyThreadsOpenAndEndThem) {
  Core core{ServerOptions{}};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&core] {
      for (int i = 0; i < 200; ++i) {
        auto session = core.sessions.Create("http", std::make_shared<Principal>(), {});
        if (session && i % 2 == 0) core.sessions.Remove((*session)->id());
        core.sessions.ForEach([](Session& each) { each.Touch(); });
      }
    });
  }
  threads.clear();
  EXPECT_EQ(core.sessions.size(), 400u);
  EXPECT_EQ(core.sessions.List().size(), 400u);
}

TEST_F(Sessions, EndWhenTheirCredentialIsRevokedHoweverBusy) {
  const auto credential = std::make_shared<Credential>();
  Principal principal;
  principal.id = "key:a";
  principal.credential = credential;
  const auto kept = Open();
  const auto ended = Open(principal);
  core_.sessions.RemoveIdle(std::chrono::hours(1));
  EXPECT_FALSE(ended->closed());
  credential->revoked = true;
  core_.sessions.RemoveIdle(std::chrono::hours(1));
  EXPECT_TRUE(ended->closed());
  EXPECT_FALSE(kept->closed());
  EXPECT_EQ(core_.sessions.Find(ended->id(), principal), nullptr);
}

TEST_F(Sessions, OfAConnectionEndWithItsTokenThoseOverHttpWaitForAFreshOne) {
  const auto credential = std::make_shared<Credential>();
  auto principal = std::make_shared<Principal>();
  principal->credential = credential;
  const auto over_http = Open(*principal);
  const auto connected = std::make_shared<Session>(core_, "websocket", principal, ToolView{});
  core_.sessions.Adopt(connected);
  credential->expires = base::Now() + std::chrono::hours(1);
  core_.sessions.RemoveIdle(std::chrono::hours(1));
  EXPECT_FALSE(connected->closed());
  credential->expires = base::Now();
  core_.sessions.RemoveIdle(std::chrono::hours(1));
  EXPECT_TRUE(connected->closed());
  EXPECT_FALSE(over_http->closed());
}

}  // namespace
}  // namespace toolpost::mcp
