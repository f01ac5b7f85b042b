// toolpost mssql: what an operator needs beside the tools.
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "tools/mssql/setup_sql.h"

namespace toolpost::cli {

int RunMssql(const Arguments& arguments) {
  if (arguments.words[0] != "setup-sql") {
    return Complain(
        Error::InvalidParams("mssql " + arguments.words[0] + " is unknown: use mssql setup-sql"),
        kUsage);
  }
  const auto sql = tools::mssql::SetupSql(
      {.database = arguments.Get("database"),
       .login = arguments.Has("login") ? arguments.Get("login") : "toolpost_reader",
       .agent_jobs = arguments.Has("agent-jobs"),
       .contained = arguments.Has("contained")});
  if (!sql) return Complain(sql.error(), kUsage);
  std::cout << *sql;
  return kOk;
}

}  // namespace toolpost::cli
