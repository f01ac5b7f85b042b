// Opening, running and reading with SQLite.
#include "db/sqlite_reader.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/json_write.h"
#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/sqlite_budget.h"
#include "db/sqlite_parameters.h"

namespace toolpost::db {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCachedStatements = 32;
constexpr int kBusyTimeoutMs = 2000;
constexpr int kMaxRelearning = 2;  // of a schema while others change it
constexpr std::int64_t kMemoryOfStatement = std::int64_t{128} << 20;

const LibSqlite& Lite() { return LibSqlite::Loaded(); }

std::string FileName(const std::string& path) { return fs::path(path).filename().string(); }

// The file itself, whatever links lead to it.
Result<std::string> RealPath(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed) {
    return Error::Unavailable(base::StrCat("The database file ", FileName(path),
                                           " does not exist or cannot be reached: check the URL"));
  }
  if (!fs::is_regular_file(real, failed))
    return Error::Unavailable(base::StrCat(FileName(path), " is not a regular file"));
  return real.string();
}

// As the path of a file: URI.
std::string Escaped(std::string_view path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
        c == '.' || c == '_' || c == '-') {
      out.push_back(c);
    } else {
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return out;
}

bool SameFile(const struct stat& a, const fs::path& path) {
  struct stat b {};
  return ::stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// `real` is `place`, in it, or another name of a file in it.
bool IsIn(const std::string& real, const std::string& place) {
  std::error_code failed;
  const fs::path root = fs::canonical(place, failed);
  if (failed) return false;
  const auto [end, _] =
      std::mismatch(root.begin(), root.end(), fs::path(real).begin(), fs::path(real).end());
  if (end == root.end()) return true;
  struct stat file {};
  if (::stat(real.c_str(), &file) != 0 || file.st_nlink < 2) return false;
  if (SameFile(file, root)) return true;
  for (fs::directory_iterator each(root, failed), last; !failed && each != last;
       each.increment(failed)) {
    if (SameFile(file, each->path())) return true;
  }
  return false;
}

Result<sqlite3*> OpenHandle(const std::string& name, int flags) {
  sqlite3* database = nullptr;
  const int code = Lite().open_v2(name.c_str(), &database, flags, nullptr);
  if (code == SQLITE_OK) return database;
  Lite().close(database);
  return Error::Unavailable("The database file cannot be opened: check that this user may read it");
}

Result<sqlite3*> OpenImage(const std::string& image) {
  ASSIGN_OR_RETURN(sqlite3 * database,
                   OpenHandle(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                                              SQLITE_OPEN_PRIVATECACHE));
  // READONLY: the image is shared by connections and never written.
  auto* bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(image.data()));
  const auto size = static_cast<sqlite3_int64>(image.size());
  if (Lite().deserialize(database, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY) ==
      SQLITE_OK) {
    return database;
  }
  Lite().close(database);
  return Error::Internal("The database in memory cannot be opened");
}

CellKind KindOf(std::string_view text) {
  return base::IsValidUtf8(text) ? CellKind::kText : CellKind::kBytes;
}

Cell ReadCell(sqlite3_stmt* statement, int column, std::string& number) {
  const auto bytes = [&](const void* data) {
    return std::string_view(static_cast<const char*>(data),
                            static_cast<std::size_t>(Lite().column_bytes(statement, column)));
  };
  number.clear();
  switch (Lite().column_type(statement, column)) {
    case SQLITE_INTEGER:
      base::AppendJsonInt(number, Lite().column_int64(statement, column));
      return {CellKind::kNumber, number};
    case SQLITE_FLOAT: {
      const double real = Lite().column_double(statement, column);
      if (!std::isfinite(real)) return {CellKind::kText, real > 0 ? "Infinity" : "-Infinity"};
      base::AppendJsonDouble(number, real);
      return {CellKind::kNumber, number};
    }
    case SQLITE_TEXT: {
      const void* data = Lite().column_text(statement, column);
      const std::string_view text = data == nullptr ? std::string_view() : bytes(data);
      return {KindOf(text), text};
    }
    case SQLITE_BLOB: {
      const void* data = Lite().column_blob(statement, column);
      return {CellKind::kBytes, data == nullptr ? std::string_view() : bytes(data)};
    }
    default:
      return {};
  }
}

std::string_view TypeName(int type) {
  switch (type) {
    case SQLITE_INTEGER:
      return "INTEGER";
    case SQLITE_FLOAT:
      return "REAL";
    case SQLITE_TEXT:
      return "TEXT";
    case SQLITE_BLOB:
      return "BLOB";
    default:
      return "";
  }
}

// As declared; of expressions the type of the first value.
std::vector<ResultColumn> ColumnsOf(sqlite3_stmt* statement, bool has_row) {
  std::vector<ResultColumn> columns;
  const int count = Lite().column_count(statement);
  columns.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const char* name = Lite().column_name(statement, i);
    const char* declared = Lite().column_decltype(statement, i);
    ResultColumn& column = columns.emplace_back();
    if (name != nullptr) column.name = name;
    if (declared != nullptr) {
      column.type = declared;
    } else if (has_row) {
      column.type = TypeName(Lite().column_type(statement, i));
    }
  }
  return columns;
}

}  // namespace

Result<void> CheckNotRefused(const SqliteSource& source) {
  if (source.path.empty()) return {};
  const Result<std::string> real = RealPath(source.path);
  if (!real) return {};  // found out when it is opened
  for (const std::string& place : source.refused) {
    if (!place.empty() && IsIn(*real, place)) {
      return Error::InvalidParams(
          base::StrCat(FileName(source.path),
                       " holds the state of this server and is not offered as a database"));
    }
  }
  return {};
}

Result<std::unique_ptr<SqliteReader>> SqliteReader::Open(const SqliteSource& source,
                                                         base::TimerQueue& timers) {
  RETURN_IF_ERROR(LibSqlite::Load());
  sqlite3* database = nullptr;
  std::optional<FileAtPath> file;
  if (source.image != nullptr) {
    ASSIGN_OR_RETURN(database, OpenImage(*source.image));
  } else {
    RETURN_IF_ERROR(CheckNotRefused(source));
    ASSIGN_OR_RETURN(const std::string path, RealPath(source.path));
    file.emplace(path);  // before SQLite opens it: should it be exchanged now, that shows
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE |
                SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
    std::string name = path;
    if (source.immutable) {
      name = base::StrCat("file:", Escaped(path), "?immutable=1");
      flags |= SQLITE_OPEN_URI;
    }
    ASSIGN_OR_RETURN(database, OpenHandle(name, flags));
  }
  std::unique_ptr<SqliteReader> reader(new SqliteReader(database, timers, std::move(file)));
  Lite().busy_timeout(database, kBusyTimeoutMs);
  RETURN_IF_ERROR(reader->guard_.Arm());
  return reader;
}

SqliteReader::~SqliteReader() {
  cache_.clear();
  Lite().close(database_);
}

Result<sqlite3_stmt*> SqliteReader::Prepared(std::string_view sql) {
  for (auto entry = cache_.begin(); entry != cache_.end(); ++entry) {
    if (entry->sql != sql) continue;
    cache_.splice(cache_.begin(), cache_, entry);
    return cache_.front().statement.get();
  }
  ASSIGN_OR_RETURN(SqliteStatement statement, guard_.Prepare(sql));
  if (cache_.size() == kCachedStatements) cache_.pop_back();
  cache_.push_front({std::string(sql), std::move(statement)});
  return cache_.front().statement.get();
}

Result<void> SqliteReader::Rows(sqlite3_stmt* statement, RowSink& sink, bool& begun) {
  int code = Lite().step(statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) return guard_.Failure();
  begun = true;
  // After the first step: a changed schema may have changed the columns of a kept statement.
  sink.Begin(ColumnsOf(statement, code == SQLITE_ROW));
  const auto count = static_cast<std::size_t>(Lite().column_count(statement));
  numbers_.resize(std::max(numbers_.size(), count));
  row_.resize(count);
  for (; code == SQLITE_ROW; code = Lite().step(statement)) {
    for (std::size_t i = 0; i < count; ++i)
      row_[i] = ReadCell(statement, static_cast<int>(i), numbers_[i]);
    if (!sink.Add(row_)) return {};
  }
  if (code != SQLITE_DONE) return guard_.Failure();
  return {};
}

Result<void> SqliteReader::Read(const ReadRequest& request, RowSink& sink) {
  if (request.stop.stop_requested()) return Error::Cancelled();
  const SqliteBudget budget(kMemoryOfStatement, request.deadline);
  interrupt_.Start(request.deadline, request.stop);
  struct Finish {
    SqliteInterrupt& interrupt;
    ~Finish() { interrupt.Finish(); }
  } finish{interrupt_};
  guard_.Watch(request.deadline, request.stop, [&sink] { sink.Waiting(); });
  bool begun = false;
  Result<void> done = ReadOnce(request, sink, begun);
  for (int again = 0; again < kMaxRelearning && !done && !begun && guard_.forgot_schema();
       ++again) {
    cache_.clear();
    guard_.Relearn();
    done = ReadOnce(request, sink, begun);
  }
  if (!done && done.error().code == Code::kTooLarge) malloc_trim(0);  // give back what it had
  return done;
}

Result<void> SqliteReader::ReadOnce(const ReadRequest& request, RowSink& sink, bool& begun) {
  ASSIGN_OR_RETURN(sqlite3_stmt * statement, Prepared(request.sql));
  struct Reset {
    sqlite3_stmt* statement;
    ~Reset() {
      Lite().reset(statement);
      Lite().clear_bindings(statement);
    }
  } reset{statement};
  RETURN_IF_ERROR(BindSqliteParameters(statement, request.parameters));
  return Rows(statement, sink, begun);
}

}  // namespace toolpost::db
