// Arguments that the database tools have in common.
#pragma once

#include <memory>
#include <string_view>

#include "toolpost/tool.h"
#include "tools/database/connections.h"

namespace toolpost::tools::database {

inline constexpr std::string_view kConnectionHelp = "Which database; database_tables lists them.";

// The gate asks whether the caller may use what the argument `connection` leads to.
void UseConnectionArgument(Tool& tool, std::shared_ptr<const Connections> connections);
// The argument is an array or an object.
void AllowListsAndObjects(Tool& tool, std::string_view argument);
// The schema a database means: `public` is what the PRD calls the default one, and SQLite's is
// called main.
std::string_view SchemaOf(const db::Database& database, std::string_view given);

}  // namespace toolpost::tools::database
