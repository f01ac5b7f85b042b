// database/health.
#include <charconv>
#include <chrono>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "tools/database/arguments.h"
#include "tools/database/collect.h"
#include "tools/database/run_query.h"

namespace toolpost::tools::database {
namespace {

struct Args {
  std::string connection;
  static constexpr auto Fields() {
    return std::tuple{Opt("connection", &Args::connection, "Which database.")};
  }
};

struct Finding {
  std::string check;
  std::string status;
  std::string detail;
  static constexpr auto Fields() {
    return std::tuple{Req("check", &Finding::check), Req("status", &Finding::status),
                      Req("detail", &Finding::detail)};
  }
};

struct Out {
  std::string status;
  std::vector<Finding> findings;
  static constexpr auto Fields() {
    return std::tuple{Req("status", &Out::status, "ok or warning."),
                      Req("findings", &Out::findings)};
  }
};

// A statement that gives status and detail, and perhaps seconds that follow it; no row means that
// nothing was found. Of what the account may not see, the status is unknown and the detail says
// what that is. $1 is what counts as long, in seconds.
struct Check {
  std::string_view name;
  std::string_view sql;
  std::chrono::seconds DatabaseServices::*long_time = nullptr;
};

constexpr std::string_view kHidden =
    " cannot be seen by this account: GRANT pg_read_all_stats to it (toolpost database setup-sql "
    "says how)";

// What kind a session is that the account may not see, only its database tells.
constexpr Check kPostgres[] = {
    {"size", "SELECT 'ok', pg_size_pretty(pg_database_size(current_database()))"},
    {"cache",
     "SELECT CASE WHEN blks_hit + blks_read > 10000 AND blks_hit < 0.9 * (blks_hit + blks_read) "
     "THEN 'warning' ELSE 'ok' END, round(100.0 * blks_hit / greatest(blks_hit + blks_read, 1), 1) "
     "|| ' % of blocks came from the cache' FROM pg_stat_database WHERE datname = "
     "current_database()"},
    {"connections",
     "SELECT CASE WHEN count(*) > 0.8 * current_setting('max_connections')::int THEN 'warning' "
     "ELSE "
     "'ok' END, count(*) || ' of ' || current_setting('max_connections') FROM pg_stat_activity "
     "WHERE backend_type = 'client backend' OR (backend_type IS NULL AND datid IS NOT NULL)"},
    {"bloat",
     "SELECT 'warning', schemaname || '.' || relname || ': ' || n_dead_tup || ' dead rows beside ' "
     "|| n_live_tup || '; VACUUM is behind' FROM pg_stat_user_tables WHERE n_dead_tup > 10000 AND "
     "n_dead_tup > 0.2 * n_live_tup ORDER BY n_dead_tup DESC LIMIT 10"},
    {"unused indexes",
     "SELECT 'warning', s.schemaname || '.' || s.indexrelname || ' on ' || s.relname || ' (' || "
     "pg_size_pretty(pg_relation_size(s.indexrelid)) || ') was never used' FROM "
     "pg_stat_user_indexes s JOIN pg_index i ON i.indexrelid = s.indexrelid WHERE s.idx_scan = 0 "
     "AND "
     "NOT i.indisunique AND pg_relation_size(s.indexrelid) > 1000000 ORDER BY "
     "pg_relation_size(s.indexrelid) DESC LIMIT 10"},
    {"duplicate indexes",
     "SELECT 'warning', string_agg(i.indexrelid::regclass::text || CASE WHEN i.indisunique THEN ' "
     "(unique)' ELSE '' END, ', ' ORDER BY i.indexrelid) || ' "
     "on ' || i.indrelid::regclass::text || ' are the same' FROM pg_index i JOIN pg_class c ON "
     "c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname NOT IN "
     "('pg_catalog', 'information_schema', 'pg_toast') GROUP BY i.indrelid, i.indkey::text, "
     "i.indclass::text, i.indcollation::text, i.indoption::text, coalesce(pg_get_expr(i.indexprs, "
     "i.indrelid), ''), coalesce(pg_get_expr(i.indpred, i.indrelid), '') HAVING count(*) > 1 LIMIT "
     "10"},
    {"invalid indexes",
     "SELECT 'warning', indexrelid::regclass::text || ' on ' || indrelid::regclass::text || ' is "
     "not valid: REINDEX or drop it' FROM pg_index WHERE NOT indisvalid LIMIT 10"},
    {"long queries",
     "SELECT 'warning', 'process ' || pid || ' has been ' || state || ' for ', extract(epoch FROM "
     "now() - coalesce(query_start, xact_start)) FROM pg_stat_activity WHERE state <> 'idle' AND "
     "backend_type = 'client backend' AND pid <> pg_backend_pid() AND now() - "
     "coalesce(query_start, "
     "xact_start) > $1 * interval '1 second' UNION ALL SELECT 'unknown', 'sessions of other "
     "accounts', NULL WHERE NOT pg_has_role('pg_read_all_stats', 'USAGE') LIMIT 10",
     &DatabaseServices::long_query},
    {"locks",
     "SELECT 'warning', 'process ' || pid || ' waits for ' || mode || coalesce(' on ' || "
     "relation::regclass::text, '') FROM pg_locks WHERE NOT granted LIMIT 10"},
    {"replication",
     "SELECT CASE WHEN state IS NULL THEN 'unknown' WHEN replay_lag > $1 * interval '1 second' "
     "THEN "
     "'warning' ELSE 'ok' END, CASE WHEN state IS NULL THEN 'how far a standby is behind' WHEN "
     "replay_lsn IS NULL THEN application_name || ' is in state ' || state ELSE application_name "
     "|| ' is behind by ' END, CASE WHEN replay_lsn IS NOT NULL THEN extract(epoch FROM "
     "coalesce(replay_lag, '0')) END FROM pg_stat_replication LIMIT 10",
     &DatabaseServices::long_lag},
    {"standby",
     "SELECT CASE WHEN seconds > $1 THEN 'warning' ELSE 'ok' END, CASE WHEN waits AND seconds IS "
     "NULL THEN 'it has received changes and replayed none since it started' WHEN waits THEN 'it "
     "has received changes and replays with a delay of ' ELSE 'all that it has received is "
     "replayed' END, CASE WHEN waits THEN seconds END FROM (SELECT coalesce("
     "pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn(), false) AS waits) w, LATERAL (SELECT "
     "CASE WHEN waits THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END AS "
     "seconds) s WHERE pg_is_in_recovery() UNION ALL SELECT 'warning', 'it is not connected to its "
     "primary: what it shows grows old', NULL WHERE pg_is_in_recovery() AND NOT EXISTS (SELECT 1 "
     "FROM pg_stat_wal_receiver)",
     &DatabaseServices::long_lag},
    {"replication slots",
     "SELECT 'warning', slot_name || ' is not read by anybody and keeps ' || "
     "pg_size_pretty(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() "
     "ELSE pg_current_wal_lsn() END, restart_lsn)) || ' of the write-ahead log: drop it if it is "
     "forgotten' FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL LIMIT 10"},
    {"wraparound",
     "SELECT CASE WHEN max(age(datfrozenxid)) > 1000000000 THEN 'warning' ELSE 'ok' END, "
     "round(max(age(datfrozenxid)) / 21474836.48, 1) || ' % of the transaction ids are used up' "
     "FROM pg_database"},
};

constexpr Check kSqlite[] = {
    {"size",
     "SELECT 'ok', (p.page_count * s.page_size) || ' bytes' FROM pragma_page_count p, "
     "pragma_page_size s"},
    {"free pages",
     "SELECT CASE WHEN f.freelist_count > 100 AND f.freelist_count > 0.25 * p.page_count THEN "
     "'warning' ELSE 'ok' END, f.freelist_count || ' of ' || p.page_count || ' pages are free' "
     "FROM "
     "pragma_page_count p, pragma_freelist_count f"},
    {"statistics",
     "SELECT 'warning', 'the planner has no statistics: ANALYZE was never run' WHERE NOT EXISTS "
     "(SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1')"},
    {"foreign keys without index",
     "SELECT 'warning', m.name || '.' || f.\"from\" || ' refers to ' || f.\"table\" FROM "
     "sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND f.seq = 0 AND "
     "NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) l, pragma_index_info(l.name) i WHERE "
     "i.seqno = 0 AND i.name = f.\"from\") AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) "
     "c WHERE c.pk = 1 AND c.name = f.\"from\") LIMIT 20"},
};

// "" of no number.
std::string InWords(std::string_view seconds) {
  double count = 0;
  if (std::from_chars(seconds.data(), seconds.data() + seconds.size(), count).ec != std::errc())
    return {};
  if (count < 1) return "less than a second";
  static constexpr std::pair<double, std::string_view> kUnits[] = {
      {86'400, " days"}, {3600, " hours"}, {60, " minutes"}};
  for (const auto& [size, name] : kUnits) {
    if (count >= 2 * size) return base::StrCat(static_cast<std::int64_t>(count / size), name);
  }
  return base::StrCat(static_cast<std::int64_t>(count), count < 2 ? " second" : " seconds");
}

Result<Out> Run(const DatabaseServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const auto database,
                   services.connections->Use(args.connection, context.principal(),
                                             PatienceOf(services, context)));
  RETURN_IF_ERROR(database->Check(PatienceOf(services, context)));
  Out out;
  out.status = "ok";
  const std::span<const Check> checks = database->dialect() == db::Dialect::kSqlite
                                            ? std::span<const Check>(kSqlite)
                                            : std::span<const Check>(kPostgres);
  double done = 0;
  for (const Check& check : checks) {
    const bool timed = check.long_time != nullptr;
    const Json threshold = timed ? JsonArray{(services.*check.long_time).count()} : JsonArray();
    const Result<std::vector<TextRow>> rows =
        Collect(services, *database, check.sql, timed ? &threshold : nullptr, context);
    context.Progress(++done, static_cast<double>(checks.size()), check.name);
    if (!rows) {
      if (rows.error().code == Code::kCancelled || rows.error().code == Code::kUnavailable)
        return rows.error();
      out.findings.push_back({std::string(check.name), "unknown", rows.error().message});
      continue;
    }
    if (rows->empty()) out.findings.push_back({std::string(check.name), "ok", "nothing found"});
    for (const TextRow& row : *rows) {
      if (row.size() < 2) continue;
      if (row[0] == "warning") out.status = "warning";
      const std::string_view hint = row[0] == "unknown" ? kHidden : "";
      const std::string time = row.size() > 2 ? InWords(row[2]) : std::string();
      out.findings.push_back({std::string(check.name), row[0], base::StrCat(row[1], time, hint)});
    }
  }
  for (const std::string& privilege : database->Status().privileges) {
    out.status = "warning";
    out.findings.push_back({"account", "warning", privilege});
  }
  return out;
}

}  // namespace

Tool HealthTool(DatabaseServices services) {
  return ReadingTool(
      {.name = "database/health",
       .title = "Check a database",
       .description =
           "Size, cache, bloat, indexes, long queries, locks, replication, wraparound and "
           "the rights of the account."},
      std::move(services), Run);
}

}  // namespace toolpost::tools::database
