// What a caller's statement may do on an SQLite connection: read, and nothing else.
//
// The file is opened read-only, but that alone leaves VACUUM INTO, ATTACH, pragmas that change the
// whole process, and functions that cannot be interrupted. So the connection also gets an
// authorizer that refuses every action but those of reading, limits on everything that costs,
// functions of bounded time, and a watch on time and memory. A caller has no way to change the
// state of the connection, so it can be used for the next one.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "toolpost/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace toolpost::db {

struct SqliteFinalize {
  void operator()(sqlite3_stmt* statement) const;
};
using SqliteStatement = std::unique_ptr<sqlite3_stmt, SqliteFinalize>;

// The guard of one connection. One thread at a time. LibSqlite must be
// loaded.
class SqliteGuard {
 public:
  static constexpr int kMaxValueBytes = 1'000'000;  // of one value, also in between

  explicit SqliteGuard(sqlite3* database) : database_(database) {}
  SqliteGuard(const SqliteGuard&) = delete;
  SqliteGuard& operator=(const SqliteGuard&) = delete;

  // Before the first statement of a caller.
  Result<void> Arm();
  // One statement that only reads. Code::kInvalidArgument says what was refused,
  // Code::kExecutionFailed passes on what the engine says about the statement.
  Result<SqliteStatement> Prepare(std::string_view sql);
  // From now on statements end at the deadline or when `stop` is requested. `waiting` is called
  // about once a second while one is in a step.
  void Watch(std::chrono::steady_clock::time_point deadline, std::stop_token stop,
             std::function<void()> waiting = {});
  // The error of the last step.
  Error Failure();
  // Whether Prepare() or the last step may have failed only because somebody changed the schema,
  // and the connection forgot what it knew of it: Relearn(), and prepare the statement again.
  bool forgot_schema() const { return forgot_schema_; }
  // Whether the last failure was that the file is damaged.
  bool found_damage() const { return found_damage_; }
  // Reads the schema, whatever stands in it, and makes its virtual tables known to the connection:
  // doing so within a caller's statement asks for more than a caller may.
  void Relearn();

 private:
  enum class End { kNone, kDeadline, kStop, kMemory };

  static int Authorize(void* self, int action, const char* first, const char* second,
                       const char* schema, const char* trigger);
  static int Progress(void* self);

  bool Allows(int action, std::string_view first, std::string_view second);
  Result<void> Run(const char* sql);
  Error Refused() const;

  sqlite3* const database_;
  bool strict_ = false;
  std::string refused_;  // what the authorizer refused since the last Prepare()
  bool reads_ = false;   // it allowed something since then
  bool forgot_schema_ = false;
  bool found_damage_ = false;
  bool relearned_ = true;  // since the last Watch()
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
  std::stop_token stop_;
  std::function<void()> waiting_;
  std::chrono::steady_clock::time_point waiting_at_;  // when it is called next
  End end_ = End::kNone;
};

}  // namespace toolpost::db
