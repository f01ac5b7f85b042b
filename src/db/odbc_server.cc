// Guard and pool in front of the sessions.
#include "db/odbc_server.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/strings.h"
#include "base/timer_queue.h"
#include "db/end_elsewhere.h"
#include "db/for_clause.h"
#include "db/odbc_connection_string.h"
#include "db/odbc_container.h"
#include "db/odbc_posture.h"
#include "db/odbc_session.h"
#include "db/sql_browser.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;
using Sessions = Pool<OdbcSession>;

// An idle connection is asked whether it is still there only after this.
constexpr std::chrono::seconds kFresh{10};
constexpr std::chrono::seconds kToPing{3};
constexpr std::chrono::seconds kToCheck{5};
// "Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements."
constexpr int kTransactionCount = 266;
// All sets of a statement of ours together, in memory.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// The sets of a container go to the caller, but the last, which tells its depth. A statement that
// reads has a set of its own before that.
class ContainerResults final : public OdbcResults {
 public:
  ContainerResults(RowSink& sink, std::size_t max_cell, bool reads)
      : sink_(sink, max_cell), reads_(reads) {}

  void Begin(const std::vector<ResultColumn>& columns) override {
    sink_.End();
    to_sink_ = columns[0].name != kContainerColumn || (reads_ && !begun_);
    if (to_sink_) sink_.Begin(columns);
    begun_ = begun_ || to_sink_;
    enough_ = false;
    depth_.reset();
  }
  bool Add(const OdbcCells& cells, std::span<const Cell> row) override {
    if (!to_sink_) {
      ReadTail(cells.ToRow());
      return true;
    }
    if (!enough_ && sink_.Add(row)) return true;
    // A batch that writes runs to its end: breaking it off would undo it.
    enough_ = true;
    return !reads_;
  }

  std::optional<std::int64_t> depth() const { return depth_; }
  // Not after a statement with a result: its rows may be those.
  std::int64_t changed() const { return begun_ ? -1 : rows_; }

 private:
  void ReadTail(const Row& tail) {
    depth_ = IntegerOr(tail[0], -1);
    if (tail.size() > 1) rows_ = IntegerOr(tail[1], -1);
  }

  ForClauseJoiner sink_;
  const bool reads_;
  bool begun_ = false;
  bool to_sink_ = false;
  bool enough_ = false;  // of this set
  std::optional<std::int64_t> depth_;
  std::int64_t rows_ = -1;
};

std::size_t BytesOf(const Row& row) {
  std::size_t bytes = sizeof(Row) + row.size() * sizeof(Value);
  for (const Value& value : row) {
    if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
    if (const auto* blob = std::get_if<Blob>(&value)) bytes += blob->bytes.size();
  }
  return bytes;
}

class CollectedResults final : public OdbcResults {
 public:
  void Begin(const std::vector<ResultColumn>&) override { sets_.emplace_back(); }
  bool Add(const OdbcCells& cells, std::span<const Cell>) override {
    sets_.back().push_back(cells.ToRow());
    bytes_ += BytesOf(sets_.back().back());
    return bytes_ <= kMostBytes;
  }
  std::vector<std::vector<Row>> Take() { return std::move(sets_); }

 private:
  std::vector<std::vector<Row>> sets_;
  std::size_t bytes_ = 0;
};

// How the parameters of a statement are declared, by its names for them and by the container's.
struct Declarations {
  std::string callers;     // @a bigint, @b nvarchar(4000)
  std::string containers;  // , @p1 bigint, @p2 nvarchar(4000)
};

Result<Declarations> Add(const NamedParameters& named, OdbcParameters& values) {
  Declarations out;
  for (std::size_t i = 0; i < named.names.size(); ++i) {
    RETURN_IF_ERROR(values.AddJson(*named.values[i]));
    const std::string_view comma = i == 0 ? "" : ", ";
    out.callers += base::StrCat(comma, "@", named.names[i], " ", values.type());
    out.containers += base::StrCat(", @p", i + 1, " ", values.type());
  }
  return out;
}

class OdbcServer final : public SqlServer {
 public:
  OdbcServer(const Libodbc& odbc, const OdbcDriver& driver, OdbcServerOptions options)
      : odbc_(odbc), driver_(driver), options_(std::move(options)), pool_(PoolOptions()) {}

  Result<SqlServerOutcome> Read(const SqlServerRequest& request, RowSink& sink) override {
    ASSIGN_OR_RETURN(const NamedParameters named, ReadNamedParameters(request.parameters));
    const std::vector<std::string_view> names(named.names.begin(), named.names.end());
    if (!options_.guard) return Error::Internal("No guard is set for statements that read");
    RETURN_IF_ERROR(options_.guard(request.sql, names));
    return Contained(request, named, sink, true);
  }

  Result<SqlServerOutcome> Write(const SqlServerRequest& request, RowSink& sink) override {
    ASSIGN_OR_RETURN(const NamedParameters named, ReadNamedParameters(request.parameters));
    return Contained(request, named, sink, false);
  }

  Result<std::vector<std::vector<Row>>> Query(const SqlServerRequest& request) override {
    ASSIGN_OR_RETURN(const NamedParameters named, ReadNamedParameters(request.parameters));
    OdbcParameters values;
    ASSIGN_OR_RETURN(const Declarations types, Add(named, values));
    const OdbcCall call{.sql = request.sql,
                        .types = types.callers,
                        .values = &values,
                        .deadline = Deadline(request),
                        .stop = request.stop,
                        .max_cell = request.max_cell};
    return WithSession(
        request, true, [&](OdbcSession& session) -> Result<std::vector<std::vector<Row>>> {
          CollectedResults results;
          ASSIGN_OR_RETURN(const OdbcSession::Finish finish, session.Run(call, results));
          if (finish == OdbcSession::Finish::kEnough) {
            return Error{Code::kTooLarge,
                         "The server has more than 64 MiB to say to this: ask for less of it, with "
                         "a schema, a namePattern, a lower limit or less detail",
                         {}};
          }
          return results.Take();
        });
  }

  Result<SqlServerPosture> Posture(Steady::time_point deadline, std::stop_token stop) override {
    ASSIGN_OR_RETURN(SqlServerPosture posture, ReadSqlServerPosture([&](std::string_view sql) {
                       return Query({.sql = sql, .deadline = deadline, .stop = stop});
                     }));
    posture.encrypted = encrypted_;
    posture.certificate_verified = verified_;
    return posture;
  }

  PoolStatus Status() const override { return pool_.Status(); }

 private:
  Sessions::Options PoolOptions() {
    Sessions::Options pool;
    pool.limit = options_.max_connections;
    pool.open = [this](Steady::time_point deadline, std::stop_token) { return LogIn(deadline); };
    pool.healthy = [](OdbcSession& session) { return IsAlive(session); };
    return pool;
  }

  Result<std::unique_ptr<OdbcSession>> LogIn(Steady::time_point deadline) {
    const auto patience = options_.login.login_timeout.value_or(options_.login_timeout);
    const auto until = Steady::now() + patience;
    const auto end = std::min(deadline, until);
    ASSIGN_OR_RETURN(const std::string connection_string, ConnectionString(end));
    auto session = OdbcSession::Open(
        odbc_, timers_,
        {.connection_string = connection_string, .encrypted = encrypted_, .verified = verified_},
        end);
    // Not the caller's impatience: the server is not well.
    if (!session && session.error().code == Code::kTimeout && until < deadline) {
      return Error::Unavailable(session.error().message);
    }
    return session;
  }

  Result<std::string> ConnectionString(Steady::time_point deadline) const {
    SqlServerLogin login = options_.login;
    if (driver_.kind == OdbcDriver::Kind::kFreeTds && !login.instance.empty() && login.port == 0) {
      ASSIGN_OR_RETURN(login.port, FindInstancePort(login.host, login.instance, deadline));
    }
    return OdbcConnectionString(driver_, login, options_.authorities);
  }

  static bool IsAlive(OdbcSession& session) {
    if (!session.usable()) return false;
    const auto now = Steady::now();
    if (now - session.last_used() < kFresh) return true;
    CollectedResults ignored;
    return session.Run({.sql = kPingSql, .deadline = now + kToPing}, ignored) && session.usable();
  }

  Steady::time_point Deadline(const SqlServerRequest& request) const {
    if (!options_.login.query_timeout) return request.deadline;
    return std::min(request.deadline, Steady::now() + *options_.login.query_timeout);
  }

  // Runs `work` on a session; again on a new one when `repeatable` and the first had gone stale.
  template <typename Work>
  auto WithSession(const SqlServerRequest& request, bool repeatable, Work work)
      -> decltype(work(std::declval<OdbcSession&>())) {
    for (;;) {
      ASSIGN_OR_RETURN(Sessions::Lease lease, pool_.Acquire(request.deadline, request.stop));
      const bool reused = lease->used();
      auto result = work(*lease);
      const bool again = !result && repeatable && reused && lease->stale();
      if (!lease->usable()) lease.Discard();
      if (!again) return result;
    }
  }

  Result<SqlServerOutcome> Contained(const SqlServerRequest& request, const NamedParameters& named,
                                     RowSink& sink, bool reads) {
    if (!base::IsValidUtf8(request.sql)) return Error::InvalidParams("The statement is not UTF-8");
    OdbcParameters values;
    RETURN_IF_ERROR(values.AddText(request.sql));
    std::string types = base::StrCat("@toolpost_sql ", values.type());
    ASSIGN_OR_RETURN(const Declarations declarations, Add(named, values));
    if (!named.names.empty()) {
      RETURN_IF_ERROR(values.AddText(declarations.callers));
      types += base::StrCat(declarations.containers, ", @toolpost_types ", values.type());
    }
    const std::string sql =
        reads ? ReadContainer(named.names.size()) : WriteContainer(named.names.size());
    const OdbcCall call{.sql = sql,
                        .types = types,
                        .values = &values,
                        .deadline = Deadline(request),
                        .stop = request.stop,
                        .max_cell = request.max_cell};
    return WithSession(request, reads, [&](OdbcSession& session) {
      Result<SqlServerOutcome> outcome = RunContained(session, call, sink, reads);
      if (reads) return outcome;
      // A batch may leave locks, a context, cursors or another user behind.
      session.GiveUp();
      if (!outcome && MayHaveCommitted(outcome.error())) outcome = InDoubt(outcome.error());
      return outcome;
    });
  }

  static Result<SqlServerOutcome> RunContained(OdbcSession& session, const OdbcCall& call,
                                               RowSink& sink, bool reads) {
    ContainerResults results(sink, call.max_cell, reads);
    const Result<OdbcSession::Finish> finish = session.Run(call, results);
    SqlServerOutcome outcome{.messages = session.TakeMessages(), .rows_changed = results.changed()};
    if (!finish || *finish == OdbcSession::Finish::kEnough) {
      if (session.usable() && !LeftNothing(session)) session.GiveUp();
      if (finish) return outcome;
      if (!EndedItsTransaction(finish.error())) return finish.error();
      session.GiveUp();
      return Broken(reads);
    }
    if (results.depth() != 1) {
      session.GiveUp();
      base::Log(base::Severity::kError, "a statement left its transaction",
                {{"depth", results.depth().value_or(-1)}});
      return Broken(reads);
    }
    return outcome;
  }

  // Nothing that the server itself says of a statement.
  static bool MayHaveCommitted(const Error& error) {
    if (error.code == Code::kTimeout) return true;
    return error.code == Code::kUnavailable && !error.data.is_object();
  }

  static Error InDoubt(Error error) {
    error.message = base::StrCat(error.code == Code::kTimeout
                                     ? "The statement took too long and was cancelled"
                                     : "The connection to SQL Server was lost while the statement "
                                       "ran",
                                 ". Whether its changes stay is not known: look before you run it "
                                 "again");
    return error;
  }

  static bool EndedItsTransaction(const Error& error) {
    const Json* number =
        error.data.is_object() ? error.data.get_object().if_contains("number") : nullptr;
    return number != nullptr && *number == kTransactionCount;
  }

  static Error Broken(bool reads) {
    if (reads) {
      return Error::Internal("The statement left its transaction; the log has more");
    }
    return Error::ExecutionFailed(
        "The batch ended the transaction that it ran in, or began one that it did not end: leave "
        "COMMIT and ROLLBACK to the tool. What it committed itself stays");
  }

  // Whether the transaction of a statement that was broken off is gone. What the check says counts,
  // even if it is followed by an error: a server complains when the check had to end one.
  static bool LeftNothing(OdbcSession& session) {
    CollectedResults results;
    (void)session.Run({.sql = kCheckSql, .deadline = Steady::now() + kToCheck}, results);
    const auto sets = results.Take();
    return session.usable() && !sets.empty() && !sets.back().empty() &&
           IntegerOr(sets.back()[0][0], -1) == 0;
  }

  const Libodbc& odbc_;
  const OdbcDriver& driver_;
  const OdbcServerOptions options_;
  const bool encrypted_ = options_.login.encryption != SqlServerLogin::Encryption::kNone;
  const bool verified_ = encrypted_ && !options_.login.trust_certificate;
  base::TimerQueue timers_;
  Sessions pool_;
};

}  // namespace

Result<std::shared_ptr<SqlServer>> OpenOdbcServer(OdbcServerOptions options) {
  ASSIGN_OR_RETURN(const Libodbc* odbc, Libodbc::Load());
  ASSIGN_OR_RETURN(const OdbcDriver* driver, OdbcDriver::Find(*odbc));
  RETURN_IF_ERROR(OdbcConnectionString(*driver, options.login, options.authorities));
  return EndedElsewhere<SqlServer>(
      std::make_unique<OdbcServer>(*odbc, *driver, std::move(options)));
}

}  // namespace toolpost::db
