// The ODBC driver for SQL Server that this machine has.
#pragma once

#include <string>

#include "db/libodbc.h"
#include "toolpost/result.h"

namespace toolpost::db {

struct OdbcDriver {
  enum class Kind { kFreeTds, kMicrosoft };
  Kind kind = Kind::kFreeTds;
  std::string file;  // the shared library

  // Microsoft's msodbcsql18 where it is installed, otherwise FreeTDS. Looked for once and then kept
  // loaded. Code::kUnavailable names the package to install.
  static Result<const OdbcDriver*> Find(const Libodbc& odbc);
};

}  // namespace toolpost::db
