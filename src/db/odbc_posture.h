// Who the server says we are, and what is dangerous about it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "db/sql_server.h"

namespace toolpost::db {

// Runs a statement of ours.
using OdbcQuery = std::function<Result<std::vector<std::vector<Row>>>(std::string_view sql)>;

// `encrypted` and `certificate_verified` are the caller's to set. Several statements: only the
// first has to succeed, because Azure SQL lacks some of what the others ask for and not every login
// may see all of it.
Result<SqlServerPosture> ReadSqlServerPosture(const OdbcQuery& query);

}  // namespace toolpost::db
