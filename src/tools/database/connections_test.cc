#include "tools/database/connections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/log.h"
#include "base/strings.h"
#include "db/sqlite.h"

namespace toolpost::tools::database {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ConnectionsTest : public ::testing::Test {
 protected:
  ConnectionsTest() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string pattern =
        (std::filesystem::temp_directory_path() / "toolpost-connections-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    config_.state.dir = (directory_ / "state").string();
    std::filesystem::create_directory(config_.state.dir);
    std::ofstream(config_.state.dir + "/toolpost.db") << "ours";
  }
  ~ConnectionsTest() override { std::filesystem::remove_all(directory_); }

  void Add(const std::string& name, const std::string& url) {
    config_.connections[name].url = url;
    config_.connections[name].where = "toolpost.toml:3";
  }
  std::string MakeError() {
    const auto made = Connections::Make(config_, {});
    return made ? "made" : made.error().message;
  }

  std::filesystem::path directory_;
  config::Config config_;
};

TEST_F(ConnectionsTest, WithoutAnyThereIsTheSample) {
  const auto made = Connections::Make(config_, {});
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)->Resolve(""), "sample");
  const auto database = (*made)->Use("", {});
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_TRUE((*database)->Check());
  EXPECT_THAT((*made)->Warnings(), IsEmpty());
}

TEST_F(ConnectionsTest, OurOwnStateIsRefusedAtTheStart) {
  Add("mine", "sqlite://" + config_.state.dir + "/toolpost.db");
  EXPECT_THAT(MakeError(), HasSubstr("toolpost.toml:3: the URL of the connection mine"));
  EXPECT_THAT(MakeError(), HasSubstr("state of this server"));
  std::filesystem::create_symlink(config_.state.dir + "/toolpost.db", directory_ / "link.db");
  Add("mine", "sqlite://" + (directory_ / "link.db").string());
  EXPECT_THAT(MakeError(), HasSubstr("state of this server"));
}

TEST_F(ConnectionsTest, BadUrlsNameTheirPlaceAndNoSecret) {
  Add("shop", "postgresql://u:pLaNtEd@h:notaport/d");
  EXPECT_THAT(MakeError(), HasSubstr("toolpost.toml:3"));
  EXPECT_THAT(MakeError(), Not(HasSubstr("pLaNtEd")));
  Add("shop", "sqlite:x.db?mode=rw");
  EXPECT_THAT(MakeError(), HasSubstr("immutable"));
}

TEST_F(ConnectionsTest, AMissingDatabaseIsAWarningNotAnObstacle) {
  Add("gone", "sqlite://" + (directory_ / "gone.db").string());
  Add("down", "postgresql://u:pLaNtEd@127.0.0.1:1/d?connect_timeout=1");
  const auto made = Connections::Make(config_, {});
  ASSERT_TRUE(made) << made.error().message;
  (*made)->CheckAccounts();  // as serving does when it starts
  const auto warnings = [&] { return base::Join((*made)->Warnings(), "\n"); };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (warnings().find("gone.db does not exist") == std::string::npos &&
         std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_THAT(warnings(), HasSubstr("database gone: The database file gone.db does not exist"));
  EXPECT_THAT(warnings(), HasSubstr("database down: "));
  EXPECT_THAT(warnings(), Not(HasSubstr("pLaNtEd")));
  for (const char* name : {"gone", "down"}) {
    const auto database = (*made)->Use(name, {});
    ASSERT_TRUE(database) << database.error().message;
    const auto checked = (*database)->Check();
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, Code::kUnavailable) << checked.error().message;
    EXPECT_THAT(checked.error().message, Not(HasSubstr("pLaNtEd")));
  }
}

TEST_F(ConnectionsTest, DamageThatAStatementFindsIsAWarning) {
  const std::filesystem::path path = directory_ / "hurt.db";
  {
    const auto made = db::Sqlite::Open({.path = path.string()});
    ASSERT_TRUE((*made)->Execute("CREATE TABLE a (b)"));
    ASSERT_TRUE((*made)->Execute("INSERT INTO a VALUES ('x')"));
  }
  std::filesystem::copy_file(path, directory_ / "whole.db");
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(4096)
      << std::string(4096, '\xff');
  Add("hurt", "sqlite://" + path.string());
  const auto made = Connections::Make(config_, {});
  const auto database = *(*made)->Use("hurt", {});
  ASSERT_TRUE(database->Check());
  EXPECT_THAT((*made)->Warnings(), IsEmpty());
  class Nothing : public db::RowSink {
    void Begin(std::span<const db::ResultColumn>) override {}
    bool Add(std::span<const db::Cell>) override { return true; }
  } nothing;
  const db::ReadRequest request{
      .sql = "SELECT b FROM a",
      .deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1)};
  EXPECT_FALSE(database->Read(request, nothing));
  EXPECT_THAT(base::Join((*made)->Warnings(), "\n"),
              HasSubstr("database hurt: The file is damaged"));
  std::filesystem::rename(directory_ / "whole.db", path);
  EXPECT_TRUE(database->Read(request, nothing));
  EXPECT_THAT((*made)->Warnings(), IsEmpty());
}

TEST_F(ConnectionsTest, WarningsAreForThoseWhoMayUseTheConnection) {
  Add("gone", "sqlite://" + (directory_ / "gone.db").string());
  const auto made = Connections::Make(config_, {});
  ASSERT_FALSE((*(*made)->Use("gone", {}))->Check());
  const auto credential = std::make_shared<Credential>();
  credential->kind = "key";
  credential->grants.scopes = {"read"};
  credential->grants.connections = std::vector<std::string>{"other"};
  EXPECT_THAT((*made)->Warnings({.credential = credential}), IsEmpty());
  credential->grants.connections->push_back("gone");
  EXPECT_FALSE((*made)->Warnings({.credential = credential}).empty());
}

TEST_F(ConnectionsTest, LooksAgainWhetherADatabaseIsThere) {
  const std::filesystem::path path = directory_ / "late.db";
  Add("late", "sqlite://" + path.string());
  const auto made = Connections::Make(config_, {});
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_FALSE((*(*made)->Use("late", {}))->Check());
  EXPECT_THAT(base::Join((*made)->Warnings(), "\n"), HasSubstr("database late: "));
  ASSERT_TRUE(db::Sqlite::Open({.path = path.string()}));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!(*made)->Warnings().empty() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_THAT((*made)->Warnings(), IsEmpty());
}

// The path of an SQLite database with one table of that name.
std::string MakeDatabase(const std::filesystem::path& directory, const std::string& table) {
  std::string path = (directory / (table + ".db")).string();
  const auto made = db::Sqlite::Open({.path = path});
  EXPECT_TRUE(made) << made.error().message;
  EXPECT_TRUE((*made)->Execute("CREATE TABLE " + table + " (id INTEGER)"));
  return path;
}

// The names of what there is for everybody, with their first tables.
std::string Shown(const Connections& connections) {
  std::string shown;
  for (const auto& each : connections.For({})) {
    const auto page = each->database->Tables({});
    shown +=
        each->name + " has " + (page ? page->tables.front().name : page.error().message) + "; ";
  }
  return shown;
}

TEST_F(ConnectionsTest, FollowTheConfiguration) {
  const std::string apples = MakeDatabase(directory_, "apples");
  const std::string pears = MakeDatabase(directory_, "pears");
  Add("stays", "sqlite://" + apples);
  Add("changes", "sqlite://" + apples);
  Add("goes", "sqlite://" + apples);
  const auto made = Connections::Make(config_, {});
  ASSERT_TRUE(made) << made.error().message;
  Connections& connections = **made;
  EXPECT_EQ(Shown(connections), "changes has apples; goes has apples; stays has apples; ");
  auto stays = *connections.Use("stays", {});
  auto goes = *connections.Use("goes", {});
  const std::weak_ptr<db::Database> ended = goes;

  config_.connections.erase("goes");
  Add("changes", "sqlite://" + pears);
  Add("comes", "sqlite://" + pears);
  config_.connections["stays"].description = "Fruit";
  auto next = connections.Follow(config_);
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(Shown(connections), "changes has apples; goes has apples; stays has apples; ");
  connections.Replace(*std::move(next));
  EXPECT_EQ(Shown(connections), "changes has pears; comes has pears; stays has apples; ");
  EXPECT_EQ(*connections.Use("stays", {}), stays) << "its pool is the same";
  EXPECT_EQ(connections.For({})[2]->description, "Fruit");

  const auto gone = connections.Use("goes", {});
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, HasSubstr("there are changes, comes, stays"));
  EXPECT_TRUE(goes->Check()) << "who had it goes on";
  goes.reset();
  EXPECT_TRUE(ended.expired()) << "its connections are closed";

  config_.connections["stays"].max_connections = 2;
  connections.Replace(*connections.Follow(config_));
  EXPECT_EQ((*connections.Use("stays", {}))->Status().limit, 2);

  config_.connections.clear();
  connections.Replace(*connections.Follow(config_));
  EXPECT_EQ(connections.Resolve(""), "sample");
}

TEST_F(ConnectionsTest, AMistakeInTheNextConfigurationChangesNothing) {
  Add("shop", "sqlite://" + MakeDatabase(directory_, "apples"));
  const auto made = Connections::Make(config_, {});
  ASSERT_TRUE(made);
  Add("shop", "sqlite:x.db?mode=rw");
  const auto next = (*made)->Follow(config_);
  ASSERT_FALSE(next);
  EXPECT_THAT(next.error().message, HasSubstr("toolpost.toml:3: the URL of the connection shop"));
  EXPECT_EQ(Shown(**made), "shop has apples; ");
}

}  // namespace
}  // namespace toolpost::tools::database
