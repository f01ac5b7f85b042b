// The SQL that creates an account which can only read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolpost::tools::database {

// For psql, run by the owner of the PostgreSQL database. Running it again changes nothing. The
// account gets no password: the text says how to give it one.
std::string SetupSql(std::string_view account, const std::vector<std::string>& schemas);

}  // namespace toolpost::tools::database
