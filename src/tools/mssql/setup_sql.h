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
};

// For sqlcmd or Management Studio, run by a sysadmin. Running it again changes nothing. The login
// gets a random password nobody knows: the text says how to give it one. Code::kInvalidArgument for
// a name that is empty, longer than 128 characters, not UTF-8, has control characters or `$(`,
// which sqlcmd would replace, and for a login with a backslash, which is one of Windows.
Result<std::string> SetupSql(const SetupSqlOptions& options);

}  // namespace toolpost::tools::mssql
