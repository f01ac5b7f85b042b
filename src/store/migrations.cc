// Every table's name starts with toolpost_, because a PostgreSQL database may belong to others too.
#include "store/migrations.h"

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"

namespace toolpost::store {
namespace {

using db::Dialect;
using db::Sql;

constexpr std::string_view kPostgresOnly = "{postgres}";
// Any fixed number will do, as long as every toolpost uses the same.
constexpr std::int64_t kAdvisoryLock = 0x746f6f6c706f7374;

// Statements in the common subset, with {text}, {bytes} {serial} and {now} for what the engines
// spell differently; {postgres} starts one that the other engine does without. {text} sorts by code
// point on both. Times are nanoseconds since 1970 (BIGINT), lists are JSON arrays. A list that was
// released is never changed: append another.
const std::vector<std::vector<std::string_view>>& Versions() {
  static const std::vector<std::vector<std::string_view>> kVersions = {
      {
          "CREATE TABLE toolpost_counters (name {text} PRIMARY KEY, value BIGINT NOT NULL)",
          "INSERT INTO toolpost_counters VALUES ('key_epoch', 1)",
          ("CREATE TABLE toolpost_api_keys (id {text} PRIMARY KEY, digest {bytes} NOT NULL, "
           "name {text} NOT NULL, user_id {text} NOT NULL, key_type {text} NOT NULL, "
           "description {text} NOT NULL, scopes {text} NOT NULL, tools {text}, toolsets {text}, "
           "connections {text}, roots {text}, read_only BIGINT NOT NULL, "
           "created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT, last_used BIGINT)"),
          "CREATE INDEX toolpost_api_keys_user ON toolpost_api_keys (user_id)",
          // No reference to the key: entries outlive it.
          ("CREATE TABLE toolpost_usage (id {serial}, key_id {text} NOT NULL, "
           "user_id {text} NOT NULL, at BIGINT NOT NULL, resource {text} NOT NULL, "
           "method {text} NOT NULL, address {text} NOT NULL, user_agent {text} NOT NULL)"),
          "CREATE INDEX toolpost_usage_key ON toolpost_usage (key_id, at, id)",
          "CREATE INDEX toolpost_usage_user ON toolpost_usage (user_id, at, id)",
          ("CREATE TABLE toolpost_secrets (kind {text} NOT NULL, name {text} NOT NULL, "
           "form {text} NOT NULL, key_id {text} NOT NULL, sealed {bytes} NOT NULL, "
           "details {text} NOT NULL, PRIMARY KEY (kind, name))"),
          ("CREATE TABLE toolpost_vault_state (singleton BIGINT PRIMARY KEY CHECK (singleton = 1), "
           "key_id {text} NOT NULL, check_value {bytes} NOT NULL, salt {bytes} NOT NULL)"),
      },
      {
          "ALTER TABLE toolpost_usage ADD COLUMN count BIGINT NOT NULL DEFAULT 1",
          "CREATE INDEX toolpost_usage_at ON toolpost_usage (at)",
      },
      {
          ("CREATE TABLE toolpost_tasks (id {serial}, user_id {text} NOT NULL, title {text} NOT "
           "NULL, description {text}, due_date {text}, completed BIGINT NOT NULL, created_at "
           "BIGINT "
           "NOT NULL, updated_at BIGINT NOT NULL, folded_title {text} NOT NULL, "
           "folded_description {text})"),
          "CREATE INDEX toolpost_tasks_created ON toolpost_tasks (user_id, created_at, id)",
          "CREATE INDEX toolpost_tasks_title ON toolpost_tasks (user_id, title, id)",
          ("CREATE TABLE toolpost_users (id {text} PRIMARY KEY, name {text} NOT NULL, "
           "email {text} NOT NULL, created_at BIGINT NOT NULL, last_seen BIGINT NOT NULL)"),
          // Who calls where nothing is configured (requirements D12).
          "INSERT INTO toolpost_users VALUES ('local', 'Local user', '', {now}, {now})",
          // The second wall: forced, because the owner of a table is exempt otherwise.
          "{postgres}ALTER TABLE toolpost_tasks ENABLE ROW LEVEL SECURITY",
          "{postgres}ALTER TABLE toolpost_tasks FORCE ROW LEVEL SECURITY",
          ("{postgres}CREATE POLICY toolpost_own_tasks ON toolpost_tasks USING (user_id = "
           "current_setting('toolpost.user', true))"),
          "{postgres}ALTER TABLE toolpost_users ENABLE ROW LEVEL SECURITY",
          "{postgres}ALTER TABLE toolpost_users FORCE ROW LEVEL SECURITY",
          ("{postgres}CREATE POLICY toolpost_own_user ON toolpost_users USING (id = "
           "current_setting('toolpost.user', true))"),
      },
      {
          // People look for "apple" before "Banana".
          "DROP INDEX toolpost_tasks_title",
          "CREATE INDEX toolpost_tasks_title ON toolpost_tasks (user_id, folded_title, id)",
      },
      {
          // The row of somebody else is not even looked at, so that time does not tell it from
          // none.
          "{postgres}ALTER TABLE toolpost_tasks DROP CONSTRAINT toolpost_tasks_pkey",
          "{postgres}ALTER TABLE toolpost_tasks ADD PRIMARY KEY (user_id, id)",
      },
  };
  return kVersions;
}

void Replace(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

std::string Translate(std::string_view statement, Dialect dialect) {
  const bool sqlite = dialect == Dialect::kSqlite;
  std::string text(statement);
  Replace(text, "{text}", sqlite ? "TEXT" : "TEXT COLLATE \"C\"");
  Replace(text, "{now}", std::to_string(base::Now().time_since_epoch().count()));
  Replace(text, "{bytes}", sqlite ? "BLOB" : "BYTEA");
  Replace(text, "{serial}",
          sqlite ? "INTEGER PRIMARY KEY AUTOINCREMENT"
                 : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY");
  return text;
}

// 0: no tables yet.
Result<std::int64_t> CurrentVersion(Sql& sql) {
  // Not to_regclass: inside a transaction it may answer from a cache that does not know what others
  // have created.
  const char* exists =
      sql.dialect() == Dialect::kSqlite
          ? "SELECT 1 FROM sqlite_master WHERE name = 'toolpost_schema'"
          : "SELECT 1 FROM pg_catalog.pg_class WHERE relname = 'toolpost_schema' AND "
            "pg_catalog.pg_table_is_visible(oid)";
  ASSIGN_OR_RETURN(const auto tables, sql.Query(exists));
  if (tables.empty()) return std::int64_t{0};
  ASSIGN_OR_RETURN(const auto rows, sql.Query("SELECT version FROM toolpost_schema"));
  const std::int64_t version = rows.size() == 1 ? db::IntegerOr(rows[0][0], -1) : -1;
  if (version >= 1) return version;
  return Error::Internal(
      "The store's table toolpost_schema does not name a version: restore the database from a "
      "backup");
}

Result<void> CheckNotNewer(std::int64_t version) {
  if (version <= LatestVersion()) return {};
  return Error{Code::kConflict,
               base::StrCat("The store was written by a newer toolpost (tables version ", version,
                            ", this one knows ", LatestVersion(),
                            "). Upgrade this toolpost, or use another store"),
               {}};
}

Result<void> Apply(Sql& sql, std::int64_t version) {
  if (version == 0) {
    RETURN_IF_ERROR(sql.Execute("CREATE TABLE toolpost_schema (version BIGINT NOT NULL)"));
    RETURN_IF_ERROR(sql.Execute("INSERT INTO toolpost_schema VALUES (0)"));
  }
  for (; version < LatestVersion(); ++version) {
    for (std::string_view statement : Versions()[static_cast<std::size_t>(version)]) {
      if (statement.starts_with(kPostgresOnly)) {
        if (sql.dialect() != Dialect::kPostgres) continue;
        statement.remove_prefix(kPostgresOnly.size());
      }
      RETURN_IF_ERROR(sql.Execute(Translate(statement, sql.dialect())));
    }
  }
  RETURN_IF_ERROR(sql.Execute("UPDATE toolpost_schema SET version = $1", {version}));
  return {};
}

}  // namespace

std::int64_t LatestVersion() { return static_cast<std::int64_t>(Versions().size()); }

Result<void> Migrate(Sql& sql) {
  ASSIGN_OR_RETURN(const std::int64_t found, CurrentVersion(sql));
  if (found == LatestVersion()) return {};
  return sql.InTransaction([](Sql& locked) -> Result<void> {
    if (locked.dialect() == Dialect::kPostgres) {
      // What the one before us did must be visible once we have the lock.
      RETURN_IF_ERROR(locked.Execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED"));
      RETURN_IF_ERROR(locked.Query("SELECT pg_advisory_xact_lock($1)", {kAdvisoryLock}));
    }
    ASSIGN_OR_RETURN(const std::int64_t version, CurrentVersion(locked));
    RETURN_IF_ERROR(CheckNotNewer(version));
    if (version == LatestVersion()) return {};
    return Apply(locked, version);
  });
}

}  // namespace toolpost::store
