// The hints of Transact-SQL: lists in parentheses that tell the server how to run a statement.
#pragma once

#include <cstddef>
#include <span>

#include "db/tsql_tokens.h"
#include "toolpost/result.h"

namespace toolpost::db {

// `tokens[at]` is the parenthesis that opens the list; returns the place behind the one that closes
// it. Code::kInvalidArgument names the hint that is not allowed and lists those that are.
Result<std::size_t> CheckTableHints(std::span<const TsqlToken> tokens, std::size_t at);
Result<std::size_t> CheckQueryHints(std::span<const TsqlToken> tokens, std::size_t at);

}  // namespace toolpost::db
