// A PostgreSQL database with something in it, and what tests ask of it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "db/postgres.h"
#include "db/postgres_database.h"
#include "db/postgres_fixture.h"

namespace toolpost::db {

// Keeps what it is given: every cell as "kind:text" without the kind for text, NULL as "null".
class KeptRows final : public RowSink {
 public:
  explicit KeptRows(std::size_t limit = 1000) : limit_(limit) {}
  void Begin(std::span<const ResultColumn> columns) override;
  bool Add(std::span<const Cell> row) override;

  int begun = 0;
  std::vector<ResultColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<CellKind>> kinds;

 private:
  const std::size_t limit_;
};

class PostgresDatabaseTest : public ::testing::Test {
 protected:
  // Tables, views, functions, a sequence, a large object, and the extensions that users have; and
  // an account that may only read.
  static void SetUpTestSuite();
  static void TearDownTestSuite();

  // One connection only, unless told, so that what a statement leaves meets the next.
  static std::unique_ptr<Database> Open(int connections = 1);
  static std::unique_ptr<Database> OpenAsReader(int connections = 1);
  static Result<void> Read(Database& database, std::string_view sql, RowSink& sink,
                           const Json* parameters = nullptr);
  // The only value of the only row, or the error as "ERROR: …".
  static std::string Value(Database& database, std::string_view sql,
                           const Json* parameters = nullptr);
  // A digest of everything in the database that a statement might change, and of what sessions
  // hold: rows, catalogue, large objects, sequences, locks, slots, files, settings of the server,
  // counters that were reset. The next transaction number comes first, before a bar.
  static std::string State();
  // Likewise for the session that the next caller gets.
  static std::string SessionState(Database& database);

  static Sql& admin();
  static const std::string& url();
  // Where hostile statements are told to write; writable by the server.
  static const std::filesystem::path& drop_directory();
};

}  // namespace toolpost::db
