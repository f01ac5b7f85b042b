// The tables of functions and relations, and how names are looked up in them.
#include "db/tsql_policy.h"

#include <algorithm>

#include "base/strings.h"
#include "db/look_alike.h"

namespace toolpost::db {
namespace {

struct Rule {
  std::string_view name;  // or how it begins
  std::string_view reason;
};

constexpr std::string_view kReadsFiles = "it reads files of the server";
constexpr std::string_view kReadsLog = "it reads the transaction log";
constexpr std::string_view kAsksOutside = "it asks services outside of the server";
constexpr std::string_view kOtherTexts = "it shows what other sessions run";
constexpr std::string_view kSecrets = "it holds logins and their secrets";
constexpr std::string_view kKeys = "it holds encrypted keys";
constexpr std::string_view kRunsText = "it compiles SQL from a string";
constexpr std::string_view kProcedure =
    "names that begin so are procedures of the server, not tables or functions";

// Called, or standing where a table can stand.
constexpr Rule kFunctions[] = {
    {"fn_trace_gettable", kReadsFiles},
    {"dm_os_file_exists", kReadsFiles},
    {"dm_server_registry", "it reads the registry of the server"},
    {"fn_dblog", kReadsLog},
    {"fn_dblog_xtp", kReadsLog},
    {"fn_full_dblog", kReadsLog},
    {"fn_dump_dblog", kReadsLog},
    {"fn_dump_dblog_xtp", kReadsLog},
    {"fn_get_sql", kOtherTexts},
    {"dm_exec_sql_text", kOtherTexts},
    {"dm_exec_query_plan", kOtherTexts},
    {"dm_exec_text_query_plan", kOtherTexts},
    {"dm_exec_query_plan_stats", kOtherTexts},
    {"dm_exec_query_statistics_xml", kOtherTexts},
    {"dm_exec_query_stats", kOtherTexts},
    {"dm_exec_input_buffer", kOtherTexts},
    {"query_store_query_text", kOtherTexts},
    {"query_store_plan", kOtherTexts},
    {"dm_exec_requests_history", kOtherTexts},
    {"dm_exec_distributed_requests", kOtherTexts},
    {"dm_exec_distributed_request_steps", kOtherTexts},
    {"dm_exec_distributed_sql_requests", kOtherTexts},
    {"dm_pdw_exec_requests", kOtherTexts},
    {"dm_pdw_sql_requests", kOtherTexts},
    {"dm_pdw_request_steps", kOtherTexts},
    {"dm_pdw_dms_workers", kOtherTexts},
    {"dm_pdw_nodes_exec_sql_text", kOtherTexts},
    {"dm_pdw_nodes_exec_query_plan", kOtherTexts},
    {"exec_requests_history", kOtherTexts},
    {"long_running_queries", kOtherTexts},
    {"dm_xe_session_targets", kOtherTexts},
    {"dm_xe_database_session_targets", kOtherTexts},
    {"dm_exec_describe_first_result_set", kRunsText},
    {"openquery", "it runs SQL on another server"},
    {"openrowset", "it opens files or other servers"},
    {"opendatasource", "it opens other servers"},
    {"openxml", "it needs a procedure to prepare its text: use OPENJSON or the methods of xml"},
    {"get_filestream_transaction_context", "it lets programs write files of the database"},
    {"loginproperty", kSecrets},
    {"pwdcompare", kSecrets},
    {"certprivatekey", kSecrets},
};
constexpr Rule kFunctionPrefixes[] = {
    {"xp_", kProcedure},
    {"sp_", kProcedure},
    {"rds_", kProcedure},
    {"fn_xe_", kReadsFiles},
    {"fn_msxe_", kOtherTexts},
    {"fn_get_audit_file", kReadsFiles},
    {"dm_os_enumerate", kReadsFiles},
};
// In the schema sys.
constexpr Rule kCatalogViews[] = {
    {"sql_logins", kSecrets},
    {"credentials", kSecrets},
    {"database_scoped_credentials", kSecrets},
    {"database_credentials", kSecrets},
    {"linked_logins", kSecrets},
    {"remote_logins", kSecrets},
    {"server_principals", kSecrets},
    {"server_principal_credentials", kSecrets},
    {"master_key_passwords", kSecrets},
    {"key_encryptions", kKeys},
    {"column_encryption_key_values", kKeys},
};
constexpr std::string_view kLocks = "it is a hint that takes locks";
// Anywhere: FROM t ([TABLOCKX]).
constexpr Rule kLockHints[] = {
    {"holdlock", kLocks}, {"paglock", kLocks},      {"repeatableread", kLocks},
    {"rowlock", kLocks},  {"serializable", kLocks}, {"tablock", kLocks},
    {"tablockx", kLocks}, {"updlock", kLocks},      {"xlock", kLocks},
};
// Of SQL Server 2000: in any schema, and without one.
constexpr Rule kOldViews[] = {
    {"syslogins", kSecrets},
    {"sysxlogins", kSecrets},
    {"sysremotelogins", kSecrets},
    {"sysoledbusers", kSecrets},
    {"syscacheobjects", kOtherTexts},
    {"sysjobsteps", "its commands hold secrets: GetSqlServerAgentJobDetails shows them without"},
};

// Called as column.method(…).
constexpr std::string_view kMethods[] = {
    // xml
    "exist", "nodes", "query", "value",
    // hierarchyid
    "getancestor", "getdescendant", "getlevel", "getreparentedvalue", "isdescendantof", "tostring",
    // geometry and geography
    "starea", "stasbinary", "stastext", "stboundary", "stbuffer", "stcentroid", "stcontains",
    "stconvexhull", "stcrosses", "stcurven", "stcurvetoline", "stdifference", "stdimension",
    "stdisjoint", "stdistance", "stendpoint", "stenvelope", "stequals", "stexteriorring",
    "stgeometryn", "stgeometrytype", "stinteriorringn", "stintersection", "stintersects",
    "stisclosed", "stisempty", "stisring", "stissimple", "stisvalid", "stlength", "stnumcurves",
    "stnumgeometries", "stnuminteriorring", "stnumpoints", "stoverlaps", "stpointn",
    "stpointonsurface", "strelate", "ststartpoint", "stsymdifference", "sttouches", "stunion",
    "stwithin", "asbinaryzm", "asgml", "astextzm", "bufferwithcurves", "bufferwithtolerance",
    "envelopeangle", "envelopecenter", "filter", "hasm", "hasz", "instanceof", "isnull",
    "isvaliddetailed", "makevalid", "mindbcompatibilitylevel", "numrings", "reduce",
    "reorientobject", "ringn", "shortestlineto"};

constexpr std::string_view kGlobals[] = {
    "@@connections",     "@@cpu_busy",      "@@cursor_rows",
    "@@datefirst",       "@@dbts",          "@@error",
    "@@identity",        "@@idle",          "@@io_busy",
    "@@langid",          "@@language",      "@@lock_timeout",
    "@@max_connections", "@@max_precision", "@@microsoftversion",
    "@@nestlevel",       "@@options",       "@@pack_received",
    "@@pack_sent",       "@@packet_errors", "@@procid",
    "@@remserver",       "@@rowcount",      "@@servername",
    "@@servicename",     "@@spid",          "@@textsize",
    "@@timeticks",       "@@total_errors",  "@@total_read",
    "@@total_write",     "@@trancount",     "@@version"};

constexpr std::string_view kDollarNames[] = {"$identity", "$rowguid", "$partition", "$node_id",
                                             "$edge_id",  "$from_id", "$to_id"};

template <typename List>
bool OneOf(const List& list, std::string_view name) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view each) { return base::EqualIgnoringCase(each, name); });
}

template <std::size_t N>
std::string_view ReasonIn(const Rule (&rules)[N], std::string_view name,
                          bool (*matches)(std::string_view, std::string_view)) {
  const auto* rule = std::find_if(std::begin(rules), std::end(rules),
                                  [&](const Rule& each) { return matches(name, each.name); });
  return rule == std::end(rules) ? std::string_view() : rule->reason;
}

std::string_view ReasonFor(const TsqlName& name) {
  const std::string& last = name.parts.back();
  if (name.parts.size() == 1) {
    if (const auto reason = ReasonIn(kLockHints, last, MayEqual); !reason.empty()) return reason;
  }
  if (const auto reason = ReasonIn(kOldViews, last, MayEqual); !reason.empty()) return reason;
  if (name.parts.size() > 1) {
    const std::string& schema = name.parts[name.parts.size() - 2];
    if (schema.empty() || MayEqual(schema, "sys")) {
      if (const auto reason = ReasonIn(kCatalogViews, last, MayEqual); !reason.empty())
        return reason;
    }
  }
  if (name.called && base::EqualIgnoringCase(last, "modify")) return "it changes the value";
  if (!name.called && !name.relation) return {};
  // Those of the server have no schema, those of a database need one.
  if (name.called && name.parts.size() == 1 &&
      (MayEqual(last, "predict") || MayBeginWith(last, "ai_"))) {
    return kAsksOutside;
  }
  if (const auto reason = ReasonIn(kFunctions, last, MayEqual); !reason.empty()) return reason;
  if (const auto reason = ReasonIn(kFunctionPrefixes, last, MayBeginWith); !reason.empty())
    return reason;
  if (name.relation && last.starts_with('#')) return "there are no temporary tables";
  return {};
}

// A function of another database may have the name of a method, too.
bool IsMethodOfColumn(const TsqlName& name) {
  if (!name.called || name.parts.size() < 2) return false;
  const std::string& column = name.parts[name.parts.size() - 2];
  if (MayEqual(column, "dbo") || MayEqual(column, "sys")) return false;
  if (name.relation) return base::EqualIgnoringCase(name.parts.back(), "nodes");
  return OneOf(kMethods, name.parts.back());
}

std::string WhyPartsRefused(const TsqlName& name, std::span<const std::string> databases) {
  std::size_t parts = name.parts.size();
  const bool method = IsMethodOfColumn(name);
  if (method) --parts;
  if (parts > 3) {
    return "A name of four parts is not allowed: tables of other servers are not read, and columns "
           "need no more than an alias before them";
  }
  const bool gap = std::any_of(name.parts.begin(), name.parts.end(),
                               [](const std::string& part) { return part.empty(); });
  if (parts < 3 || (!gap && !name.relation && (!name.called || method))) return {};
  if (OneOf(databases, name.parts[0])) return {};
  return base::StrCat(
      "The database ", name.parts[0].substr(0, 128),
      " is not allowed in names of three parts: it is neither that of the connection "
      "nor listed in mssql.databases of the configuration");
}

}  // namespace

std::string WhyRefused(const TsqlName& name, std::span<const std::string> databases) {
  if (std::string reason = WhyPartsRefused(name, databases); !reason.empty()) return reason;
  const std::string_view reason = ReasonFor(name);
  if (reason.empty()) return {};
  return base::StrCat(name.parts.back().substr(0, 128), " is not allowed: ", reason);
}

bool HasStaticMethods(std::string_view type) {
  constexpr std::string_view kTypes[] = {"geometry", "geography", "hierarchyid"};
  return OneOf(kTypes, type);
}

bool IsTsqlGlobal(std::string_view name) { return OneOf(kGlobals, name); }

bool IsTsqlDollarName(std::string_view name) { return OneOf(kDollarNames, name); }

bool TakesTable(std::string_view function) {
  constexpr std::string_view kTakers[] = {
      "containstable",           "freetexttable",
      "semantickeyphrasetable",  "semanticsimilaritydetailstable",
      "semanticsimilaritytable", "changetable"};
  return OneOf(kTakers, function);
}

}  // namespace toolpost::db
