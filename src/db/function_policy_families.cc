// The lists behind FunctionPolicy. A star stands for any characters.
#include <algorithm>

#include "base/strings.h"
#include "db/function_policy.h"

namespace toolpost::db {
namespace {

bool Matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (std::size_t skip = 0; skip <= name.size(); ++skip) {
    if (Matches(pattern, name.substr(skip))) return true;
  }
  return false;
}

struct Family {
  std::string_view pattern;
  std::string_view does;
};

constexpr Family kFamilies[] = {
    {"pg_read_*", "reads files of the server"},
    {"pg_ls_*", "lists files of the server"},
    {"pg_stat_file", "reads files of the server"},
    {"pg_file_*", "writes files of the server"},
    {"pg_logdir_ls", "lists files of the server"},
    {"pg_hba_file_rules", "reads files of the server"},
    {"pg_ident_file_mappings", "reads files of the server"},
    {"pg_show_all_file_settings", "reads files of the server"},
    {"pg_current_logfile", "names files of the server"},
    {"pg_config", "names files of the server"},
    {"pg_get_backend_memory_contexts", "shows the memory of the server"},
    {"pg_get_shmem_allocations", "shows the memory of the server"},
    {"pg_prepared_statement", "shows statements of other callers"},
    {"pg_cursor", "shows statements of other callers"},
    {"lo_*", "works on large objects"},
    {"loread", "works on large objects"},
    {"lowrite", "works on large objects"},
    {"dblink*", "talks to another server"},
    {"postgres_fdw_*", "talks to another server"},
    {"http*", "talks to another server"},
    {"aws_*", "talks to another server"},
    {"*_to_xml*", "runs SQL from a string"},
    {"ts_stat", "runs SQL from a string"},
    {"crosstab*", "runs SQL from a string"},
    {"connectby", "runs SQL from a string"},
    {"xpath_table", "runs SQL from a string"},
    {"pgr_*", "runs SQL from a string"},
    {"xslt_process", "can read files and talk to other servers"},
    {"set_config", "changes settings"},
    {"set_limit", "changes settings"},
    {"isn_weak", "changes settings"},
    {"fmgr_*", "loads libraries"},
    {"pg_reload_conf", "changes settings"},
    {"nextval", "changes a sequence"},
    {"setval", "changes a sequence"},
    {"pg_notify", "sends notifications"},
    {"pg_advisory_*", "takes or frees locks"},
    {"pg_try_advisory_*", "takes or frees locks"},
    {"pgrowlocks", "takes locks"},
    {"pg_sleep*", "keeps a connection busy"},
    {"pg_terminate_backend", "disturbs other sessions"},
    {"pg_cancel_backend", "disturbs other sessions"},
    {"pg_log_backend_*", "disturbs other sessions"},
    {"pg_rotate_logfile*", "administers the server"},
    {"pg_switch_wal", "administers the server"},
    {"pg_switch_xlog", "administers the server"},
    {"pg_create_*", "administers the server"},
    {"pg_drop_*", "administers the server"},
    {"pg_copy_*", "administers the server"},
    {"pg_backup_*", "administers the server"},
    {"pg_start_backup", "administers the server"},
    {"pg_stop_backup", "administers the server"},
    {"pg_promote", "administers the server"},
    {"pg_wal_replay_*", "administers the server"},
    {"pg_*_replication_slot*", "administers the server"},
    {"pg_replication_slot_*", "administers the server"},
    {"pg_replication_origin_*", "administers the server"},
    {"pg_logical_*", "administers the server"},
    {"pg_sync_replication_slots", "administers the server"},
    {"pg_log_standby_snapshot", "administers the server"},
    {"pg_export_snapshot", "leaves a snapshot behind"},
    {"pg_current_xact_id", "uses up a transaction number"},
    {"txid_current", "uses up a transaction number"},
    {"pg_stat_reset*", "resets statistics"},
    {"pg_stat_statements_reset", "resets statistics"},
    {"pg_stat_force_next_flush", "changes statistics"},
    {"pg_set_*_stats", "changes statistics"},
    {"pg_restore_*_stats", "changes statistics"},
    {"pg_clear_*_stats", "changes statistics"},
    {"pg_import_system_collations", "changes the catalogue"},
    {"pg_extension_config_dump", "changes the catalogue"},
    {"pg_stop_making_pinned_objects", "changes the catalogue"},
    {"binary_upgrade_*", "changes the catalogue"},
    {"pg_nextoid", "changes the catalogue"},
    {"addgeometrycolumn", "changes tables"},
    {"dropgeometry*", "changes tables"},
    {"updategeometrysrid", "changes tables"},
    {"populate_geometry_columns", "changes tables"},
    {"gin_clean_pending_list", "changes an index"},
    {"brin_*summarize*", "changes an index"},
    {"heap_force_*", "changes pages"},
    {"pg_truncate_visibility_map", "changes pages"},
    {"pg_prewarm", "fills the cache"},
    {"autoprewarm_*", "fills the cache"},
    {"pg_buffercache_evict*", "empties the cache"},
    {"get_raw_page", "reads pages past all privileges"},
    {"heap_page_*", "reads pages past all privileges"},
    {"page_header", "reads pages past all privileges"},
    {"page_checksum", "reads pages past all privileges"},
    {"bt_page_*", "reads pages past all privileges"},
    {"bt_multi_page_*", "reads pages past all privileges"},
    {"bt_metap", "reads pages past all privileges"},
    {"bt_index_*", "takes locks"},
    {"pg_get_wal_*", "reads the write-ahead log"},
    {"plv8_*", "runs code from a string"},
    {"add_*_policy", "schedules jobs"},
    {"remove_*_policy", "schedules jobs"},
    {"alter_job", "schedules jobs"},
    {"add_job", "schedules jobs"},
    {"run_job", "schedules jobs"},
    {"delete_job", "schedules jobs"},
};

// Extensions that live in a schema of their own and exist to do things.
constexpr std::string_view kDeniedSchemas[] = {
    "cron",   "net",        "pgmq",        "partman",  "repack",    "pgagent",
    "aws_s3", "aws_lambda", "aws_commons", "utl_file", "dbms_pipe", "dbms_alert"};

constexpr std::string_view kOnlyRead[] = {
    "random",
    "random_normal",
    "normal_rand",
    "array_shuffle",
    "array_sample",
    "setseed",
    "gen_random_*",
    "gen_salt",
    "uuid_generate_*",
    "uuidv4",
    "uuidv7",
    "pgp_*_encrypt*",
    "clock_timestamp",
    "timeofday",
    "current_query",
    "currval",
    "lastval",
    "pg_sequence_last_value",
    "pg_*_size",
    "pg_relpages",
    "ssl_*",
    "pg_is_in_recovery",
    "pg_current_wal_*",
    "pg_last_*",
    "pg_get_wal_replay_pause_state",
    "pg_is_wal_replay_paused",
    "pg_blocking_pids",
    "pg_safe_snapshot_blocking_pids",
    "pg_lock_status",
    "pg_prepared_xact",
    "pg_control_*",
    "pg_notification_queue_usage",
    "pg_partition_*",
    "pg_*collation_actual_version",
    "pg_jit_available",
    "pg_get_multixact_members",
    "pg_stat_get_*",
    "pg_stat_have_stats",
    "pg_stat_statements",
    "pg_stat_statements_info",
    "pg_xact_commit_timestamp*",
    "pg_xact_status",
    "txid_status",
    "pg_buffercache_pages",
    "pg_buffercache_summary",
    "pg_buffercache_usage_counts",
    "pg_buffercache_numa_pages",
    "pg_buffercache_os_pages",
    "pgstat*",
    "ts_rewrite",  // with two arguments it is of a denied family
    "st_generatepoints",
    "time_bucket_gapfill",
    "locf",
    "interpolate",
    "bernoulli",
    "system",
    "system_rows",
    "system_time",
};

constexpr std::string_view kMakeValues[] = {"array_in",      "domain_in", "range_in",
                                            "multirange_in", "record_in", "pg_input_*"};

constexpr std::string_view kWellKnownExtensions[] = {
    "address_standardizer",
    "bloom",
    "btree_gin",
    "btree_gist",
    "citext",
    "cube",
    "dict_int",
    "dict_xsyn",
    "earthdistance",
    "fuzzystrmatch",
    "h3",
    "h3_postgis",
    "hll",
    "hstore",
    "intagg",
    "intarray",
    "ip4r",
    "isn",
    "ltree",
    "pg_bigm",
    "pg_buffercache",
    "pg_similarity",
    "pg_stat_statements",
    "pg_trgm",
    "pgcrypto",
    "pgstattuple",
    "postgis",
    "postgis_sfcgal",
    "postgis_topology",
    "prefix",
    "rum",
    "seg",
    "semver",
    "sslinfo",
    "tablefunc",
    "timescaledb",
    "timescaledb_toolkit",
    "topn",
    "tsm_system_rows",
    "tsm_system_time",
    "unaccent",
    "unit",
    "uuid-ossp",
    "vector",
    "vectorscale",
    "xml2",
};

template <typename List>
bool AnyMatches(const List& patterns, std::string_view name) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](std::string_view pattern) { return Matches(pattern, name); });
}

}  // namespace

std::string_view DeniedFamily(std::string_view schema, std::string_view name, int arguments) {
  if (AnyMatches(kDeniedSchemas, schema)) return "belongs to a schema of functions that do things";
  if (name == "ts_rewrite" && arguments == 2) return "runs SQL from a string";
  if (name == "pg_get_wal_replay_pause_state") return {};
  // Names of denied functions are lower-case, so that only quoted ones differ from them in case.
  const std::string lower = base::ToLower(name);
  for (const Family& family : kFamilies) {
    if (Matches(family.pattern, lower)) return family.does;
  }
  return {};
}

bool OnlyReads(std::string_view name) { return AnyMatches(kOnlyRead, name); }

bool MakesValueOfGivenType(std::string_view name) { return AnyMatches(kMakeValues, name); }

bool WellKnownExtension(std::string_view name) { return AnyMatches(kWellKnownExtensions, name); }

}  // namespace toolpost::db
