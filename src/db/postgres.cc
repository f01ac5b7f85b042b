// libpq behind the Sql interface.
#include "db/postgres.h"

#include <poll.h>

#include <charconv>
#include <random>
#include <thread>

#include "base/log.h"
#include "base/strings.h"
#include "db/libpq.h"
#include "db/postgres_error.h"
#include "db/postgres_login.h"
#include "db/postgres_values.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kRetryFor{5};
// The server has a time limit of its own, and ends a statement with less effort.
constexpr std::chrono::seconds kServersTurn{2};
constexpr std::chrono::milliseconds kLongestPause{64};

std::string_view Text(const char* text) { return text != nullptr ? text : ""; }

// A random pause that doubles its range each time, so that those who collided once do not do so
// again.
void Pause(int attempt) {
  thread_local std::minstd_rand random(std::random_device{}());
  const auto longest =
      std::min(kLongestPause, std::chrono::milliseconds(1 << std::min(attempt, 6)));
  std::uniform_int_distribution<std::int64_t> microseconds(
      0, std::chrono::microseconds(longest).count());
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
}

}  // namespace

void Postgres::Clear::operator()(pg_result* result) const { pq->clear(result); }

Result<std::unique_ptr<Postgres>> Postgres::Open(PostgresOptions options) {
  ASSIGN_OR_RETURN(const Libpq* pq, Libpq::Load());
  std::unique_ptr<Postgres> connection(new Postgres(*pq, std::move(options)));
  RETURN_IF_ERROR(connection->Connect());
  return connection;
}

Postgres::~Postgres() { Close(); }

void Postgres::Close() {
  if (connection_ != nullptr) pq_.finish(connection_);
  connection_ = nullptr;
}

// An idle connection has little to read but the server's goodbye, which its end follows.
bool Postgres::Alive() {
  if (connection_ == nullptr || pq_.status(connection_) != CONNECTION_OK) return false;
  pollfd socket{pq_.socket(connection_), POLLIN, 0};
  for (int patience_ms = 0; poll(&socket, 1, patience_ms) > 0; patience_ms = 10) {
    if (pq_.consume_input(connection_) == 0) return false;
  }
  return pq_.status(connection_) == CONNECTION_OK;
}

Result<void> Postgres::Connect() {
  if (Alive()) return {};
  Close();
  ASSIGN_OR_RETURN(connection_, LogIn(pq_, options_));
  pq_.set_notice_processor(
      connection_, [](void*, const char*) {}, nullptr);
  Result<void> configured = ConfigureSession();
  if (!configured) Close();
  return configured;
}

Result<void> Postgres::ConfigureSession() {
  const auto timeout = options_.statement_timeout.count();
  const std::string settings = base::StrCat(
      "SET statement_timeout=", timeout, "; SET idle_in_transaction_session_timeout=", timeout * 2,
      "; SET bytea_output=hex; SET extra_float_digits=1; SET DateStyle=ISO; SET TimeZone='UTC'");
  pq_.send_query(connection_, settings.c_str());
  RETURN_IF_ERROR(Check(NextAnswer()));
  return {};
}

Result<Postgres::Answer> Postgres::Check(Answer answer) {
  const ExecStatusType status = pq_.result_status(answer.get());  // fatal when null
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return answer;
  std::string_view state = Text(pq_.result_error_field(answer.get(), PG_DIAG_SQLSTATE));
  std::string_view message = Text(pq_.result_error_field(answer.get(), PG_DIAG_MESSAGE_PRIMARY));
  if (status != PGRES_FATAL_ERROR) {
    // COPY leaves the connection waiting for data.
    base::Log(base::Severity::kWarning, "postgresql answer not understood",
              {{"status", std::int64_t{status}}});
    Close();
    return Error::Internal("The database refused the statement; the log has the reason");
  }
  if (pq_.status(connection_) != CONNECTION_OK && !LostConnection(state)) {
    state = "08006";
    message = "connection lost";
  }
  again_ = LostRace(state) || LostConnection(state);
  return PostgresError(state, message);
}

Result<Postgres::Answer> Postgres::Run(std::string_view sql, const std::vector<Value>& parameters) {
  const auto run = [&]() -> Result<Answer> {
    RETURN_IF_ERROR(CheckStatement(sql, parameters));
    if (in_transaction_) {
      RETURN_IF_ERROR(transaction_failure_);
    } else {
      RETURN_IF_ERROR(Connect());
    }
    Send(sql, PostgresParameters(parameters));
    return Check(NextAnswer());
  };
  Result<Answer> answer = run();
  if (!answer && in_transaction_ && transaction_failure_) transaction_failure_ = answer.error();
  return answer;
}

Result<std::vector<Row>> Postgres::Query(std::string_view sql,
                                         const std::vector<Value>& parameters) {
  ASSIGN_OR_RETURN(const Answer answer, Run(sql, parameters));
  return RowsOf(answer);
}

std::vector<Row> Postgres::RowsOf(const Answer& answer) const {
  const int rows = pq_.ntuples(answer.get()), columns = pq_.nfields(answer.get());
  std::vector<Row> out(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    Row& values = out[static_cast<std::size_t>(row)];
    values.resize(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) {
      if (pq_.getisnull(answer.get(), row, column) != 0) continue;
      values[static_cast<std::size_t>(column)] =
          ReadPostgresText(pq_.ftype(answer.get(), column),
                           {pq_.getvalue(answer.get(), row, column),
                            static_cast<std::size_t>(pq_.getlength(answer.get(), row, column))});
    }
  }
  return out;
}

bool Postgres::Send(std::string_view sql, const PostgresParameters& parameters) {
  return pq_.send_query_params(connection_, std::string(sql).c_str(), parameters.count(),
                               parameters.types(), parameters.values(), parameters.lengths(),
                               parameters.formats(), 0) == 1;
}

// A server may hang, or the network swallow what it says, with nobody to end the connection.
bool Postgres::Await() {
  const auto deadline = Steady::now() + options_.statement_timeout + kServersTurn;
  while (pq_.is_busy(connection_) != 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now());
    if (left.count() <= 0) {
      base::Log(base::Severity::kWarning, "postgresql does not answer");
      Close();
      return false;
    }
    pollfd socket{pq_.socket(connection_), POLLIN, 0};
    if (poll(&socket, 1, static_cast<int>(left.count())) > 0 && pq_.consume_input(connection_) == 0)
      break;  // the answer is that the connection is lost
  }
  return true;
}

// The answers of each statement end with a null; COPY, which waits for data, has no end.
Postgres::Answer Postgres::NextAnswer() {
  Answer last(nullptr, Clear{&pq_});
  while (Await()) {
    Answer next(pq_.get_result(connection_), Clear{&pq_});
    if (next == nullptr) return last;
    last = std::move(next);
    const ExecStatusType status = pq_.result_status(last.get());
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH)
      return last;
  }
  return {nullptr, Clear{&pq_}};
}

// Statements up to the sync are one transaction, so that a local setting lasts exactly as long, and
// a failure of either undoes both.
Result<Postgres::Answer> Postgres::RunAs(std::string_view user, std::string_view sql,
                                         const std::vector<Value>& parameters) {
  const std::vector<Value> who = {std::string(user)};
  RETURN_IF_ERROR(CheckStatement(sql, parameters));
  RETURN_IF_ERROR(CheckStatement({}, who));
  if (in_transaction_) return Error::Internal("Transactions do not nest");
  RETURN_IF_ERROR(Connect());
  if (pq_.enter_pipeline_mode(connection_) != 1 ||
      !Send("SELECT set_config('toolpost.user', $1, true)", PostgresParameters(who)) ||
      !Send(sql, PostgresParameters(parameters)) || pq_.pipeline_sync(connection_) != 1) {
    Close();
    return Error::Unavailable("The database connection was lost");
  }
  Result<Answer> named = Check(NextAnswer());
  Answer answer = NextAnswer();
  Result<Answer> done = named ? Check(std::move(answer)) : std::move(named);
  if (connection_ == nullptr) return done;
  const Answer sync(Await() ? pq_.get_result(connection_) : nullptr, Clear{&pq_});
  if (pq_.result_status(sync.get()) != PGRES_PIPELINE_SYNC ||
      pq_.exit_pipeline_mode(connection_) != 1) {
    Close();
    // What was sent may have been committed or not.
    if (done) return Error::Unavailable("The database connection was lost");
  }
  return done;
}

Result<std::vector<Row>> Postgres::QueryAs(std::string_view user, std::string_view sql,
                                           const std::vector<Value>& parameters) {
  ASSIGN_OR_RETURN(const Answer answer, RunAs(user, sql, parameters));
  return RowsOf(answer);
}

Result<std::int64_t> Postgres::Execute(std::string_view sql, const std::vector<Value>& parameters) {
  ASSIGN_OR_RETURN(const Answer answer, Run(sql, parameters));
  // A SELECT counts the rows it returned, which are no changes.
  if (Text(pq_.cmd_status(answer.get())).starts_with("SELECT")) return std::int64_t{0};
  const std::string_view count = Text(pq_.cmd_tuples(answer.get()));
  std::int64_t changed = 0;
  std::from_chars(count.data(), count.data() + count.size(), changed);
  return changed;
}

Result<void> Postgres::InTransaction(const std::function<Result<void>(Sql&)>& work,
                                     Durability durability) {
  if (in_transaction_) return Error::Internal("Transactions do not nest");
  const auto deadline = Steady::now() + kRetryFor;
  for (int attempt = 0;; ++attempt) {
    Attempt tried = TryTransaction(work, durability);
    if (!tried.again || Steady::now() > deadline) return tried.result;
    Pause(attempt);
  }
}

Postgres::Attempt Postgres::TryTransaction(const std::function<Result<void>(Sql&)>& work,
                                           Durability durability) {
  again_ = false;
  const auto begun = Run("BEGIN ISOLATION LEVEL SERIALIZABLE", {});
  if (!begun) return {begun.error(), again_};
  struct Guard {
    Postgres& connection;
    bool open = true;
    ~Guard() {
      connection.in_transaction_ = false;
      // A connection that cannot roll back is opened anew by its next user.
      if (open && (!connection.Alive() || !connection.Run("ROLLBACK", {}))) connection.Close();
    }
  } guard{*this};
  if (durability == Durability::kSoon) {
    const auto set = Run("SET LOCAL synchronous_commit TO off", {});
    if (!set) return {set.error(), again_};
  }
  in_transaction_ = true;
  transaction_failure_ = {};
  Result<void> done = work(*this);
  if (!transaction_failure_) done = transaction_failure_;
  if (!done) {
    const bool again = !transaction_failure_ && again_;
    return {done, again};
  }
  const auto committed = Run("COMMIT", {});
  guard.open = false;
  if (committed) return {{}, false};
  // Whether a COMMIT arrived before the connection broke cannot be known; a lost race was rolled
  // back for certain.
  const bool lost = pq_.status(connection_) != CONNECTION_OK;
  return {committed.error(), again_ && !lost};
}

}  // namespace toolpost::db
