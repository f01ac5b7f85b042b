// One connection to an SQLite database of a user, on which callers' statements run.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timer_queue.h"
#include "db/database.h"
#include "db/file_at_path.h"
#include "db/select_guard_sqlite.h"
#include "db/sqlite_interrupt.h"

namespace toolpost::db {

// Where the database is: a file, or an image of one in memory.
struct SqliteSource {
  std::string path;
  // The file never changes: nothing is locked, and nothing is kept beside it.
  bool immutable = false;
  std::shared_ptr<const std::string> image;
  // Files and directories (with all in them) that must not be opened, under whatever name.
  std::vector<std::string> refused;
};

// Refuses a source whose file is, or lies in, something that must not be opened.
// Code::kInvalidArgument.
Result<void> CheckNotRefused(const SqliteSource& source);

// Opened read-only and guarded (see select_guard_sqlite.h). One thread at a time.
class SqliteReader {
 public:
  // `timers` must outlive it.
  static Result<std::unique_ptr<SqliteReader>> Open(const SqliteSource& source,
                                                    base::TimerQueue& timers);
  ~SqliteReader();
  SqliteReader(const SqliteReader&) = delete;
  SqliteReader& operator=(const SqliteReader&) = delete;

  Result<void> Read(const ReadRequest& request, RowSink& sink);
  // Whether the last Read() failed because the file is damaged.
  bool found_damage() const { return guard_.found_damage(); }
  // False when another file has taken the place of the one that was opened.
  bool StillThere() { return !file_ || file_->StillThere(); }

 private:
  struct Cached {
    std::string sql;
    SqliteStatement statement;
  };

  SqliteReader(sqlite3* database, base::TimerQueue& timers, std::optional<FileAtPath> file)
      : database_(database), interrupt_(database, timers), file_(std::move(file)) {}

  Result<sqlite3_stmt*> Prepared(std::string_view sql);
  // `begun`: the sink knows of the result.
  Result<void> ReadOnce(const ReadRequest& request, RowSink& sink, bool& begun);
  Result<void> Rows(sqlite3_stmt* statement, RowSink& sink, bool& begun);

  sqlite3* const database_;
  SqliteGuard guard_{database_};
  SqliteInterrupt interrupt_;
  std::optional<FileAtPath> file_;    // none: an image
  std::list<Cached> cache_;           // most recently used first
  std::vector<std::string> numbers_;  // text of the row's numbers, by column
  std::vector<Cell> row_;
};

}  // namespace toolpost::db
