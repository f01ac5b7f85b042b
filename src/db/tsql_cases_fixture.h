// Statements the Transact-SQL guard must refuse and must allow, by what they try.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/select_guard_tsql.h"

namespace toolpost::db {

struct RefusedTsql {
  std::string sql;
  std::string reason;  // a part of the message
};

struct TsqlCases {
  std::string name;
  std::vector<RefusedTsql> refused;
  std::vector<std::string> allowed;  // their harmless twins
};

// With the parameters @p and @id, and the database sales.
Result<void> GuardedTsql(std::string_view sql);

std::vector<TsqlCases> TsqlLexicalCases();
std::vector<TsqlCases> TsqlStatementCases();
std::vector<TsqlCases> TsqlSourceCases();
std::vector<TsqlCases> AllTsqlCases();

}  // namespace toolpost::db
