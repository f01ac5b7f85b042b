// Which accounts other machines may use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tools/database/database_fixture.h"

namespace toolpost::tools::database {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Ne;

class AccountTest : public DatabaseTools {
 protected:
  AccountTest() { principal_.id = "somebody"; }
  std::string Use() const {
    const auto used = services_.connections->Use("shop", principal_);
    return used ? "let in" : used.error().message;
  }
  int Waiting() {
    const auto rows = owner_->Query("SELECT count(*)::text FROM pg_locks WHERE NOT granted");
    return rows ? std::stoi(db::TextOr((*rows)[0][0], "0")) : 0;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, AccountTest, ::testing::Values(db::Dialect::kPostgres),
                         [](const auto&) { return std::string("Postgres"); });

// The catalogue is held while the first calls connect, so that they have to wait for the answer.
TEST_P(AccountTest, NoFirstCallPassesBeforeThePrivilegesAreKnown) {
  Connect({"shop"}, [] { return true; });
  const auto holder = *db::Postgres::Open({.url = url_});
  std::vector<std::string> answers(3);
  std::vector<std::jthread> calls;
  std::atomic<int> answered = 0;
  EXPECT_TRUE(holder->InTransaction([&](db::Sql& sql) -> Result<void> {
    EXPECT_TRUE(sql.Execute("LOCK TABLE pg_catalog.pg_depend IN ACCESS EXCLUSIVE MODE"));
    for (std::string& answer : answers) {
      calls.emplace_back([&] {
        answer = Use();
        ++answered;
      });
      while (answered == 0 && Waiting() < static_cast<int>(calls.size())) continue;
    }
    return {};
  }));
  calls.clear();
  EXPECT_THAT(answers, Each(Ne("let in")));
  EXPECT_THAT(Use(), HasSubstr("setup-sql"));
}

TEST_P(AccountTest, WarningsDoNotWaitForTheFirstUse) {
  const auto warnings = [&] { return base::Join(services_.connections->Warnings(), "\n"); };
  EXPECT_EQ(warnings(), "database shop: what its account may do is not known yet: look again");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (warnings().ends_with("look again") && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_THAT(warnings(), HasSubstr("could do more than read (superuser)"));
}

TEST_P(AccountTest, PrivilegesThatAreAcceptedAreNotAskedFor) {
  Connection connection;
  connection.name = "shop";
  connection.accept_privileged = true;
  connection.database = *db::OpenPostgresDatabase({.url = url_});
  services_.connections = std::make_shared<Connections>(
      std::vector<Connection>{std::move(connection)}, [] { return true; });
  EXPECT_EQ(Use(), "let in");
  EXPECT_FALSE(services_.connections->all()->front()->database->Status().privileges_known);
}

TEST_P(AccountTest, AnAccountThatOnlyReadsIsForTheNetwork) {
  ConnectTo(*db::OpenPostgresDatabase({.url = MakeReadingAccount()}), [] { return true; });
  EXPECT_EQ(Use(), "let in");
}

}  // namespace
}  // namespace toolpost::tools::database
