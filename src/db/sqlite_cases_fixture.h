// For tests only: statements on an SQLite database that must not be mistaken for hostile ones. They
// are about the database of SqliteDatabaseTest with SqliteCasesSchema() on top.
#pragma once

#include <vector>

namespace toolpost::db {

struct SqliteCase {
  const char* category;
  const char* sql;
  const char* answer;  // as SqliteDatabaseTest::Answer() gives it
};

const char* SqliteCasesSchema();
const std::vector<SqliteCase>& HarmlessSqliteStatements();

}  // namespace toolpost::db
