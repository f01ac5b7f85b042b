// Two databases in memory: one with our functions, one with SQLite's own.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "db/libsqlite.h"
#include "db/sqlite_functions.h"

namespace toolpost::db {

class SqliteFunctionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(LibSqlite::Load());
    for (sqlite3** each : {&own_, &ours_}) {
      ASSERT_EQ(LibSqlite::Loaded().open_v2(":memory:", each, SQLITE_OPEN_READWRITE, nullptr),
                SQLITE_OK);
    }
    ASSERT_TRUE(ReplaceSlowFunctions(ours_));
  }
  void TearDown() override {
    LibSqlite::Loaded().close(own_);
    LibSqlite::Loaded().close(ours_);
  }
  static std::string Evaluate(sqlite3* database, const std::string& expression) {
    std::string out = "no row";
    char* error = nullptr;
    LibSqlite::Loaded().exec(
        database, ("SELECT quote(" + expression + ")").c_str(),
        [](void* to, int, char** values, char**) {
          *static_cast<std::string*>(to) = values[0] != nullptr ? values[0] : "null";
          return 0;
        },
        &out, &error);
    if (error != nullptr) out = error;
    LibSqlite::Loaded().free(error);
    return out;
  }
  std::string Ours(const std::string& expression) { return Evaluate(ours_, expression); }
  std::string Own(const std::string& expression) { return Evaluate(own_, expression); }

  sqlite3* own_ = nullptr;
  sqlite3* ours_ = nullptr;
};

}  // namespace toolpost::db
