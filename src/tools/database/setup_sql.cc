// The least-privilege account of PostgreSQL.
#include "tools/database/setup_sql.h"

#include "base/strings.h"

namespace toolpost::tools::database {
namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out.push_back(quote);
    out.push_back(c);
  }
  out.push_back(quote);
  return out;
}

// Inside the body of a DO block: E'' with doubled backslashes is not needed, names are literals of
// standard_conforming_strings, and $toolpost$ is taken apart so that no name can end the body.
std::string Literal(std::string_view text) {
  std::string out = Quoted(text, '\'');
  for (std::size_t at = 0; (at = out.find("$toolpost$", at)) != std::string::npos;)
    out.replace(at, 10, "$tool'||'post$");
  return out;
}

}  // namespace

std::string SetupSql(std::string_view account, const std::vector<std::string>& schemas) {
  const std::string role = Quoted(account, '"');
  std::string sql = base::StrCat(
      "-- An account for toolpost that can only read. Run it as the owner of the database:\n"
      "--   toolpost database setup-sql | psql \"$OWNER_URL\"\n"
      "-- and then give the account a password:\n"
      "--   \\password ",
      role, "\nDO $toolpost$\nBEGIN\n  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ",
      Literal(account), ") THEN\n    EXECUTE format('CREATE ROLE %I LOGIN', ", Literal(account),
      ");\n  END IF;\n  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), ",
      Literal(account), ");\nEND\n$toolpost$;\n");
  sql.append(base::StrCat(
      "ALTER ROLE ", role,
      " NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT CONNECTION LIMIT "
      "50;\n",
      "ALTER ROLE ", role, " SET default_transaction_read_only = on;\n", "ALTER ROLE ", role,
      " SET statement_timeout = '60s';\n", "ALTER ROLE ", role,
      " SET idle_in_transaction_session_timeout = '60s';\n"));
  for (const std::string& name : schemas) {
    const std::string schema = Quoted(name, '"');
    sql.append(base::StrCat(
        "\n-- Databases made before PostgreSQL 15 let everybody create here.\n",
        "REVOKE CREATE ON SCHEMA ", schema, " FROM PUBLIC;\n", "GRANT USAGE ON SCHEMA ", schema,
        " TO ", role, ";\n", "GRANT SELECT ON ALL TABLES IN SCHEMA ", schema, " TO ", role, ";\n",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA ", schema, " GRANT SELECT ON TABLES TO ", role, ";\n"));
  }
  sql.append(base::StrCat(
      "\n-- Optional: let it see the statements and states of other accounts, for database/health "
      "and\n-- database/top_queries. What others ask can hold what they know.\n-- ALTER ROLE ",
      role, " INHERIT;\n-- GRANT pg_read_all_stats TO ", role, ";\n"));
  return sql;
}

}  // namespace toolpost::tools::database
