// The Transact-SQL that creates a login which can only read.
#pragma once

#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::tools::mssql {

struct SetupSqlOptions {
  std::string_view database;
  std::string_view login;
  bool agent_jobs = false;  // may also read the jobs in msdb
  bool contained = false;   // a user of the database without a login: Azure SQL Database
};

// For sqlcmd or Management Studio, run by a sysadmin. Running it again changes nothing. The login
// gets a random password nobody knows: the text says how to give it one. Code::kInvalidArgument for
// a name that is empty, longer than 128 characters, not UTF-8, has control characters or `$(`,
// which sqlcmd would replace, for a login with a backslash, which is one of Windows, and for the
// jobs together with `contained`, because such a user sees no msdb.
Result<std::string> SetupSql(const SetupSqlOptions& options);

}  // namespace toolpost::tools::mssql
