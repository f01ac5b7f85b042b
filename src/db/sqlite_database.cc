// Database on a pool of SQLite readers.
#include "db/sqlite_database.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "base/timer_queue.h"
#include "db/pool.h"
#include "db/sqlite_catalog.h"
#include "db/sqlite_sample.h"

namespace toolpost::db {
namespace {

using Time = std::chrono::steady_clock::time_point;

class SqliteDatabase final : public Database {
 public:
  explicit SqliteDatabase(const SqliteDatabaseOptions& options)
      : pool_({.limit = options.max_connections,
               .open = [this, source = options.source, sample = options.sample](
                           Time, std::stop_token) { return Open(source, sample); },
               .healthy = [](SqliteReader& reader) { return reader.StillThere(); }}) {}

  Dialect dialect() const override { return Dialect::kSqlite; }

  Result<void> Read(const ReadRequest& request, RowSink& sink) override {
    ASSIGN_OR_RETURN(auto reader, pool_.Acquire(request.deadline, request.stop));
    Result<void> read = reader->Read(request, sink);
    if (!read && reader->found_damage()) Keep(read.error().message);
    return read;
  }

  Result<TablePage> Tables(const TableFilter& filter, const Patience& patience) override {
    RETURN_IF_ERROR(CheckSchema(filter.schema));
    ASSIGN_OR_RETURN(auto reader, pool_.Acquire(patience.deadline, patience.stop));
    return SqliteCatalog(*reader, patience).Tables(filter);
  }

  Result<std::vector<TableDetails>> Describe(std::string_view schema,
                                             std::span<const std::string> tables,
                                             const Patience& patience) override {
    RETURN_IF_ERROR(CheckSchema(schema));
    ASSIGN_OR_RETURN(auto reader, pool_.Acquire(patience.deadline, patience.stop));
    SqliteCatalog catalog(*reader, patience);
    std::vector<TableDetails> all;
    for (const std::string& table : tables) {
      Result<TableDetails> details = catalog.Describe(table);
      // A view that cannot be used, such as one of a table that is gone.
      if (!details && details.error().code == Code::kExecutionFailed)
        return Error::ExecutionFailed(base::StrCat(table, ": ", details.error().message));
      if (!details) return details.error();
      all.push_back(*std::move(details));
    }
    return all;
  }

  Result<void> Check(const Patience& patience) override {
    RETURN_IF_ERROR(pool_.Acquire(patience.deadline, patience.stop));
    return {};
  }

  DatabaseStatus Status() const override {
    const PoolStatus pool = pool_.Status();
    DatabaseStatus status;
    status.reachable = pool.problem.empty();
    status.open = pool.open;
    status.busy = pool.busy;
    status.opening = pool.opening;
    status.limit = pool.limit;
    status.problem = pool.problem.empty() ? Damage() : pool.problem;
    status.privileges_known = true;  // there are no accounts
    return status;
  }

 private:
  Result<std::unique_ptr<SqliteReader>> Open(SqliteSource source, bool sample) {
    if (sample) {
      ASSIGN_OR_RETURN(source.image, SampleImage());
    }
    Result<std::unique_ptr<SqliteReader>> opened = SqliteReader::Open(source, timers_);
    if (opened) Keep({});  // it may be another file
    return opened;
  }
  void Keep(std::string damage) {
    const std::lock_guard lock(mutex_);
    damage_ = std::move(damage);
  }
  std::string Damage() const {
    const std::lock_guard lock(mutex_);
    return damage_;
  }

  static Result<void> CheckSchema(std::string_view schema) {
    if (schema.empty() || schema == "main") return {};
    return Error::NotFound(base::StrCat("There is no schema ", schema.substr(0, 100),
                                        ": an SQLite database has only main"));
  }

  mutable std::mutex mutex_;
  std::string damage_;  // what a statement found since a connection was opened; empty: none
  base::TimerQueue timers_;
  Pool<SqliteReader> pool_;
};

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> Unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const auto high = HexDigit(text[i + 1]);
    const auto low = HexDigit(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out.push_back(static_cast<char>(*high * 16 + *low));
    i += 2;
  }
  return out.find('\0') == std::string::npos ? std::optional(out) : std::nullopt;
}

}  // namespace

Result<SqliteSource> ParseSqliteUrl(std::string_view url) {
  constexpr std::string_view kScheme = "sqlite:";
  constexpr std::string_view kForm = "must look like sqlite:///path/to/file.db";
  if (!url.starts_with(kScheme)) return Error::InvalidParams(std::string(kForm));
  url.remove_prefix(kScheme.size());
  if (url.starts_with("//")) url.remove_prefix(2);
  SqliteSource source;
  const std::size_t question = url.find('?');
  if (question != std::string_view::npos) {
    const std::string_view query = url.substr(question + 1);
    if (query != "immutable=1" && query != "immutable=0")
      return Error::InvalidParams("has an option other than ?immutable=1");
    source.immutable = query == "immutable=1";
    url = url.substr(0, question);
  }
  const std::optional<std::string> path = Unescaped(url);
  if (!path || path->empty()) return Error::InvalidParams(std::string(kForm));
  if (*path == ":memory:")
    return Error::InvalidParams("names a database in memory, which would be empty");
  source.path = *path;
  return source;
}

Result<std::unique_ptr<Database>> OpenSqliteDatabase(const SqliteDatabaseOptions& options) {
  RETURN_IF_ERROR(CheckNotRefused(options.source));
  return std::unique_ptr<Database>(std::make_unique<SqliteDatabase>(options));
}

}  // namespace toolpost::db
