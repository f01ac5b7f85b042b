#include "db/postgres_catalog.h"

#include <gmock/gmock.h>

#include <map>

#include "db/postgres_database_fixture.h"

namespace toolpost::db {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using Strings = std::vector<std::string>;

using PostgresCatalogTest = PostgresDatabaseTest;

TEST_F(PostgresCatalogTest, PRD_FR_017_1_ListsTablesOfASchema) {
  const auto database = Open();
  const auto page = database->Tables({});
  ASSERT_TRUE(page) << page.error().message;
  Strings names, kinds;
  for (const TableSummary& table : page->tables) {
    names.push_back(table.name);
    kinds.push_back(table.kind);
    EXPECT_EQ(table.schema, "public");
  }
  EXPECT_THAT(names, ElementsAre("customers", "measurements", "orders", "page", "rich", "safes",
                                 "spent", "trap"));
  EXPECT_THAT(kinds, ElementsAre("table", "partitioned table", "table", "table", "view", "table",
                                 "materialized view", "view"));
  EXPECT_FALSE(page->more);
  EXPECT_EQ(page->tables[0].estimated_rows, 50);
  EXPECT_EQ(page->tables[1].estimated_rows, 100);
  EXPECT_GT(page->tables[0].bytes.value_or(0), 0);
  EXPECT_GT(page->tables[1].bytes.value_or(0), 0);
  EXPECT_EQ(page->tables[2].comment, "What was ordered");
  EXPECT_FALSE(page->tables[4].bytes.has_value());
}

TEST_F(PostgresCatalogTest, PRD_FR_017_3_ListsSchemasTheAccountMayUse) {
  ASSERT_TRUE(admin().Execute("CREATE SCHEMA closed_to_readers"));
  const auto schemas = [](Database& database) { return database.Tables({}).value().schemas; };
  EXPECT_THAT(schemas(*Open()), IsSupersetOf({"closed_to_readers", "public"}));
  EXPECT_THAT(
      schemas(*OpenAsReader()),
      AllOf(Contains("public"), Not(Contains("closed_to_readers")), Not(Contains("pg_catalog"))));
  const auto missing = Open()->Tables({.schema = "pubic", .pattern = {}, .after = {}});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("There is no schema pubic: there are "));
  ASSERT_TRUE(admin().Execute("DROP SCHEMA closed_to_readers"));
}

TEST_F(PostgresCatalogTest, PRD_FR_017_1_ListsTablesThatOthersHaveLocked) {
  const auto database = Open();
  const auto locked = admin().InTransaction([&](Sql& other) -> Result<void> {
    RETURN_IF_ERROR(other.Execute("LOCK TABLE orders, measurements_2024 IN ACCESS EXCLUSIVE MODE"));
    const auto page = database->Tables({});
    EXPECT_TRUE(page) << page.error().message;
    if (!page) return {};
    std::map<std::string, TableSummary> tables;
    for (const TableSummary& table : page->tables) tables[table.name] = table;
    EXPECT_EQ(tables["orders"].kind, "table");
    EXPECT_EQ(tables["orders"].estimated_rows, 200);
    EXPECT_EQ(tables["orders"].bytes, std::nullopt);
    EXPECT_EQ(tables["measurements"].bytes, std::nullopt);
    EXPECT_GT(tables["customers"].bytes, 0);
    const std::vector<std::string> names = {"measurements"};
    EXPECT_TRUE(database->Describe("", names));
    return {};
  });
  EXPECT_TRUE(locked);
}

TEST_F(PostgresCatalogTest, TablesCanBeFilteredAndPaged) {
  const auto database = Open();
  EXPECT_EQ(database->Tables({.schema = "app"})->tables.at(0).name, "settings");
  EXPECT_EQ(database->Tables({.pattern = "%er%"})->tables.size(), 2u);
  auto page = database->Tables({.limit = 3});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->tables.size(), 3u);
  EXPECT_TRUE(page->more);
  page = database->Tables({.after = page->tables.back().name, .limit = 100});
  EXPECT_EQ(page->tables.size(), 5u);
  EXPECT_FALSE(page->more);
  const auto nowhere = database->Tables({.schema = "nowhere'; DROP TABLE page; --"});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, Code::kNotFound);
}

TEST_F(PostgresCatalogTest, PRD_FR_017_2_DescribesATable) {
  const auto database = Open();
  const Strings names = {"orders"};
  const auto described = database->Describe("", names);
  ASSERT_TRUE(described) << described.error().message;
  const TableDetails& orders = described->at(0);
  EXPECT_EQ(orders.summary.kind, "table");
  ASSERT_EQ(orders.columns.size(), 6u);
  EXPECT_EQ(orders.columns[0].name, "id");
  EXPECT_EQ(orders.columns[0].type, "bigint");
  EXPECT_FALSE(orders.columns[0].nullable);
  EXPECT_EQ(orders.columns[0].generated, "identity");
  EXPECT_EQ(orders.columns[2].type, "numeric(12,2)");
  EXPECT_EQ(orders.columns[2].comment, "without tax");
  EXPECT_EQ(orders.columns[3].default_value, "now()");
  EXPECT_TRUE(orders.columns[3].nullable);
  EXPECT_THAT(orders.columns[4].enum_values, ElementsAre("sad", "ok", "happy"));
  EXPECT_EQ(orders.columns[5].generated, "stored");
  EXPECT_THAT(orders.primary_key, ElementsAre("id"));
  ASSERT_EQ(orders.foreign_keys.size(), 1u);
  EXPECT_THAT(orders.foreign_keys[0].columns, ElementsAre("customer"));
  EXPECT_EQ(orders.foreign_keys[0].table, "customers");
  EXPECT_THAT(orders.foreign_keys[0].referenced, ElementsAre("id"));
  EXPECT_EQ(orders.foreign_keys[0].on_delete, "cascade");
  ASSERT_EQ(orders.indexes.size(), 2u);
  EXPECT_EQ(orders.indexes[0].name, "orders_big");
  EXPECT_EQ(orders.indexes[0].method, "btree");
  EXPECT_THAT(orders.indexes[0].columns, ElementsAre("lower(amount::text)", "placed"));
  EXPECT_THAT(orders.indexes[0].predicate, HasSubstr("amount > "));
  EXPECT_TRUE(orders.indexes[1].unique);
  ASSERT_EQ(orders.checks.size(), 1u);
  EXPECT_THAT(orders.checks[0], HasSubstr("amount >= "));
}

TEST_F(PostgresCatalogTest, DescribesSeveralTablesInTheOrderAskedFor) {
  const auto database = Open();
  const Strings names = {"rich", "customers", "measurements_2024"};
  const auto described = database->Describe("public", names);
  ASSERT_TRUE(described) << described.error().message;
  EXPECT_EQ(described->at(0).summary.kind, "view");
  EXPECT_EQ(described->at(1).columns.at(4).type, "text[]");
  EXPECT_EQ(described->at(2).summary.name, "measurements_2024");
  const Strings hostile = {"orders", "x\"'; DROP TABLE page; --"};
  const auto missing = database->Describe("public", hostile);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("There is no table x"));
}
}  // namespace
}  // namespace toolpost::db
