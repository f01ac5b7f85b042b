// Handles, one call at a time.
#include "db/odbc_session.h"

#include <algorithm>
#include <bit>

#include "base/strings.h"
#include "db/odbc_text.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr std::size_t kMostMessages = 100;
// Should the server not even answer a cancel, the driver gives the connection up after this.
constexpr seconds kToCancel{5};

SQLPOINTER AsPointer(std::uintptr_t value) { return std::bit_cast<SQLPOINTER>(value); }

std::uintptr_t WholeSeconds(Steady::duration time) {
  const auto whole = std::chrono::ceil<seconds>(time).count();
  return static_cast<std::uintptr_t>(std::clamp<std::int64_t>(whole, 1, 86'400));
}

// Unlike cancelled and late ones, these are what a caller can do something about.
bool IsChangeOfContext(int number) { return number == 5701 || number == 5703; }

}  // namespace

Result<std::unique_ptr<OdbcSession>> OdbcSession::Open(const Libodbc& odbc,
                                                       base::TimerQueue& timers,
                                                       const OdbcLogin& login, Time deadline) {
  std::unique_ptr<OdbcSession> session(new OdbcSession(odbc, timers));
  RETURN_IF_ERROR(session->Connect(login, deadline));
  return session;
}

Result<void> OdbcSession::Connect(const OdbcLogin& login, Time deadline) {
  const Error no_handle = Error::Unavailable("No memory for a connection to SQL Server");
  if (!SQL_SUCCEEDED(odbc_.alloc_handle(SQL_HANDLE_ENV, nullptr, &environment_))) return no_handle;
  odbc_.set_env_attr(environment_, SQL_ATTR_ODBC_VERSION, AsPointer(SQL_OV_ODBC3), 0);
  if (!SQL_SUCCEEDED(odbc_.alloc_handle(SQL_HANDLE_DBC, environment_, &connection_))) {
    return no_handle;
  }
  odbc_.set_connect_attr(connection_, SQL_ATTR_LOGIN_TIMEOUT,
                         AsPointer(WholeSeconds(deadline - Steady::now())), SQL_IS_UINTEGER);
  std::vector<SQLWCHAR> text = ToWide(login.connection_string);
  const SQLRETURN code =
      odbc_.driver_connect(connection_, nullptr, text.data(), static_cast<SQLSMALLINT>(text.size()),
                           nullptr, 0, nullptr, SQL_DRIVER_NOPROMPT);
  if (!SQL_SUCCEEDED(code)) {
    return SqlServerLoginError(ReadDiagnoses(odbc_, SQL_HANDLE_DBC, connection_), login.encrypted,
                               login.verified);
  }
  connected_ = true;
  if (!SQL_SUCCEEDED(odbc_.alloc_handle(SQL_HANDLE_STMT, connection_, &statement_))) {
    return no_handle;
  }
  last_used_ = Steady::now();
  return {};
}

OdbcSession::~OdbcSession() {
  cancel_.Finish();
  if (statement_ != nullptr) odbc_.free_handle(SQL_HANDLE_STMT, statement_);
  if (connected_) odbc_.disconnect(connection_);
  if (connection_ != nullptr) odbc_.free_handle(SQL_HANDLE_DBC, connection_);
  if (environment_ != nullptr) odbc_.free_handle(SQL_HANDLE_ENV, environment_);
}

Result<OdbcSession::Finish> OdbcSession::Run(const OdbcCall& call, OdbcResults& results) {
  messages_.clear();
  answered_ = false;
  ++runs_;
  if (call.stop.stop_requested()) return Error::Cancelled();
  if (Steady::now() >= call.deadline) return SqlServerTimeout();
  cancel_.Start(statement_, call.deadline, call.stop);
  Result<Finish> finish = Execute(call, results);
  if (!finish && Dead()) usable_ = false;
  const OdbcEnd end = cancel_.Finish();
  // Closing throws away what is still to come: FreeTDS cancels for it.
  if (usable_) {
    odbc_.free_stmt(statement_, SQL_CLOSE);
    odbc_.free_stmt(statement_, SQL_RESET_PARAMS);
    const bool at_rest = finish && *finish == Finish::kAll;
    usable_ = at_rest || !Dead();
  }
  last_used_ = Steady::now();
  // What was read to its end was not cancelled, however late somebody thought of it.
  if (finish && *finish == Finish::kAll) return finish;
  if (end == OdbcEnd::kStopped) return Error::Cancelled();
  if (end == OdbcEnd::kTimeout) return SqlServerTimeout();
  return finish;
}

// {call sp_executesql(?, ?, …)} is a remote call in which the statement is a value.
Result<void> OdbcSession::Prepare(const OdbcCall& call, OdbcParameters& own) {
  const std::uintptr_t patience = WholeSeconds(call.deadline - Steady::now() + kToCancel);
  if (patience != patience_) {
    odbc_.set_stmt_attr(statement_, SQL_ATTR_QUERY_TIMEOUT, AsPointer(patience), 0);
    patience_ = patience;
  }
  RETURN_IF_ERROR(own.AddText(call.sql));
  if (call.types.empty()) return {};
  return own.AddText(call.types);
}

Result<OdbcSession::Finish> OdbcSession::Execute(const OdbcCall& call, OdbcResults& results) {
  OdbcParameters own;
  RETURN_IF_ERROR(Prepare(call, own));
  const std::size_t count = own.size() + (call.values == nullptr ? 0 : call.values->size());
  if (!own.Bind(odbc_, statement_, 1)) return Failed();
  if (call.values != nullptr && !call.values->Bind(odbc_, statement_, own.size() + 1)) {
    return Failed();
  }
  std::string text = "{call sp_executesql(?";
  for (std::size_t i = 1; i < count; ++i) text += ",?";
  std::vector<SQLWCHAR> wide = ToWide(text + ")}");
  const SQLRETURN code =
      odbc_.exec_direct(statement_, wide.data(), static_cast<SQLINTEGER>(wide.size()));
  if (code != SQL_NO_DATA && !SQL_SUCCEEDED(code)) return Failed();
  Note(code);
  answered_ = true;
  return ReadSets(call.max_cell, results);
}

Result<OdbcSession::Finish> OdbcSession::ReadSets(std::size_t max_cell, OdbcResults& results) {
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, ReadSet(max_cell, results));
    if (!more) return Finish::kEnough;
    const SQLRETURN code = odbc_.more_results(statement_);
    if (code == SQL_NO_DATA) return Finish::kAll;
    if (!SQL_SUCCEEDED(code)) return Failed();
    Note(code);
  }
}

Result<bool> OdbcSession::ReadSet(std::size_t max_cell, OdbcResults& results) {
  OdbcCells cells(odbc_, statement_, max_cell);
  if (cells.columns().empty()) return true;
  results.Begin(cells.columns());
  for (;;) {
    const SQLRETURN code = odbc_.fetch(statement_);
    Note(code);
    if (code == SQL_NO_DATA) return true;
    if (!SQL_SUCCEEDED(code)) return Failed();
    Result<std::span<const Cell>> row = cells.Read();
    if (!row) return row.error().code == Code::kInternal ? Failed() : row.error();
    if (cancel_.end() != OdbcEnd::kNone) return Error::Cancelled();
    if (!results.Add(cells, *row)) return false;
  }
}

void OdbcSession::Note(SQLRETURN code) {
  if (code != SQL_SUCCESS_WITH_INFO) return;
  for (OdbcDiagnosis& diagnosis : ReadDiagnoses(odbc_, SQL_HANDLE_STMT, statement_)) {
    if (IsChangeOfContext(diagnosis.number) || messages_.size() >= kMostMessages) continue;
    if (!diagnosis.is_message() || diagnosis.message.empty()) continue;
    messages_.push_back(std::move(diagnosis.message));
  }
}

Error OdbcSession::Failed() {
  const std::vector<OdbcDiagnosis> diagnoses = ReadDiagnoses(odbc_, SQL_HANDLE_STMT, statement_);
  const bool dead = Dead();
  const OdbcDiagnosis* main = MainDiagnosis(diagnoses);
  if (main != nullptr && !main->is_message() && !IsDriverNumber(main->number)) {
    answered_ = true;
    return SqlServerStatementError(*main);
  }
  if (dead || main == nullptr) return SqlServerGone();
  return SqlServerStatementError(*main);
}

bool OdbcSession::Dead() {
  SQLUINTEGER dead = SQL_CD_FALSE;
  const SQLRETURN code = odbc_.get_connect_attr(connection_, SQL_ATTR_CONNECTION_DEAD, &dead,
                                                SQL_IS_UINTEGER, nullptr);
  return !SQL_SUCCEEDED(code) || dead == SQL_CD_TRUE;
}

}  // namespace toolpost::db
