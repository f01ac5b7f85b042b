// CREATE INDEX statements for hypopg.
#include "db/hypothetical_index.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace toolpost::db {
namespace {

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string Definition(const HypotheticalIndex& index) {
  std::string columns;
  for (const std::string& column : index.columns)
    columns.append(base::StrCat(columns.empty() ? "" : ", ", Quoted(column)));
  return base::StrCat("CREATE INDEX ON ", Quoted(index.schema), ".", Quoted(index.table), " USING ",
                      Quoted(index.method), " (", columns, ")");
}

}  // namespace

Result<std::vector<PostgresStep>> SupposeIndexes(PostgresSession& session,
                                                 std::span<const HypotheticalIndex> indexes,
                                                 const Patience& patience) {
  if (session.pooled()) {
    return Error::InvalidParams(
        "Hypothetical indexes need a connection without a pooler in between: leave indexes out");
  }
  ASSIGN_OR_RETURN(const auto schemas,
                   session.Rows({.sql = "SELECT n.nspname FROM pg_catalog.pg_extension e "
                                        "JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace "
                                        "WHERE e.extname = 'hypopg'",
                                 .deadline = patience.deadline,
                                 .stop = patience.stop}));
  if (schemas.empty() || !schemas.front().front()) {
    return Error::InvalidParams(
        "Hypothetical indexes need the extension hypopg (Debian: postgresql-15-hypopg) and CREATE "
        "EXTENSION hypopg in this database: have it installed, or leave indexes out");
  }
  const std::string create =
      base::StrCat("SELECT ", Quoted(*schemas.front().front()), ".hypopg_create_index($1)");
  std::vector<PostgresStep> steps;
  for (const HypotheticalIndex& index : indexes) steps.push_back({create, {Definition(index)}});
  return steps;
}

}  // namespace toolpost::db
