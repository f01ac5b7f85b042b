// For tests only: statements that try to change a PostgreSQL database, and statements that must not
// be mistaken for such. They are about the database of PostgresDatabaseTest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toolpost::db {

struct StatementCategory {
  const char* name;
  std::vector<std::string> statements;
};

// DROP/ stands for a directory that the server may write to.
const std::vector<StatementCategory>& HostileStatements();
// Statements with a place for an expression, X, of every kind there is.
std::span<const char* const> ExpressionPlaces();
std::span<const char* const> HostileExpressions();
std::string PutInPlace(std::string_view place, std::string_view expression);

// At least as many as there are hostile ones.
const std::vector<StatementCategory>& HarmlessStatements();

std::size_t CountOf(const std::vector<StatementCategory>& categories);
std::string InUpperCase(std::string_view text);
std::string ReplaceAll(std::string text, std::string_view what, std::string_view with);

}  // namespace toolpost::db
