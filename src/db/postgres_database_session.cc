// The transaction around each statement, as one pipeline.
#include "db/postgres_database_session.h"

#include <poll.h>

#include <algorithm>

#include "base/log.h"
#include "base/strings.h"
#include "db/postgres_database_error.h"
#include "db/postgres_login.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kMostPrepared = 100;
constexpr milliseconds kToRollBack{2000};
// A session that ends so soon had ended before, unnoticed; later it ended because of the statement,
// or somebody ended the statement.
constexpr milliseconds kUnnoticed{1000};
// libpq never gives back the memory of the largest row.
constexpr std::size_t kLargestKept = 8 << 20;
// What a statement has by default (database.timeout): then the session's own setting will do.
constexpr std::chrono::seconds kUsualTimeout{30};

constexpr const char* kSessionSettings =
    "SET statement_timeout='30s'; SET default_transaction_read_only=on; SET lock_timeout='5s'; "
    "SET idle_in_transaction_session_timeout='60s'; SET row_security=on; SET jit=off; "
    "SET client_min_messages=warning; SET standard_conforming_strings=on; SET bytea_output=hex; "
    "SET extra_float_digits=1; SET DateStyle=ISO; SET IntervalStyle=iso_8601; SET TimeZone='UTC'";

constexpr std::string_view kLocalSettings =
    "SELECT set_config('statement_timeout', $1, true), set_config('search_path', $2, true), "
    "set_config('lock_timeout', '5s', true), "
    "set_config('idle_in_transaction_session_timeout', '60s', true), "
    "set_config('row_security', 'on', true), set_config('jit', 'off', true), "
    "set_config('client_min_messages', 'warning', true), "
    "set_config('standard_conforming_strings', 'on', true), "
    "set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true), "
    "set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'iso_8601', true), "
    "set_config('TimeZone', 'UTC', true)";

constexpr std::string_view kUnlock = "SELECT pg_catalog.pg_advisory_unlock_all()";
constexpr std::string_view kDeallocate = "DEALLOCATE ALL";

std::string_view Text(const char* text) { return text != nullptr ? text : ""; }

std::string PreparedName(std::uint64_t number) { return base::StrCat("toolpost_", number); }

// The arrays that libpq takes.
struct Arguments {
  explicit Arguments(std::span<const PostgresParameter> parameters) {
    for (const PostgresParameter& one : parameters) values.push_back(one ? one->c_str() : nullptr);
  }
  int count() const { return static_cast<int>(values.size()); }
  std::vector<const char*> values;
};

class Collector final : public PostgresRows {
 public:
  explicit Collector(const Libpq& pq) : pq_(pq) {}
  void Begin(const PGresult&) override {}
  bool Row(const PGresult& result) override {
    auto& row = rows.emplace_back();
    for (int i = 0; i < pq_.nfields(&result); ++i) {
      if (pq_.getisnull(&result, 0, i) != 0) {
        row.emplace_back();
      } else {
        row.emplace_back(std::string(pq_.getvalue(&result, 0, i),
                                     static_cast<std::size_t>(pq_.getlength(&result, 0, i))));
      }
    }
    return true;
  }
  std::vector<std::vector<PostgresParameter>> rows;

 private:
  const Libpq& pq_;
};

}  // namespace

PostgresSession::PostgresSession(const Libpq& pq, PGconn* connection)
    : pq_(pq), wire_(pq, connection) {
  pq_.set_notice_receiver(connection, &PostgresSession::OnNotice, this);
}

Result<std::unique_ptr<PostgresSession>> PostgresSession::Open(const Libpq& pq,
                                                               const PostgresOptions& options,
                                                               Steady::time_point deadline,
                                                               std::stop_token stop) {
  ASSIGN_OR_RETURN(PGconn * connection, LogIn(pq, options));
  std::unique_ptr<PostgresSession> session(new PostgresSession(pq, connection));
  session->wire_.Start(deadline, std::move(stop));
  const Result<void> done = session->SetUp();
  const PostgresEnd end = session->wire_.end();
  if (end == PostgresEnd::kStopped) return Error::Cancelled();
  if (end == PostgresEnd::kTimeout) return TookTooLong();
  RETURN_IF_ERROR(done);
  return session;
}

PostgresResult PostgresSession::Run(const char* sql) {
  PostgresResult last(nullptr, ClearPostgresResult{&pq_});
  if (pq_.send_query(wire_.connection(), sql) != 1 || !wire_.Flush()) return last;
  while (PostgresResult result = wire_.Next()) last = std::move(result);
  return last;
}

// A pooler answers with a process number of its own. Settings of the session would then outlive our
// transaction in a session that others get, and theirs would meet us.
Result<void> PostgresSession::SetUp() {
  PGconn* connection = wire_.connection();
  const PostgresResult facts =
      Run("SELECT pg_catalog.pg_backend_pid(), reset_val FROM pg_catalog.pg_settings "
          "WHERE name = 'search_path'");
  if (pq_.result_status(facts.get()) != PGRES_TUPLES_OK || pq_.ntuples(facts.get()) != 1) {
    return Lost({}, nullptr);
  }
  pooled_ = Text(pq_.getvalue(facts.get(), 0, 0)) != std::to_string(pq_.backend_pid(connection));
  search_path_ = pq_.getvalue(facts.get(), 0, 1);
  if (pooled_) return {};
  const PostgresResult set = Run(kSessionSettings);
  if (pq_.result_status(set.get()) == PGRES_COMMAND_OK) return {};
  if (Ended(set.get())) return Lost({}, nullptr);
  const std::string_view state = Text(pq_.result_error_field(set.get(), PG_DIAG_SQLSTATE));
  base::Log(base::Severity::kWarning, "postgresql session not set up", {{"state", state}});
  return Error::Unavailable("PostgreSQL refuses the settings of a read-only session");
}

bool PostgresSession::Alive() {
  PGconn* connection = wire_.connection();
  if (!usable_ || pq_.status(connection) != CONNECTION_OK) return false;
  pollfd socket{pq_.socket(connection), POLLIN, 0};
  for (int patience_ms = 0; poll(&socket, 1, patience_ms) > 0; patience_ms = 10) {
    if (pq_.consume_input(connection) == 0) return false;
  }
  return pq_.status(connection) == CONNECTION_OK;
}

// A statement that ended our transaction leaves ROLLBACK nothing to do; one that was left open
// meets the next BEGIN.
void PostgresSession::OnNotice(void* session, const PGresult* notice) {
  auto* self = static_cast<PostgresSession*>(session);
  const std::string_view state = Text(self->pq_.result_error_field(notice, PG_DIAG_SQLSTATE));
  if (state == "25P01" || state == "25001") self->breached_ = true;
}

bool PostgresSession::Send(Step step, std::string_view sql,
                           std::span<const PostgresParameter> parameters) {
  steps_.push_back(step);
  const Arguments arguments(parameters);
  return pq_.send_query_params(wire_.connection(), std::string(sql).c_str(), arguments.count(),
                               nullptr, arguments.values.data(), nullptr, nullptr, 0) == 1;
}

// Until Finish() nobody knows what is left unanswered, not even if somebody throws in between.
bool PostgresSession::SendBegin(const PostgresRequest& request) {
  usable_ = false;
  steps_.clear();
  if (pq_.enter_pipeline_mode(wire_.connection()) != 1 ||
      !Send(Step::kOurs, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")) {
    return false;
  }
  const auto left = std::chrono::ceil<milliseconds>(request.deadline - Steady::now());
  if (!pooled_ && std::chrono::ceil<std::chrono::seconds>(left) == kUsualTimeout) return true;
  const std::string timeout = std::to_string(std::clamp<std::int64_t>(left.count(), 1, 86'400'000));
  if (!pooled_) return Send(Step::kOurs, "SET LOCAL statement_timeout=" + timeout);
  const PostgresParameter settings[] = {timeout, search_path_};
  return Send(Step::kOurs, kLocalSettings, settings);
}

bool PostgresSession::SendPrepared(const PostgresRequest& request) {
  const std::string name = PreparedName(request.prepare_as);
  if (!prepared_.contains(request.prepare_as)) {
    if (prepared_.size() >= kMostPrepared) {
      prepared_.clear();
      if (!Send(Step::kOurs, kDeallocate)) return false;
    }
    steps_.push_back(Step::kPrepare);
    if (pq_.send_prepare(wire_.connection(), name.c_str(), std::string(request.sql).c_str(), 0,
                         nullptr) != 1) {
      return false;
    }
  }
  steps_.push_back(Step::kStatement);
  const Arguments arguments(request.parameters);
  return pq_.send_query_prepared(wire_.connection(), name.c_str(), arguments.count(),
                                 arguments.values.data(), nullptr, nullptr, 0) == 1;
}

bool PostgresSession::SendEnd(const PostgresRequest& request) {
  if (request.reset) {
    prepared_.clear();
    if (!Send(Step::kOurs, kUnlock) || !Send(Step::kOurs, kDeallocate)) return false;
  }
  return Send(Step::kOurs, "ROLLBACK") && pq_.pipeline_sync(wire_.connection()) == 1 &&
         wire_.Flush();
}

Result<void> PostgresSession::Read(const PostgresRequest& request, PostgresRows& rows,
                                   bool* again) {
  wire_.Start(request.deadline, request.stop, [&rows] { rows.Waiting(); });
  Outcome outcome;
  outcome.started = Steady::now();
  const bool prepare = request.prepare_as != 0 && !pooled_;
  outcome.reused = prepare && prepared_.contains(request.prepare_as);
  const bool sent =
      SendBegin(request) &&
      std::all_of(
          request.before.begin(), request.before.end(),
          [&](const PostgresStep& step) { return Send(Step::kOurs, step.sql, step.parameters); }) &&
      (prepare ? SendPrepared(request) : Send(Step::kStatement, request.sql, request.parameters)) &&
      SendEnd(request);
  if (!sent) return Lost(outcome, again);
  Receive(outcome, &rows);
  if (outcome.prepared) prepared_.insert(request.prepare_as);
  return Finish(request, outcome, again);
}

Result<std::vector<Oid>> PostgresSession::ParameterTypes(const PostgresRequest& request) {
  wire_.Start(request.deadline, request.stop);
  Outcome outcome;
  const auto describe = [&] {
    steps_.push_back(Step::kOurs);
    steps_.push_back(Step::kDescribe);
    return pq_.send_prepare(wire_.connection(), "", std::string(request.sql).c_str(), 0, nullptr) ==
               1 &&
           pq_.send_describe_prepared(wire_.connection(), "") == 1;
  };
  if (!SendBegin(request) || !describe() || !SendEnd(request)) return Lost({}, nullptr);
  Receive(outcome, nullptr);
  RETURN_IF_ERROR(Finish(request, outcome, nullptr));
  return std::move(outcome.types);
}

Result<std::vector<std::vector<PostgresParameter>>> PostgresSession::Rows(
    const PostgresRequest& request) {
  Collector collector(pq_);
  RETURN_IF_ERROR(Read(request, collector));
  return std::move(collector.rows);
}

void PostgresSession::Receive(Outcome& outcome, PostgresRows* rows) {
  for (const Step step : steps_) {
    if (outcome.too_large) return;
    if (step == Step::kStatement && rows != nullptr) {
      ReceiveStatement(outcome, *rows);
      continue;
    }
    while (PostgresResult result = wire_.Next()) {
      const ExecStatusType status = pq_.result_status(result.get());
      if (status == PGRES_FATAL_ERROR && outcome.failure == nullptr) {
        outcome.failure = std::move(result);
      } else if (step == Step::kPrepare && status == PGRES_COMMAND_OK) {
        outcome.prepared = true;
      } else if (step == Step::kDescribe && status == PGRES_COMMAND_OK) {
        for (int i = 0; i < pq_.nparams(result.get()); ++i) {
          outcome.types.push_back(pq_.paramtype(result.get(), i));
        }
      }
    }
  }
}

void PostgresSession::ReceiveStatement(Outcome& outcome, PostgresRows& rows) {
  pq_.set_single_row_mode(wire_.connection());
  bool enough = false;
  while (PostgresResult result = wire_.Next()) {
    switch (pq_.result_status(result.get())) {
      case PGRES_SINGLE_TUPLE:
      case PGRES_TUPLES_OK:
        outcome.too_large = TooLarge(*result);
        if (outcome.too_large) return;
        if (!outcome.begun) rows.Begin(*result);
        outcome.begun = true;
        if (!enough && wire_.end() == PostgresEnd::kNone && pq_.ntuples(result.get()) > 0 &&
            !rows.Row(*result)) {
          enough = true;
          wire_.End(PostgresEnd::kEnough);
        }
        break;
      case PGRES_FATAL_ERROR:
        if (outcome.failure == nullptr) outcome.failure = std::move(result);
        break;
      case PGRES_PIPELINE_ABORTED:
        break;
      default:
        // COPY and the like, which the guard lets nobody start.
        breached_ = true;
        return;
    }
  }
}

bool PostgresSession::TooLarge(const PGresult& row) {
  if (pq_.ntuples(&row) == 0) return false;
  std::size_t bytes = 0;
  for (int i = pq_.nfields(&row) - 1; i >= 0; --i) {
    bytes += static_cast<std::size_t>(pq_.getlength(&row, 0, i));
  }
  largest_row_ = std::max(largest_row_, bytes);
  return bytes > kLargestPostgresRow;
}

bool PostgresSession::RollBack(bool reset) {
  wire_.Start(Steady::now() + kToRollBack, {});
  if (reset) prepared_.clear();
  const std::string sql =
      reset ? base::StrCat("ROLLBACK; ", kUnlock, "; ", kDeallocate) : std::string("ROLLBACK");
  if (pq_.send_query(wire_.connection(), sql.c_str()) != 1 || !wire_.Flush()) return false;
  bool good = true;
  while (PostgresResult result = wire_.Next()) {
    const ExecStatusType status = pq_.result_status(result.get());
    good = good && (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK);
  }
  return good && wire_.end() == PostgresEnd::kNone && wire_.Settle() &&
         pq_.transaction_status(wire_.connection()) == PQTRANS_IDLE;
}

// An error makes the server skip what follows in the pipeline, so that ROLLBACK must be sent again.
Result<void> PostgresSession::Finish(const PostgresRequest& request, const Outcome& outcome,
                                     bool* again) {
  if (outcome.too_large || wire_.too_large()) {
    return Error{
        Code::kTooLarge, "A row of the result has more than 64 MiB: select less of it", {}};
  }
  const PostgresResult sync = wire_.Next();
  const PostgresEnd end = wire_.end();
  const bool in_step = sync != nullptr && pq_.result_status(sync.get()) == PGRES_PIPELINE_SYNC &&
                       wire_.Settle() && pq_.exit_pipeline_mode(wire_.connection()) == 1;
  used_ = used_ || in_step;
  bool clean = in_step;
  if (clean && pq_.transaction_status(wire_.connection()) != PQTRANS_IDLE) {
    clean = RollBack(request.reset);
  }
  usable_ = clean && !breached_;
  if (breached_) {
    base::Log(base::Severity::kError, "a statement left its read-only transaction", {});
    return Error::Internal("The statement left its read-only transaction; the log has more");
  }
  usable_ = usable_ && largest_row_ <= kLargestKept;
  if (end == PostgresEnd::kStopped) return Error::Cancelled();
  if (end == PostgresEnd::kTimeout) return TookTooLong();
  if (end == PostgresEnd::kEnough) return {};
  if (outcome.failure != nullptr) return Failed(outcome, again);
  if (!in_step) return Lost(outcome, again);
  return {};
}

// Not by its SQLSTATE: a foreign server that cannot be reached has one, too.
bool PostgresSession::Ended(const PGresult* failure) const {
  std::string_view severity = Text(pq_.result_error_field(failure, PG_DIAG_SEVERITY_NONLOCALIZED));
  if (severity.empty()) severity = Text(pq_.result_error_field(failure, PG_DIAG_SEVERITY));
  return severity != "ERROR" || pq_.status(wire_.connection()) != CONNECTION_OK;
}

Error PostgresSession::Failed(const Outcome& outcome, bool* again) {
  const PGresult* failure = outcome.failure.get();
  if (Ended(failure)) {
    usable_ = false;
    return Lost(outcome, again);
  }
  const std::string_view state = Text(pq_.result_error_field(failure, PG_DIAG_SQLSTATE));
  // A prepared statement whose table changed, or that is gone.
  if (!outcome.begun && outcome.reused && (state == "0A000" || state == "26000")) {
    usable_ = false;
    if (again != nullptr) *again = true;
  }
  return StatementError(
      {.state = state,
       .message = Text(pq_.result_error_field(failure, PG_DIAG_MESSAGE_PRIMARY)),
       .detail = Text(pq_.result_error_field(failure, PG_DIAG_MESSAGE_DETAIL)),
       .hint = Text(pq_.result_error_field(failure, PG_DIAG_MESSAGE_HINT)),
       .position = Text(pq_.result_error_field(failure, PG_DIAG_STATEMENT_POSITION))});
}

Error PostgresSession::Lost(const Outcome& outcome, bool* again) {
  if (again != nullptr) {
    *again = used_ && !outcome.begun && Steady::now() - outcome.started < kUnnoticed;
  }
  const std::string_view state =
      outcome.failure != nullptr
          ? Text(pq_.result_error_field(outcome.failure.get(), PG_DIAG_SQLSTATE))
          : "";
  if (state == "57P01") {
    return Error::Unavailable(
        "The statement was ended by an administrator of PostgreSQL, or because it is shutting "
        "down: ask before you run it again");
  }
  return Error::Unavailable("The connection to PostgreSQL was lost: try again");
}

}  // namespace toolpost::db
