// toolpost database: what an operator needs beside the tools.
#include <iostream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "tools/database/setup_sql.h"

namespace toolpost::cli {

int RunDatabase(const Arguments& arguments) {
  if (arguments.words[0] != "setup-sql") {
    return Complain(Error::InvalidParams("database " + arguments.words[0] +
                                         " is unknown: use database setup-sql"),
                    kUsage);
  }
  const std::string_view account =
      arguments.Has("account") ? arguments.Get("account") : "toolpost_reader";
  std::vector<std::string> schemas;
  for (const std::string_view name :
       base::Split(arguments.Has("schemas") ? arguments.Get("schemas") : "public", ',')) {
    if (!base::Trim(name).empty()) schemas.emplace_back(base::Trim(name));
  }
  if (account.empty() || account.find('\n') != std::string_view::npos || schemas.empty()) {
    return Complain(Error::InvalidParams("--account and --schemas need names"), kUsage);
  }
  std::cout << tools::database::SetupSql(account, schemas);
  return kOk;
}

}  // namespace toolpost::cli
