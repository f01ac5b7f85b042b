// Guard, cache and pool in front of the sessions.
#include "db/postgres_database.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "db/hypothetical_index.h"
#include "db/libpg_query.h"
#include "db/pool.h"
#include "db/postgres_catalog.h"
#include "db/postgres_database_session.h"
#include "db/postgres_login.h"
#include "db/select_guard_postgres.h"
#include "db/select_guard_postgres_text.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;
using Snapshot = std::shared_ptr<const PostgresSnapshot>;
using Sessions = Pool<PostgresSession>;

// Reading it again because of what it says of a name.
constexpr std::chrono::seconds kSnapshotRests{2};
constexpr std::size_t kMostStatements = 512;
constexpr std::size_t kLongestKept = 8192;
constexpr const char* kCertificates = "/etc/ssl/certs/ca-certificates.crt";

Patience PatienceOf(const auto& request) {
  return {.deadline = request.deadline, .stop = request.stop};
}

// A statement that the guard let through, and what was learnt about it since.
struct Statement {
  Snapshot snapshot;  // by which it was judged
  GuardedStatement guarded;
  std::uint64_t number = 0;  // for sessions to prepare it under
  std::atomic<int> uses = 0;
  std::atomic<bool> plain = false;  // reads tables and calls nothing of the database's own
  std::mutex mutex;
  std::vector<Oid> types;  // of its parameters; guarded by mutex
};

// What a caller passed, ready to be sent.
struct Bound {
  std::string sql;
  std::vector<const Json*> values;
  std::size_t marks = 0;  // that may have been meant for parameters
};

std::string Count(std::size_t count, std::string_view word) {
  return base::StrCat(count, " ", word, count == 1 ? "" : "s");
}

std::string ButValues(std::size_t count) {
  return base::StrCat(", but ", Count(count, "value"), count == 1 ? " was" : " were", " passed");
}

// Hands nothing on of a result with types that have no name yet, unless it is the `last` try.
class SinkRows final : public PostgresRows {
 public:
  SinkRows(const Libpq& pq, const PostgresTypes& types, RowSink& sink, bool last)
      : pq_(pq), types_(types), sink_(sink), last_(last) {}
  void Begin(const PGresult& header) override {
    cells_.emplace(pq_, header, types_);
    if (!last_) unknown_ = cells_->unknown();
    if (unknown_.empty()) sink_.Begin(cells_->columns());
  }
  bool Row(const PGresult& result) override {
    return unknown_.empty() && sink_.Add(cells_->Read(result, 0));
  }
  void Waiting() override { sink_.Waiting(); }
  const std::vector<Oid>& unknown() const { return unknown_; }

 private:
  const Libpq& pq_;
  const PostgresTypes& types_;
  RowSink& sink_;
  const bool last_;
  std::optional<PostgresCells> cells_;
  std::vector<Oid> unknown_;
};

Result<Bound> Bind(std::string_view sql, const Json* parameters) {
  Bound bound;
  if (parameters == nullptr || parameters->is_null() || parameters->is_array()) {
    if (parameters != nullptr && parameters->is_array()) {
      for (const Json& value : parameters->get_array()) bound.values.push_back(&value);
    }
    QuestionMarks marks = NumberQuestionMarks(sql, bound.values.size());
    bound.sql = std::move(marks.sql);
    bound.marks = marks.count;
  } else if (parameters->is_object()) {
    ASSIGN_OR_RETURN(NumberedStatement numbered, NumberParameters(sql, parameters->get_object()));
    bound.sql = std::move(numbered.sql);
    for (const std::string& name : numbered.names) {
      bound.values.push_back(&parameters->get_object().at(name));
    }
  } else {
    return Error::InvalidParams("Parameters must be an array ($1, $2 …) or an object (:name)");
  }
  return bound;
}

class PostgresDatabase final : public Database {
 public:
  PostgresDatabase(const Libpq& pq, PostgresDatabaseOptions options)
      : pq_(pq), options_(std::move(options)), pool_(PoolOptions()) {}

  Dialect dialect() const override { return Dialect::kPostgres; }

  Result<void> Read(const ReadRequest& request, RowSink& sink) override {
    ASSIGN_OR_RETURN(const Bound bound, Bind(request.sql, request.parameters));
    std::optional<Sessions::Lease> lease;
    for (int attempt = 0;; ++attempt) {
      bool again = false;
      Result<void> done = Try(request, bound, sink, lease, &again);
      if (lease && !(*lease)->usable()) lease->Discard();
      lease.reset();
      if (done || !again || attempt > 0) return done;
    }
  }

  Result<TablePage> Tables(const TableFilter& filter, const Patience& patience) override {
    return WithSession(patience, [&](PostgresSession& session) {
      return ListPostgresTables(session, filter, patience);
    });
  }

  Result<std::vector<TableDetails>> Describe(std::string_view schema,
                                             std::span<const std::string> tables,
                                             const Patience& patience) override {
    return WithSession(patience, [&](PostgresSession& session) {
      return DescribePostgresTables(session, schema, tables, patience);
    });
  }

  Result<void> Check(const Patience& patience) override {
    return WithSession(patience, [&](PostgresSession& session) -> Result<void> {
      if (Current() == nullptr) {
        RETURN_IF_ERROR(Refresh(session, patience));
        return {};
      }
      RETURN_IF_ERROR(
          session.Rows({.sql = "SELECT 1", .deadline = patience.deadline, .stop = patience.stop}));
      return {};
    });
  }

  DatabaseStatus Status() const override {
    const PoolStatus pool = pool_.Status();
    const Snapshot snapshot = Current();
    return {.reachable = pool.problem.empty(),
            .open = pool.open,
            .busy = pool.busy,
            .opening = pool.opening,
            .limit = pool.limit,
            .problem = pool.problem,
            .privileges_known = snapshot != nullptr,
            .privileges = snapshot != nullptr ? snapshot->privileges : std::vector<std::string>()};
  }

 private:
  Sessions::Options PoolOptions() {
    PostgresOptions login{.url = options_.url, .connect_timeout = options_.connect_timeout};
    if (ConnectsToOthers(pq_, options_.url)) {
      login.defaults = {{"sslmode", "verify-full"}, {"sslrootcert", kCertificates}};
    }
    Sessions::Options pool;
    pool.limit = options_.max_connections;
    pool.open = [this, login](Steady::time_point deadline, std::stop_token stop) {
      return PostgresSession::Open(pq_, login, deadline, std::move(stop));
    };
    pool.healthy = [](PostgresSession& session) { return session.Alive(); };
    pool.gone = [](PostgresSession& session) { return session.Gone(); };
    return pool;
  }

  Result<void> Acquire(std::optional<Sessions::Lease>& lease, const ReadRequest& request) {
    if (lease) return {};
    ASSIGN_OR_RETURN(Sessions::Lease got, pool_.Acquire(request.deadline, request.stop));
    lease.emplace(std::move(got));
    return {};
  }

  template <typename Work>
  auto WithSession(const Patience& patience, Work work)
      -> decltype(work(std::declval<PostgresSession&>())) {
    ASSIGN_OR_RETURN(Sessions::Lease lease, pool_.Acquire(patience.deadline, patience.stop));
    auto result = work(*lease);
    if (!lease->usable()) lease.Discard();
    return result;
  }

  Snapshot Current() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
  }

  // Several callers may read it at once at the start.
  Result<Snapshot> Refresh(PostgresSession& session, const Patience& patience) {
    ASSIGN_OR_RETURN(Snapshot fresh, ReadPostgresSnapshot(session, options_, patience));
    const std::lock_guard lock(mutex_);
    snapshot_ = fresh;
    statements_.clear();
    return fresh;
  }

  Result<Snapshot> SnapshotFor(const ReadRequest& request, std::optional<Sessions::Lease>& lease) {
    Snapshot snapshot = Current();
    if (snapshot != nullptr && snapshot->read_at + options_.catalogue_lasts > Steady::now()) {
      return snapshot;
    }
    // One caller reads it again, the others go on with the old one meanwhile.
    const std::unique_lock turn(refreshing_, std::try_to_lock);
    if (snapshot != nullptr && !turn) return snapshot;
    RETURN_IF_ERROR(Acquire(lease, request));
    return Refresh(**lease, PatienceOf(request));
  }

  Result<std::shared_ptr<Statement>> Judge(const ReadRequest& request, const std::string& sql,
                                           std::optional<Sessions::Lease>& lease) {
    ASSIGN_OR_RETURN(Snapshot snapshot, SnapshotFor(request, lease));
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = statements_.find(sql); known != statements_.end()) {
        return known->second;
      }
    }
    RETURN_IF_ERROR(CheckPostgresText(sql));
    bool by_catalogue = false;
    Result<GuardedStatement> guarded = GuardPostgresStatement(sql, snapshot->policy, &by_catalogue);
    if (!guarded && by_catalogue && snapshot->read_at + kSnapshotRests < Steady::now()) {
      RETURN_IF_ERROR(Acquire(lease, request));
      ASSIGN_OR_RETURN(snapshot, Refresh(**lease, PatienceOf(request)));
      guarded = GuardPostgresStatement(sql, snapshot->policy);
    }
    if (!guarded) return std::move(guarded).error();
    auto statement = std::make_shared<Statement>();
    statement->snapshot = snapshot;
    statement->guarded = *std::move(guarded);
    statement->number = ++numbers_;
    if (sql.size() > kLongestKept) return statement;
    const std::lock_guard lock(mutex_);
    if (statements_.size() >= kMostStatements) statements_.clear();
    if (snapshot_ == snapshot) statements_.emplace(sql, statement);
    return statement;
  }

  Result<std::vector<PostgresParameter>> Parameters(const PostgresRequest& request,
                                                    const Bound& bound, Statement& statement,
                                                    PostgresSession& session) {
    const std::size_t count = static_cast<std::size_t>(statement.guarded.parameters);
    if (count != bound.values.size()) {
      return Error::InvalidParams(base::StrCat("The statement has ", Count(count, "parameter"),
                                               ButValues(bound.values.size())));
    }
    std::vector<Oid> types;
    if (std::any_of(bound.values.begin(), bound.values.end(),
                    [](const Json* value) { return NeedsType(*value); })) {
      ASSIGN_OR_RETURN(types, TypesOf(request, statement, session));
    }
    std::vector<PostgresParameter> out;
    for (std::size_t i = 0; i < count; ++i) {
      const Oid expected = i < types.size() ? types[i] : 0;
      ASSIGN_OR_RETURN(PostgresParameter parameter,
                       ToPostgresParameter(*bound.values[i], expected,
                                           statement.snapshot->types->Find(expected)));
      out.push_back(std::move(parameter));
    }
    return out;
  }

  // A wrong number of question marks leaves them in the text, where most are no operators.
  static Error MarksExplain(const Bound& bound, Error error) {
    if (bound.marks == 0 || bound.marks == bound.values.size() || !CheckPostgresText(bound.sql) ||
        ParsePostgres(bound.sql, {})) {
      return error;
    }
    return Error::InvalidParams(base::StrCat(
        "The statement has ", Count(bound.marks, "question mark"), ButValues(bound.values.size()),
        " (where ? is an operator, write $1, $2 … for the parameters)"));
  }

  static Result<std::vector<Oid>> TypesOf(const PostgresRequest& request, Statement& statement,
                                          PostgresSession& session) {
    {
      const std::lock_guard lock(statement.mutex);
      if (!statement.types.empty()) return statement.types;
    }
    ASSIGN_OR_RETURN(std::vector<Oid> types, session.ParameterTypes(request));
    const std::lock_guard lock(statement.mutex);
    statement.types = types;
    return types;
  }

  // From its second use on, a statement that runs no code of the database's own is prepared, and
  // needs no reset.
  Result<void> Plan(Statement& statement, PostgresSession& session, PostgresRequest& request) {
    const GuardedStatement& guarded = statement.guarded;
    const bool ours = guarded.own_code || guarded.kind == GuardedStatement::Kind::kShow;
    const int uses = statement.uses.fetch_add(1);
    if (ours || session.pooled() || uses == 0) return {};
    if (uses == 1 || (!statement.plain && uses % 64 == 0)) {
      if (guarded.relations.empty()) {
        statement.plain = true;
      } else {
        ASSIGN_OR_RETURN(statement.plain,
                         ReadsOnlyTables(session, guarded.relations, PatienceOf(request)));
      }
    }
    if (!statement.plain) return {};
    request.prepare_as = statement.number;
    request.reset = false;
    return {};
  }

  Result<void> Try(const ReadRequest& read, const Bound& bound, RowSink& sink,
                   std::optional<Sessions::Lease>& lease, bool* again) {
    Result<std::shared_ptr<Statement>> judged = Judge(read, bound.sql, lease);
    if (!judged) return MarksExplain(bound, std::move(judged).error());
    const std::shared_ptr<Statement> statement = *std::move(judged);
    RETURN_IF_ERROR(Acquire(lease, read));
    PostgresSession& session = **lease;
    PostgresRequest request{.sql = bound.sql, .deadline = read.deadline, .stop = read.stop};
    // Already parsing it may run code of the database.
    const GuardedStatement& guarded = statement->guarded;
    request.reset = guarded.own_code || !guarded.relations.empty();
    ASSIGN_OR_RETURN(const std::vector<PostgresParameter> parameters,
                     Parameters(request, bound, *statement, session));
    request.parameters = parameters;
    if (read.indexes.empty()) {
      RETURN_IF_ERROR(Plan(*statement, session, request));
    } else {
      ASSIGN_OR_RETURN(request.before, SupposeIndexes(session, read.indexes, PatienceOf(read)));
    }
    Result<void> done = ReadInto(sink, session, request, *statement->snapshot->types, again);
    if (guarded.keeps_state || !read.indexes.empty()) {
      lease->Discard();
      lease.reset();
    }
    return done;
  }

  // A statement with values of types that have no name yet is begun again when they have.
  Result<void> ReadInto(RowSink& sink, PostgresSession& session, const PostgresRequest& request,
                        PostgresTypes& types, bool* again) {
    for (bool last = false;; last = true) {
      SinkRows rows(pq_, types, sink, last);
      Result<void> done = session.Read(request, rows, again);
      if (!done || rows.unknown().empty()) return done;
      RETURN_IF_ERROR(LearnPostgresTypes(session, rows.unknown(), types, PatienceOf(request)));
    }
  }

  const Libpq& pq_;
  const PostgresDatabaseOptions options_;
  Sessions pool_;
  std::atomic<std::uint64_t> numbers_ = 0;
  mutable std::mutex mutex_;
  Snapshot snapshot_;
  std::mutex refreshing_;  // held while an old snapshot is read again
  std::unordered_map<std::string, std::shared_ptr<Statement>> statements_;
};

}  // namespace

Result<std::unique_ptr<Database>> OpenPostgresDatabase(const PostgresDatabaseOptions& options) {
  ASSIGN_OR_RETURN(const Libpq* pq, Libpq::Load());
  RETURN_IF_ERROR(LoadPostgresParser());
  RETURN_IF_ERROR(CheckPostgresUrl(*pq, options.url));
  return std::unique_ptr<Database>(std::make_unique<PostgresDatabase>(*pq, options));
}

}  // namespace toolpost::db
