// Settings, limits, authorizer and progress handler of a connection that callers may use.
#include "db/select_guard_sqlite.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <vector>

#include "base/log.h"
#include "base/strings.h"
#include "db/libsqlite.h"
#include "db/select_guard_sqlite_text.h"
#include "db/sqlite_budget.h"
#include "db/sqlite_error.h"
#include "db/sqlite_functions.h"
#include "db/sqlite_schema_text.h"

namespace toolpost::db {
namespace {

constexpr std::size_t kMaxTouches = 1000;
constexpr int kOpcodesBetweenLooks = 1000;
constexpr std::chrono::seconds kWaitingEvery{1};
// A statement that sees this much in use is ended, so that the process does not come to the hard
// limit, where our own state would suffer too. What one may allocate, SqliteBudget says.
constexpr sqlite3_int64 kMemoryForStatements = sqlite3_int64{256} << 20;
constexpr sqlite3_int64 kHardMemory = sqlite3_int64{1} << 30;

// A schema that has changed is parsed again, now within the limits of a caller.
constexpr std::string_view kNotParsed = "malformed database schema";

constexpr std::string_view kAllowed =
    "allowed are SELECT, VALUES and WITH … SELECT, EXPLAIN of these, and PRAGMA table_info and the "
    "like";

constexpr std::string_view kAllowedModules =
    "of virtual tables those of FTS3, FTS4, FTS5 and R*Tree are read";

const LibSqlite& Lite() { return LibSqlite::Loaded(); }

Error RanTooLong() {
  return {Code::kTimeout,
          "The statement ran too long and was ended: let it read less, or use an index",
          {}};
}

std::string_view ViewOf(const char* text) { return text == nullptr ? "" : text; }

bool Contains(const auto& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view each) { return base::EqualIgnoringCase(each, name); });
}

// Reach outside of the statement, or take time nothing bounds (json_patch is quadratic).
constexpr std::array<std::string_view, 12> kRefusedFunctions = {
    "load_extension", "fts3_tokenizer", "edit",       "readfile",   "writefile",   "sqlite_dbpage",
    "sqlite_log",     "optimize",       "rtreecheck", "json_patch", "jsonb_patch", "fts5"};
constexpr std::array<std::string_view, 7> kPragmasWithArgument = {
    "table_info", "table_xinfo", "table_list",      "index_list",
    "index_info", "index_xinfo", "foreign_key_list"};
// The last is asked for by full-text tables.
constexpr std::array<std::string_view, 12> kPragmasWithoutArgument = {
    "table_list",      "collation_list", "function_list",  "module_list",
    "compile_options", "user_version",   "schema_version", "encoding",
    "page_count",      "page_size",      "freelist_count", "data_version"};
constexpr std::array<std::string_view, 5> kModules = {"fts3", "fts4", "fts5", "rtree", "rtree_i32"};

std::string_view NameOf(int action) {
  switch (action) {
    case SQLITE_INSERT:
      return "INSERT";
    case SQLITE_UPDATE:
      return "UPDATE";
    case SQLITE_DELETE:
      return "DELETE";
    case SQLITE_ATTACH:
      return "ATTACH";
    case SQLITE_DETACH:
      return "DETACH";
    case SQLITE_PRAGMA:
      return "PRAGMA";
    case SQLITE_FUNCTION:
      return "the function";
    case SQLITE_TRANSACTION:
      return "BEGIN, COMMIT and ROLLBACK";
    case SQLITE_SAVEPOINT:
      return "SAVEPOINT";
    case SQLITE_ALTER_TABLE:
      return "ALTER TABLE";
    case SQLITE_REINDEX:
      return "REINDEX";
    case SQLITE_ANALYZE:
      return "ANALYZE";
    default:
      return action >= SQLITE_DROP_INDEX && action <= SQLITE_DROP_VIEW ? "DROP" : "CREATE";
  }
}

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

bool IsSchemaTable(std::string_view name) {
  return name == "sqlite_master" || name == "sqlite_schema";
}

struct Limit {
  int id;
  int value;
  bool of_schemas = false;  // what stands in a schema is measured by it too
};
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, SqliteGuard::kMaxValueBytes, true},
    {SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(kMaxSqliteTextBytes), true},
    {SQLITE_LIMIT_COLUMN, 2000, true},
    {SQLITE_LIMIT_EXPR_DEPTH, 100, true},
    {SQLITE_LIMIT_COMPOUND_SELECT, 50, true},
    {SQLITE_LIMIT_VDBE_OP, 250'000},
    {SQLITE_LIMIT_FUNCTION_ARG, 127, true},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 1000},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

void SetLimits(sqlite3* database) {
  for (const Limit& limit : kLimits) Lite().limit(database, limit.id, limit.value);
}

// The library takes its own maximum instead.
void LoosenLimitsOfSchemas(sqlite3* database) {
  for (const Limit& limit : kLimits)
    if (limit.of_schemas) Lite().limit(database, limit.id, std::numeric_limits<int>::max());
}

Result<void> SetConfig(sqlite3* database) {
  static constexpr std::pair<int, int> kSettings[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
      {SQLITE_DBCONFIG_DQS_DML, 0},
      {SQLITE_DBCONFIG_DQS_DDL, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
  };
  for (const auto& [setting, value] : kSettings) {
    if (Lite().db_config(database, setting, value, nullptr) != SQLITE_OK)
      return Error::Internal("This SQLite library cannot be made safe: it is too old");
  }
  return {};
}

}  // namespace

void SqliteFinalize::operator()(sqlite3_stmt* statement) const { Lite().finalize(statement); }

bool SqliteGuard::Allows(int action, std::string_view first, std::string_view second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return true;
    case SQLITE_FUNCTION:
      return !Contains(kRefusedFunctions, second);
    case SQLITE_PRAGMA:
      return second.empty() ? Contains(kPragmasWithoutArgument, first)
                            : Contains(kPragmasWithArgument, first);
    default:
      return false;
  }
}

int SqliteGuard::Authorize(void* self, int action, const char* first, const char* second,
                           const char*, const char*) {
  auto& guard = *static_cast<SqliteGuard*>(self);
  if (!guard.strict_) return SQLITE_OK;
  if (guard.Allows(action, ViewOf(first), ViewOf(second))) {
    guard.reads_ = true;
    return SQLITE_OK;
  }
  const bool write = action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE;
  const bool of_schema = write && IsSchemaTable(ViewOf(first));
  // What reads and wants to write the schema meets a virtual table for the first time.
  const bool connects = of_schema && guard.reads_;
  if (connects) guard.forgot_schema_ = true;
  if (guard.refused_.empty()) {
    guard.refused_ = NameOf(action);
    if (of_schema) guard.refused_ = "Changing the schema (CREATE, ALTER, DROP)";
    if (connects) guard.refused_ = "A virtual table of this kind";
    if (action == SQLITE_PRAGMA) guard.refused_ = base::StrCat("PRAGMA ", ViewOf(first));
    if (action == SQLITE_FUNCTION)
      guard.refused_ = base::StrCat("The function ", ViewOf(second), "()");
  }
  return SQLITE_DENY;
}

int SqliteGuard::Progress(void* self) {
  auto& guard = *static_cast<SqliteGuard*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (guard.waiting_ && now >= guard.waiting_at_) {
    guard.waiting_at_ = now + kWaitingEvery;
    guard.waiting_();
  }
  if (guard.stop_.stop_requested()) {
    guard.end_ = End::kStop;
  } else if (now >= guard.deadline_) {
    guard.end_ = End::kDeadline;
  } else if (Lite().memory_used() > kMemoryForStatements) {
    guard.end_ = End::kMemory;
  }
  return guard.end_ == End::kNone ? 0 : 1;
}

Result<void> SqliteGuard::Run(const char* sql) {
  if (Lite().exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Failure();
}

Result<void> SqliteGuard::Arm() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (Lite().hard_heap_limit64(-1) == 0) Lite().hard_heap_limit64(kHardMemory);
  });
  RETURN_IF_ERROR(SetConfig(database_));
  for (const char* setting :
       {"PRAGMA query_only=1", "PRAGMA cell_size_check=1", "PRAGMA temp_store=MEMORY",
        "PRAGMA mmap_size=0", "PRAGMA cache_size=-2000"}) {
    RETURN_IF_ERROR(Run(setting));
  }
  RETURN_IF_ERROR(ReplaceSlowFunctions(database_));
  Lite().progress_handler(database_, kOpcodesBetweenLooks, &SqliteGuard::Progress, this);
  if (Lite().set_authorizer(database_, &SqliteGuard::Authorize, this) != SQLITE_OK)
    return Error::Internal("SQLite does not take an authorizer");
  RETURN_IF_ERROR(Run("SELECT 1 FROM sqlite_schema LIMIT 1"));  // it is a database
  Relearn();
  return {};
}

void SqliteGuard::Relearn() {
  relearned_ = true;
  strict_ = false;
  LoosenLimitsOfSchemas(database_);
  std::vector<std::string> touches = {"SELECT 1 FROM json_each('[]')",
                                      "SELECT 1 FROM json_tree('[]')"};
  for (const auto& names :
       {std::vector<std::string_view>(kPragmasWithArgument.begin(), kPragmasWithArgument.end()),
        std::vector<std::string_view>(kPragmasWithoutArgument.begin(),
                                      kPragmasWithoutArgument.end())}) {
    for (const std::string_view name : names)
      touches.push_back(base::StrCat("SELECT 1 FROM pragma_", name, " LIMIT 0"));
  }
  Lite().exec(
      database_,
      "SELECT name, sql FROM sqlite_schema WHERE type='table' AND sql LIKE 'CREATE VIRTUAL TABLE "
      "%'",
      [](void* list, int, char** values, char**) {
        // Those that only look into their own tables.
        if (!Contains(kModules, ModuleOf(ViewOf(values[1])))) return 0;
        auto& all = *static_cast<std::vector<std::string>*>(list);
        all.push_back(base::StrCat("SELECT 1 FROM ", Quoted(ViewOf(values[0])), " LIMIT 0"));
        return all.size() < kMaxTouches ? 0 : 1;
      },
      &touches, nullptr);
  for (const std::string& touch : touches)
    Lite().exec(database_, touch.c_str(), nullptr, nullptr, nullptr);
  SetLimits(database_);
  strict_ = true;
}

Result<SqliteStatement> SqliteGuard::Prepare(std::string_view sql) {
  RETURN_IF_ERROR(CheckSqliteText(sql));
  refused_.clear();
  reads_ = false;
  forgot_schema_ = false;
  end_ = End::kNone;
  const auto prepare = [&](std::string_view text, const char** rest, SqliteStatement& out) {
    sqlite3_stmt* raw = nullptr;
    const int code = Lite().prepare_v3(database_, text.data(), static_cast<int>(text.size()),
                                       SQLITE_PREPARE_PERSISTENT, &raw, rest);
    out.reset(raw);
    return code == SQLITE_OK;
  };
  SqliteStatement statement;
  const char* rest = nullptr;
  if (!prepare(sql, &rest, statement)) return Failure();
  if (statement == nullptr)
    return Error::InvalidParams(base::StrCat("The statement is empty: ", kAllowed));
  // What is left may only be comments and white space.
  SqliteStatement second;
  const std::string_view tail(rest, static_cast<std::size_t>(sql.data() + sql.size() - rest));
  if (!prepare(tail, nullptr, second) || second != nullptr)
    return Error::InvalidParams("Only one statement is allowed in a call: send the others alone");
  // VACUUM and others ask the authorizer only when they run.
  if (Lite().stmt_readonly(statement.get()) == 0 || Lite().column_count(statement.get()) == 0)
    return Error::InvalidParams(base::StrCat("The statement does not only read: ", kAllowed));
  return statement;
}

void SqliteGuard::Watch(std::chrono::steady_clock::time_point deadline, std::stop_token stop,
                        std::function<void()> waiting) {
  deadline_ = deadline;
  stop_ = std::move(stop);
  waiting_ = std::move(waiting);
  waiting_at_ = std::chrono::steady_clock::now() + kWaitingEvery;
  end_ = End::kNone;
  refused_.clear();
  reads_ = false;
  forgot_schema_ = false;
  found_damage_ = false;
  relearned_ = false;
}

Error SqliteGuard::Refused() const {
  return Error::InvalidParams(
      base::StrCat(refused_.empty() ? "The statement" : refused_,
                   " is not allowed: ", forgot_schema_ ? kAllowedModules : kAllowed));
}

Error SqliteGuard::Failure() {
  const int code = Lite().extended_errcode(database_);
  const std::string message = Lite().errmsg(database_);
  if (message.starts_with(kNotParsed) && !relearned_) {
    forgot_schema_ = true;
    return Error::Unavailable("The tables are being changed: try again");
  }
  switch (code & 0xff) {
    case SQLITE_INTERRUPT:
      if (end_ == End::kStop || (end_ == End::kNone && stop_.stop_requested()))
        return Error::Cancelled();
      if (end_ != End::kMemory) return RanTooLong();
      [[fallthrough]];
    case SQLITE_NOMEM:
      if (SqliteBudget::Late()) return RanTooLong();
      if (!SqliteBudget::Spent())
        return Error::Unavailable("Other statements use the memory there is for SQLite: try again");
      return {Code::kTooLarge,
              "The statement needs too much memory: let it sort, group or join fewer rows",
              {}};
    case SQLITE_AUTH:
      return Refused();
    case SQLITE_READONLY:
      if (code != SQLITE_READONLY) return SqliteReadError(code);
      return Error::InvalidParams(base::StrCat("The database is only read: ", kAllowed));
    case SQLITE_TOOBIG:
      return Error::ExecutionFailed(
          base::StrCat("A value is longer than ", kMaxValueBytes,
                       " bytes, the most that is read of SQLite: leave its column or row out"));
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE:
    case SQLITE_CONSTRAINT:
      return refused_.empty() ? Error::ExecutionFailed(message) : Refused();
    default:
      break;
  }
  found_damage_ = (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
  base::Log(base::Severity::kWarning, "sqlite error",
            {{"code", std::int64_t{code}}, {"detail", std::string_view(message)}});
  return SqliteReadError(code);
}

}  // namespace toolpost::db
