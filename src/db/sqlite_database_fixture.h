// An SQLite file of a user and a database on it, for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_parse.h"
#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/sqlite_database.h"

namespace toolpost::db {

// Keeps everything, each value as `kind:text`.
class Kept : public RowSink {
 public:
  void Begin(std::span<const ResultColumn> columns) override {
    ++begins;
    names.assign(columns.begin(), columns.end());
  }
  bool Add(std::span<const Cell> row) override {
    std::string line;
    for (const Cell& cell : row) {
      static constexpr std::string_view kKinds[] = {"null", "bool", "num", "text", "json", "bytes"};
      line.append(base::StrCat(line.empty() ? "" : "|", kKinds[static_cast<int>(cell.kind)], ":",
                               cell.text));
    }
    rows.push_back(std::move(line));
    return rows.size() < most;
  }

  int begins = 0;
  std::size_t most = 1'000'000;
  std::vector<ResultColumn> names;
  std::vector<std::string> rows;
};

class SqliteDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "toolpost-reader-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    ASSERT_TRUE(LibSqlite::Load());
    Write(R"(CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, note);
             INSERT INTO people VALUES (1,'Ada',36,NULL),(2,'Bob',41,x'00ff'),(3,'Ünal',29,1.5);
             CREATE TABLE secrets (k TEXT, v TEXT);
             CREATE VIEW adults AS SELECT name FROM people WHERE age > 30;
             CREATE TRIGGER t AFTER INSERT ON people BEGIN DELETE FROM secrets; END;
             CREATE VIRTUAL TABLE notes USING fts5(title, body);
             INSERT INTO notes VALUES ('one','the quick brown fox'),('two','lazy dogs');
             CREATE VIRTUAL TABLE old_notes USING fts4(body);
             INSERT INTO old_notes VALUES ('plain old text');
             CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
             INSERT INTO boxes VALUES (1, 0, 1, 0, 1);)");
    Reopen();
  }
  void TearDown() override {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::string File() const { return (directory_ / "user.db").string(); }
  // As its owner would.
  void Write(const char* sql) const {
    const LibSqlite& lite = LibSqlite::Loaded();
    sqlite3* file = nullptr;
    ASSERT_EQ(
        lite.open_v2(File().c_str(), &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr),
        SQLITE_OK);
    char* error = nullptr;
    EXPECT_EQ(lite.exec(file, sql, nullptr, nullptr, &error), SQLITE_OK)
        << (error != nullptr ? error : "");
    lite.free(error);
    lite.close(file);
  }
  void Reopen(int connections = 1) {
    SqliteDatabaseOptions options;
    options.source.path = File();
    options.max_connections = connections;
    auto database = OpenSqliteDatabase(options);
    ASSERT_TRUE(database) << database.error().message;
    database_ = *std::move(database);
  }

  Result<Kept> Read(std::string_view sql, const char* parameters = nullptr,
                    std::chrono::milliseconds patience = std::chrono::seconds(60)) {
    Kept kept;
    Json given;
    if (parameters != nullptr) given = base::ParseJson(parameters).value();
    RETURN_IF_ERROR(database_->Read({.sql = sql,
                                     .parameters = parameters != nullptr ? &given : nullptr,
                                     .deadline = std::chrono::steady_clock::now() + patience,
                                     .stop = {}},
                                    kept));
    return kept;
  }
  // A statement on it takes seconds and few steps, because a whole table is counted in one.
  void WriteBigTable() const {
    Write(
        "PRAGMA page_size=512; VACUUM; CREATE TABLE big (a); WITH RECURSIVE n(i) AS (SELECT 1 "
        "UNION ALL SELECT i+1 FROM n WHERE i < 60000) INSERT INTO big SELECT zeroblob(400) FROM n");
  }
  static std::string CountBigTable() {
    std::string sql = "SELECT 0";
    for (int i = 0; i < 45; ++i) sql += " UNION ALL SELECT count(*) FROM big";
    return sql;
  }
  // All rows as text, or the error.
  std::string Answer(std::string_view sql, const char* parameters = nullptr) {
    const auto kept = Read(sql, parameters);
    if (!kept) return "error " + kept.error().message;
    return base::Join(kept->rows, "\n");
  }
  // Every file in the directory with its bytes.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
      std::ifstream in(entry.path(), std::ios::binary);
      files[entry.path().string()] = {std::istreambuf_iterator<char>(in), {}};
    }
    return files;
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> database_;
};

}  // namespace toolpost::db
