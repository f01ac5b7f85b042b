// libsqlite3 behind the Sql interface.
#include "db/sqlite.h"

#include <charconv>
#include <filesystem>
#include <thread>

#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/private_file.h"
#include "db/sqlite_error.h"

namespace toolpost::db {
namespace {

constexpr std::size_t kCachedStatements = 64;

// Loaded by Open().
const LibSqlite& Lite() { return LibSqlite::Loaded(); }

// SQLite resolves symbolic links itself only to refuse them all; those of the directory are the
// owner's business.
Result<std::string> ResolveDirectory(const std::filesystem::path& path) {
  std::error_code failed;
  const auto directory =
      std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", failed);
  if (failed) {
    return Error::Unavailable(base::StrCat("The directory of ", path.filename().string(),
                                           " does not exist or cannot be entered"));
  }
  return (directory / path.filename()).string();
}

int BindValue(sqlite3_stmt* statement, int index, const Value& value) {
  struct Binder {
    sqlite3_stmt* statement;
    int index;
    int operator()(std::monostate) const { return Lite().bind_null(statement, index); }
    int operator()(std::int64_t integer) const {
      return Lite().bind_int64(statement, index, integer);
    }
    int operator()(double real) const { return Lite().bind_double(statement, index, real); }
    // The parameters outlive the execution, so nothing is copied.
    int operator()(const std::string& text) const {
      return Lite().bind_text64(statement, index, text.data(), text.size(), SQLITE_STATIC,
                                SQLITE_UTF8);
    }
    int operator()(const Blob& blob) const {
      if (blob.bytes.empty()) return Lite().bind_zeroblob(statement, index, 0);
      return Lite().bind_blob64(statement, index, blob.bytes.data(), blob.bytes.size(),
                                SQLITE_STATIC);
    }
  };
  return std::visit(Binder{statement, index}, value);
}

Value ReadColumn(sqlite3_stmt* statement, int column) {
  switch (Lite().column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{Lite().column_int64(statement, column)};
    case SQLITE_FLOAT:
      return Lite().column_double(statement, column);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(Lite().column_text(statement, column));
      return std::string(text, static_cast<std::size_t>(Lite().column_bytes(statement, column)));
    }
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const char*>(Lite().column_blob(statement, column));
      const auto size = static_cast<std::size_t>(Lite().column_bytes(statement, column));
      return Blob{bytes != nullptr ? std::string(bytes, size) : std::string()};
    }
    default:
      return std::monostate{};
  }
}

// "$3" → 3; 0 for anything else.
std::size_t ParameterNumber(const char* name) {
  if (name == nullptr || name[0] != '$') return 0;
  const std::string_view digits(name + 1);
  std::size_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc() && read.ptr == digits.data() + digits.size() ? number : 0;
}

}  // namespace

void Sqlite::Finalize::operator()(sqlite3_stmt* statement) const { Lite().finalize(statement); }

Result<std::unique_ptr<Sqlite>> Sqlite::Open(const SqliteOptions& options) {
  RETURN_IF_ERROR(LibSqlite::Load());
  ASSIGN_OR_RETURN(const std::string path, ResolveDirectory(options.path));
  RETURN_IF_ERROR(MakePrivate(path, true));
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    RETURN_IF_ERROR(MakePrivate(path + suffix, false));
  }
  const std::string name = std::filesystem::path(path).filename().string();
  sqlite3* database = nullptr;
  const int opened = Lite().open_v2(
      path.c_str(), &database,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE,
      nullptr);
  if (opened != SQLITE_OK) {
    Error error =
        SqliteError(opened, name, database != nullptr ? Lite().errmsg(database) : "out of memory");
    Lite().close(database);
    return error;
  }
  std::unique_ptr<Sqlite> connection(new Sqlite(database, name));
  RETURN_IF_ERROR(connection->Configure(options.busy_timeout));
  return connection;
}

Sqlite::~Sqlite() {
  cache_.clear();
  Lite().close(database_);
}

Result<void> Sqlite::Configure(std::chrono::milliseconds busy_timeout) {
  Lite().busy_timeout(database_, static_cast<int>(busy_timeout.count()));
  Lite().db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  RETURN_IF_ERROR(UseWriteAheadLog(busy_timeout));
  for (const char* setting : {"PRAGMA synchronous=FULL", "PRAGMA secure_delete=ON",
                              "PRAGMA foreign_keys=ON", "PRAGMA trusted_schema=OFF"}) {
    ASSIGN_OR_RETURN(const Statement statement, Prepare(setting));
    RETURN_IF_ERROR(Step(statement.get(), nullptr));
  }
  return {};
}

// The switch to WAL takes an exclusive lock without asking the busy handler, so processes that
// create the file together meet here.
Result<void> Sqlite::UseWriteAheadLog(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    char* detail = nullptr;
    const int code = Lite().exec(database_, "PRAGMA journal_mode=WAL", nullptr, nullptr, &detail);
    Lite().free(detail);
    if (code == SQLITE_OK) return {};
    const bool busy = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
    if (!busy || std::chrono::steady_clock::now() > deadline) return Failure();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Result<Sqlite::Statement> Sqlite::Prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  if (Lite().prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                        SQLITE_PREPARE_PERSISTENT, &raw, &rest) != SQLITE_OK) {
    return Failure();
  }
  Statement statement(raw);
  if (raw == nullptr) return Error::Internal("The statement is empty");
  sqlite3_stmt* second = nullptr;
  const int code = Lite().prepare_v3(
      database_, rest, static_cast<int>(sql.data() + sql.size() - rest), 0, &second, nullptr);
  if (second != nullptr || code != SQLITE_OK) {
    Lite().finalize(second);
    return Error::Internal("Only one statement may be run at a time");
  }
  return statement;
}

Result<sqlite3_stmt*> Sqlite::Cache(std::string_view sql) {
  for (auto entry = cache_.begin(); entry != cache_.end(); ++entry) {
    if (entry->sql != sql) continue;
    cache_.splice(cache_.begin(), cache_, entry);
    return cache_.front().statement.get();
  }
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  if (cache_.size() == kCachedStatements) cache_.pop_back();
  cache_.push_front({std::string(sql), std::move(statement)});
  return cache_.front().statement.get();
}

Result<void> Sqlite::Bind(sqlite3_stmt* statement, const std::vector<Value>& parameters) {
  std::size_t highest = 0;
  for (int index = 1; index <= Lite().bind_parameter_count(statement); ++index) {
    const std::size_t number = ParameterNumber(Lite().bind_parameter_name(statement, index));
    if (number == 0 || number > parameters.size()) {
      return Error::Internal("The statement and its parameters do not match");
    }
    highest = std::max(highest, number);
    if (BindValue(statement, index, parameters[number - 1]) != SQLITE_OK) return Failure();
  }
  if (highest != parameters.size()) {
    return Error::Internal("The statement and its parameters do not match");
  }
  return {};
}

Result<void> Sqlite::Step(sqlite3_stmt* statement, std::vector<Row>* rows) {
  for (;;) {
    const int code = Lite().step(statement);
    if (code == SQLITE_DONE) return {};
    if (code != SQLITE_ROW) return Failure();
    if (rows == nullptr) continue;
    const int columns = Lite().column_count(statement);
    Row& row = rows->emplace_back();
    row.reserve(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) row.push_back(ReadColumn(statement, column));
  }
}

Error Sqlite::Failure() {
  return SqliteError(Lite().extended_errcode(database_), name_, Lite().errmsg(database_));
}

Result<void> Sqlite::Run(std::string_view sql, const std::vector<Value>& parameters,
                         std::vector<Row>* rows) {
  const auto run = [&]() -> Result<void> {
    RETURN_IF_ERROR(CheckStatement(sql, parameters));
    if (in_transaction_) RETURN_IF_ERROR(transaction_failure_);
    ASSIGN_OR_RETURN(sqlite3_stmt * statement, Cache(sql));
    Result<void> done = Bind(statement, parameters);
    if (done) done = Step(statement, rows);
    Lite().reset(statement);
    Lite().clear_bindings(statement);
    return done;
  };
  Result<void> done = run();
  if (!done && in_transaction_ && transaction_failure_) transaction_failure_ = done;
  return done;
}

Result<std::vector<Row>> Sqlite::Query(std::string_view sql, const std::vector<Value>& parameters) {
  std::vector<Row> rows;
  RETURN_IF_ERROR(Run(sql, parameters, &rows));
  return rows;
}

Result<std::int64_t> Sqlite::Execute(std::string_view sql, const std::vector<Value>& parameters) {
  const std::int64_t before = Lite().total_changes64(database_);
  RETURN_IF_ERROR(Run(sql, parameters, nullptr));
  // changes64 keeps the count of an older statement when this one changes nothing.
  if (Lite().total_changes64(database_) == before) return std::int64_t{0};
  return std::int64_t{Lite().changes64(database_)};
}

Result<void> Sqlite::InTransaction(const std::function<Result<void>(Sql&)>& work,
                                   Durability durability) {
  if (in_transaction_) return Error::Internal("Transactions do not nest");
  struct Guard {
    Sqlite& connection;
    Durability durability;
    ~Guard() {
      connection.RollBack();
      if (durability == Durability::kSoon) connection.Set("PRAGMA synchronous=FULL");
    }
  } guard{*this, durability};
  if (durability == Durability::kSoon) Set("PRAGMA synchronous=NORMAL");
  RETURN_IF_ERROR(Run("BEGIN IMMEDIATE", {}, nullptr));
  in_transaction_ = true;
  transaction_failure_ = {};
  RETURN_IF_ERROR(work(*this));
  RETURN_IF_ERROR(transaction_failure_);
  return Run("COMMIT", {}, nullptr);
}

void Sqlite::RollBack() {
  in_transaction_ = false;
  // SQLite has rolled back already after some errors; after COMMIT there is nothing to undo.
  if (Lite().get_autocommit(database_) == 0) Set("ROLLBACK");
}

void Sqlite::Set(const char* statement) {
  Lite().exec(database_, statement, nullptr, nullptr, nullptr);
}

}  // namespace toolpost::db
