// Two processes with one store: what happens to connections that both change.
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::HasSubstr;

class ConnectionRaces : public MssqlFixture {
 protected:
  // What another process has: a store, a vault and pools of its own.
  std::shared_ptr<Connections> Elsewhere() {
    ConnectionsOptions options;
    options.vault = std::make_shared<store::Vault>(
        std::make_shared<store::Store>(store::StoreOptions{{}, StateDirectory()}),
        store::KeyMaterial{std::string(kOldKey), "MSSQL_MCP_KEY"});
    options.open =
        [this](const db::SqlServerLogin& login) -> Result<std::shared_ptr<db::SqlServer>> {
      const std::lock_guard lock(mutex_);
      return std::shared_ptr<db::SqlServer>(ServerAt(login.host));
    };
    options.on_network = [] { return false; };
    return std::make_shared<Connections>(std::move(options));
  }
  static std::string HostOf(Connections& connections, std::string_view name) {
    const auto server = connections.Find(name);
    if (!server) return "error: " + server.error().message;
    if (*server == nullptr) return "none";
    return (*server)->Posture({}, {})->version;
  }
  // A server that says its host as its version.
  void Name(const std::string& host) { ServerAt(host)->posture.version = host; }

  // Runs `change` with each of two processes at once and returns the messages of those that failed.
  template <typename Change>
  static std::vector<std::string> Race(const Change& change) {
    std::vector<std::string> messages(2);
    std::atomic<int> ready = 0;
    std::vector<std::thread> racers;
    for (std::size_t i = 0; i < 2; ++i) {
      racers.emplace_back([&, i] {
        ++ready;
        while (ready < 2) std::this_thread::yield();
        const Result<void> done = change(i);
        if (!done) messages[i] = done.error().message;
      });
    }
    for (std::thread& racer : racers) racer.join();
    std::erase(messages, std::string());
    return messages;
  }

  static constexpr int kRounds = 20;
  std::mutex mutex_;
  const std::shared_ptr<Connections> both_[2] = {Elsewhere(), Elsewhere()};
  const std::string hosts_[2] = {"sql1", "sql2"};
};

TEST_F(ConnectionRaces, OfTwoThatAddANameOneSucceedsAndTheOtherIsTold) {
  for (const std::string& host : hosts_) Name(host);
  for (int round = 0; round < kRounds; ++round) {
    const std::string name = base::StrCat("c", round);
    std::atomic<std::size_t> winner = 2;
    const auto messages = Race([&](std::size_t i) {
      Result<void> added = both_[i]->Add(name, StringOf(hosts_[i]), "");
      if (added) winner = i;
      return added;
    });
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_THAT(messages[0], HasSubstr(base::StrCat("There is a connection ", name, " already")));
    ASSERT_LT(winner, 2U);
    for (const auto& each : both_) EXPECT_EQ(HostOf(*each, name), hosts_[winner]);
  }
}

TEST_F(ConnectionRaces, OfTwoThatChangeAConnectionOneSucceedsAndTheOtherIsTold) {
  for (const std::string& host : hosts_) Name(host);
  Name("old");
  ASSERT_TRUE(both_[0]->Add("c", StringOf("old"), "first"));
  for (const auto& each : both_) EXPECT_EQ(HostOf(*each, "c"), "old");
  for (int round = 0; round < kRounds; ++round) {
    const std::string version = *both_[0]->CheckStored("c");
    std::atomic<std::size_t> winner = 2;
    const auto messages = Race([&](std::size_t i) {
      Result<void> changed = both_[i]->Update("c", StringOf(hosts_[i]), {}, version);
      if (changed) winner = i;
      return changed;
    });
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_THAT(messages[0], HasSubstr("changed by somebody else"));
    ASSERT_LT(winner, 2U);
    for (const auto& each : both_)
      EXPECT_EQ(HostOf(*each, "c"), hosts_[winner]) << "both have a new pool";
  }
}

TEST_F(ConnectionRaces, OfAChangeAndARemovalTheLaterIsToldWhatHappened) {
  for (int round = 0; round < kRounds; ++round) {
    ASSERT_TRUE(both_[0]->Add("c", StringOf("sql1"), ""));
    const std::string version = *both_[0]->CheckStored("c");
    const auto messages = Race([&](std::size_t i) -> Result<void> {
      if (i == 0) return both_[0]->Remove("c");
      return both_[1]->Update("c", StringOf("sql2"), {}, version);
    });
    if (!messages.empty()) {
      ASSERT_EQ(messages.size(), 1U);
      EXPECT_THAT(messages[0], HasSubstr("was removed meanwhile"));
    }
    for (const auto& each : both_) EXPECT_EQ(HostOf(*each, "c"), "none") << "removed is removed";
  }
}

TEST_F(ConnectionRaces, OfTwoRemovalsOneIsToldThatThereIsNothing) {
  for (int round = 0; round < kRounds; ++round) {
    ASSERT_TRUE(both_[0]->Add("c", StringOf("sql1"), ""));
    const auto messages = Race([&](std::size_t i) { return both_[i]->Remove("c"); });
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_THAT(messages[0], HasSubstr("no connection c"));
  }
}

// A use is noted beside the description, which somebody else may be changing.
TEST_F(ConnectionRaces, NotingAUseUndoesNoChange) {
  ASSERT_TRUE(both_[0]->Add("c", StringOf("sql1"), "0"));
  for (int round = 1; round <= kRounds; ++round) {
    const std::string description = base::StrCat(round);
    const auto messages = Race([&](std::size_t i) -> Result<void> {
      if (i == 1) return both_[1]->Find("c") ? Result<void>() : Error::Internal("not found");
      ASSIGN_OR_RETURN(const std::string version, both_[0]->CheckStored("c"));
      return both_[0]->Update("c", StringOf("sql1"), description, version);
    });
    EXPECT_THAT(messages, ::testing::IsEmpty());
    EXPECT_EQ((*both_[0]->List({}))[0].description, description);
    SetNow(base::StrCat("2026-05-01T10:", 10 + round, ":00Z"));
  }
}

// Disconnecting takes as long as the server takes to answer; nobody waits for it.
TEST_F(ConnectionRaces, PoolsEndOutsideOfTheLock) {
  class Ending final : public FakeServer {
   public:
    explicit Ending(std::function<void()> end) : end_(std::move(end)) {}
    ~Ending() override { end_(); }

   private:
    const std::function<void()> end_;
  };
  Connections& connections = *both_[0];
  std::vector<std::thread> others;
  int ended = 0;
  const auto use = [&](const std::string& host) {
    servers_[host] = std::make_shared<Ending>([&] {
      ++ended;
      auto done = std::make_shared<std::promise<void>>();
      others.emplace_back([&connections, done] {
        (void)connections.Pools();
        done->set_value();
      });
      EXPECT_EQ(done->get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
    });
    EXPECT_TRUE(connections.Find("c"));
    servers_.erase(host);
  };
  ASSERT_TRUE(connections.Add("c", StringOf("sql1"), ""));
  use("sql1");
  ASSERT_TRUE(connections.Update("c", StringOf("sql2"), {}, *connections.CheckStored("c")));
  use("sql2");
  EXPECT_EQ(ended, 1) << "replaced";
  ASSERT_TRUE(connections.Remove("c"));
  EXPECT_EQ(ended, 2) << "removed";
  ASSERT_TRUE(connections.Add("c", StringOf("sql3"), ""));
  use("sql3");
  ASSERT_TRUE(both_[1]->Remove("c"));
  EXPECT_EQ(HostOf(connections, "c"), "none");
  EXPECT_EQ(ended, 3) << "removed by another process";
  for (std::thread& other : others) other.join();
}

// The test of a new string takes a while: what happened meanwhile counts.
TEST_F(ConnectionRaces, UpdateConnectionDoesNotOverwriteWhatItHasNotSeen) {
  Store("c", "sql1");
  class Meddling final : public FakeServer {
   public:
    std::function<void()> meddle;
    Result<db::SqlServerPosture> Posture(std::chrono::steady_clock::time_point deadline,
                                         std::stop_token stop) override {
      meddle();
      return FakeServer::Posture(deadline, std::move(stop));
    }
  };
  const auto slow = std::make_shared<Meddling>();
  servers_["slow"] = slow;
  slow->meddle = [&] {
    EXPECT_TRUE(both_[1]->Update("c", StringOf("sql2"), {}, *both_[1]->CheckStored("c")));
  };
  const std::string params =
      base::StrCat(R"({"name":"c","connectionString":")", StringOf("slow"), R"("})");
  EXPECT_THAT(ErrorOf("UpdateConnection", params), HasSubstr("changed by somebody else"));
  Name("sql2");
  EXPECT_EQ(HostOf(*services_.connections, "c"), "sql2");
  slow->meddle = [&] { EXPECT_TRUE(both_[1]->Remove("c")); };
  EXPECT_THAT(ErrorOf("UpdateConnection", params), HasSubstr("removed meanwhile"));
  slow->meddle = [&] { EXPECT_TRUE(both_[1]->Add("c", StringOf("sql2"), "")); };
  EXPECT_THAT(ErrorOf("AddConnection", params), HasSubstr("There is a connection c already"));
}

}  // namespace
}  // namespace toolpost::tools::mssql
