// What the driver and the server say when something goes wrong, and in between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/libodbc.h"
#include "toolpost/result.h"

namespace toolpost::db {

// One diagnostic record.
struct OdbcDiagnosis {
  std::string state;      // SQLSTATE
  int number = 0;         // the server's or, from 20000 to 20999 with FreeTDS, the driver's
  int severity = 0;       // 0: not known
  int line = 0;           // 0: not known
  std::string message;    // without the names of driver and server before it
  int message_state = 0;  // 0: not known, as with FreeTDS

  bool is_message() const { return state.starts_with("01"); }
};

// All records of a handle, at most 100; long messages are cut.
std::vector<OdbcDiagnosis> ReadDiagnoses(const Libodbc& odbc, SQLSMALLINT kind, SQLHANDLE handle);

// The record that says what went wrong: the first that is no message, otherwise the first.
const OdbcDiagnosis* MainDiagnosis(const std::vector<OdbcDiagnosis>& diagnoses);

// Of FreeTDS, not of the server.
bool IsDriverNumber(int number);

// Of a statement. Codes and `data` as sql_server.h says.
Error SqlServerStatementError(const OdbcDiagnosis& diagnosis);
// Of a login: Code::kUnavailable or Code::kTimeout, with what to do. `verified`: the certificate
// was to be verified.
Error SqlServerLoginError(const std::vector<OdbcDiagnosis>& diagnoses, bool encrypted,
                          bool verified);
Error SqlServerTimeout();
Error SqlServerGone();
Error SqlServerHostUnknown();

}  // namespace toolpost::db
