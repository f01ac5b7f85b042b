// For tests only: the database tools behind a real gate, on a real engine.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "base/log.h"
#include "base/strings.h"
#include "db/postgres.h"
#include "db/postgres_database.h"
#include "db/postgres_fixture.h"
#include "db/sqlite.h"
#include "db/sqlite_database.h"
#include "mcp/registry_fixture.h"
#include "tools/database/database.h"
#include "tools/database/setup_sql.h"

namespace toolpost::tools::database {

// A shop with 250 orders, of the engine of the parameter.
class DatabaseTools : public mcp::RegistryFixture,
                      public ::testing::WithParamInterface<db::Dialect> {
 protected:
  void SetUp() override {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string pattern =
        (std::filesystem::temp_directory_path() / "toolpost-database-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    OpenOwner();
    Fill();
    services_.links = std::make_shared<ResultLinks>(std::chrono::minutes(15));
    services_.cursor_key = "key of the test";
    Connect({"shop"});
  }
  void TearDown() override {
    services_ = {};
    owner_.reset();
    std::filesystem::remove_all(directory_);
  }

  bool IsSqlite() const { return GetParam() == db::Dialect::kSqlite; }
  std::string Schema() const { return IsSqlite() ? "main" : "public"; }

  // The owner of the database, who may write.
  void Execute(std::string_view sql) {
    const auto done = owner_->Execute(sql);
    ASSERT_TRUE(done) << done.error().message << ": " << sql;
  }

  // The same database under these names.
  void Connect(const std::vector<std::string>& names, std::function<bool()> on_network = {}) {
    std::vector<Connection> all;
    for (const std::string& name : names) {
      Connection connection;
      connection.name = name;
      connection.description = "The " + name + ".";
      connection.database = Open();
      all.push_back(std::move(connection));
    }
    services_.connections = std::make_shared<Connections>(std::move(all), std::move(on_network));
    Offer();
  }
  // Another one under the name shop.
  void ConnectTo(std::shared_ptr<db::Database> database, std::function<bool()> on_network = {}) {
    Connection connection;
    connection.name = "shop";
    connection.database = std::move(database);
    services_.connections = std::make_shared<Connections>(
        std::vector<Connection>{std::move(connection)}, std::move(on_network));
    Offer();
  }
  // The URL of the account that the setup SQL makes in PostgreSQL.
  std::string MakeReadingAccount() {
    std::string statement;
    bool body = false;
    // As psql would: one statement at a time.
    const std::string sql = SetupSql("re\"ader", {"public"});
    for (const std::string_view line : base::Split(sql, '\n')) {
      if (line.starts_with("--")) continue;
      statement.append(line).push_back('\n');
      if (line == "DO $toolpost$") body = true;
      if (line == "$toolpost$;") body = false;
      if (!body && line.ends_with(';')) {
        Execute(statement);
        statement.clear();
      }
    }
    Execute("ALTER ROLE \"re\"\"ader\" PASSWORD 'planted-reader-password'");
    std::string url = url_;
    url.replace(0, url.find('@'), "postgresql://re%22ader:planted-reader-password");
    return url;
  }
  void Offer() {
    for (const auto& each : registry.All()) ASSERT_TRUE(registry.Remove(each->tool.info.name));
    for (Tool& tool : Tools(services_)) ASSERT_TRUE(registry.Add(std::move(tool)));
  }

  // The structured result, or {"error": text}.
  JsonObject Ask(std::string_view tool, JsonObject arguments) {
    if (context == nullptr || !keep_context_) context = std::make_shared<mcp::TestContext>();
    context->who = principal_;
    const mcp::CallOutcome outcome = CallWithContext(tool, std::move(arguments));
    content_ = outcome.output.content;
    if (outcome.error) return {{"error", outcome.error->message}};
    if (outcome.output.is_error) return {{"error", TextOf(outcome)}};
    return outcome.output.StructuredValue().as_object();
  }
  JsonObject Query(std::string_view sql, JsonObject more = {}) {
    more["query"] = sql;
    return Ask("database/query", std::move(more));
  }
  static std::string Text(const JsonObject& reply, std::string_view key) {
    const Json* value = reply.if_contains(key);
    if (value == nullptr) return "no " + std::string(key) + " in " + base::ToJson(reply);
    return value->is_string() ? std::string(value->get_string()) : base::ToJson(*value);
  }
  std::string Rows(std::string_view sql, JsonObject more = {}) {
    const JsonObject reply = Query(sql, std::move(more));
    return reply.contains("error") ? Text(reply, "error") : Text(reply, "rows");
  }
  std::string Link() const {
    for (const Json& block : content_) {
      if (block.at("type") == "resource_link") return std::string(block.at("uri").as_string());
    }
    return {};
  }

  std::filesystem::path directory_;
  std::unique_ptr<db::Sql> owner_;
  std::string url_;
  DatabaseServices services_;
  Principal principal_;
  JsonArray content_;
  bool keep_context_ = false;

 private:
  void OpenOwner() {
    if (IsSqlite()) {
      url_ = (directory_ / "shop.db").string();
      owner_ = *db::Sqlite::Open({.path = url_});
    } else {
      url_ = db::PostgresServer::Get().NewDatabase();
      owner_ = *db::Postgres::Open({.url = url_});
    }
  }
  void Fill() {
    const std::string key =
        IsSqlite() ? "INTEGER PRIMARY KEY" : "INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    Execute(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, "
        "city TEXT DEFAULT 'Oslo')");
    Execute("CREATE TABLE orders (id " + key +
            ", customer_id INTEGER NOT NULL REFERENCES customers(id) ON DELETE CASCADE, amount "
            "NUMERIC CHECK (amount > 0), note TEXT)");
    Execute("CREATE VIEW large_orders AS SELECT id FROM orders WHERE amount > 200");
    Execute("INSERT INTO customers (id, name) VALUES (1, 'Ada'), (2, 'Bob, Jr.'), (3, 'Chl\"oé')");
    std::string values;
    for (int i = 1; i <= 250; ++i)
      values += base::StrCat(i > 1 ? ", (" : "(", 1 + i % 3, ", ", i, ", 'n", i, "')");
    Execute("INSERT INTO orders (customer_id, amount, note) VALUES " + values);
  }
  std::shared_ptr<db::Database> Open() {
    if (IsSqlite()) {
      db::SqliteDatabaseOptions options;
      options.source.path = url_;
      return *db::OpenSqliteDatabase(options);
    }
    auto opened = db::OpenPostgresDatabase({.url = url_});
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }
};

#define TOOLPOST_BOTH_ENGINES(suite)                                                    \
  INSTANTIATE_TEST_SUITE_P(                                                             \
      Engines, suite, ::testing::Values(db::Dialect::kSqlite, db::Dialect::kPostgres),  \
      [](const auto& each) {                                                            \
        return std::string(each.param == db::Dialect::kSqlite ? "Sqlite" : "Postgres"); \
      })

}  // namespace toolpost::tools::database
