// A walk over every node of the parse tree.
#include "db/select_guard_postgres.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "db/libpg_query.h"
#include "db/select_guard_postgres_size.h"

namespace toolpost::db {
namespace {

constexpr std::string_view kAllowed =
    "Allowed are SELECT (also VALUES, TABLE and WITH … SELECT), EXPLAIN of one, and SHOW of a few "
    "settings.";

// Kinds of nodes that can only read; sorted.
constexpr std::string_view kReadingNodes[] = {
    "A_ArrayExpr",      "A_Const",        "A_Expr",          "A_Indices",
    "A_Indirection",    "A_Star",         "BitString",       "BoolExpr",
    "Boolean",          "BooleanTest",    "CTECycleClause",  "CTESearchClause",
    "CaseExpr",         "CaseWhen",       "CoalesceExpr",    "CollateClause",
    "ColumnDef",        "ColumnRef",      "CommonTableExpr", "DefElem",
    "ExplainStmt",      "Float",          "FuncCall",        "GroupingFunc",
    "GroupingSet",      "Integer",        "JoinExpr",        "List",
    "MinMaxExpr",       "NamedArgExpr",   "NullTest",        "ParamRef",
    "RangeFunction",    "RangeSubselect", "RangeTableFunc",  "RangeTableFuncCol",
    "RangeTableSample", "RangeVar",       "ResTarget",       "RowExpr",
    "SQLValueFunction", "SelectStmt",     "SortBy",          "String",
    "SubLink",          "TypeCast",       "TypeName",        "VariableShowStmt",
    "WindowDef",        "XmlExpr",        "XmlSerialize"};
static_assert(std::is_sorted(std::begin(kReadingNodes), std::end(kReadingNodes)));

constexpr std::string_view kExplainOptions[] = {
    "analyze", "buffers", "costs", "format", "settings", "summary", "timing", "verbose", "wal"};
// Of these anybody may know; also by current_setting().
constexpr std::string_view kShownSettings[] = {"server_version",
                                               "server_version_num",
                                               "server_encoding",
                                               "client_encoding",
                                               "timezone",
                                               "datestyle",
                                               "intervalstyle",
                                               "search_path",
                                               "lc_collate",
                                               "lc_ctype",
                                               "statement_timeout",
                                               "lock_timeout",
                                               "work_mem",
                                               "shared_buffers",
                                               "effective_cache_size",
                                               "random_page_cost",
                                               "max_connections",
                                               "block_size",
                                               "jit",
                                               "wal_level",
                                               "application_name",
                                               "role",
                                               "row_security",
                                               "default_text_search_config",
                                               "standard_conforming_strings",
                                               "transaction_isolation",
                                               "transaction_read_only",
                                               "default_transaction_read_only"};

// Passwords, keys, other sessions' memory, and samples of columns the account may not read.
constexpr std::string_view kSecretRelations[] = {"pg_authid",
                                                 "pg_shadow",
                                                 "pg_user_mapping",
                                                 "pg_user_mappings",
                                                 "pg_largeobject",
                                                 "pg_largeobject_metadata",
                                                 "pg_statistic",
                                                 "pg_statistic_ext_data",
                                                 "pg_stats",
                                                 "pg_stats_ext",
                                                 "pg_stats_ext_exprs",
                                                 "pg_hba_file_rules",
                                                 "pg_ident_file_mappings",
                                                 "pg_file_settings",
                                                 "pg_config",
                                                 "pg_backend_memory_contexts",
                                                 "pg_shmem_allocations",
                                                 "pg_subscription",
                                                 "user_mapping_options",
                                                 "_pg_user_mappings"};

// Of the session, which callers share; behind a pooler also with other programs.
constexpr std::string_view kSessionRelations[] = {"pg_prepared_statements", "pg_cursors"};

constexpr std::string_view kSetting = "current_setting";

constexpr std::string_view kGrowingFunctions[] = {"repeat",         "lpad",      "rpad",
                                                  "array_fill",     "replace",   "concat",
                                                  "regexp_replace", "concat_ws", "format"};

template <typename List, typename Item>
bool OneOf(const List& list, const Item& word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

Error Refuse(std::string_view what) {
  return Error::InvalidParams(base::StrCat(what, ". ", kAllowed));
}

const Json* Member(const Json& object, std::string_view key) {
  return object.is_object() ? object.get_object().if_contains(key) : nullptr;
}

std::string_view Text(const Json* value) {
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

// The strings of a list of String nodes; stars and the like are empty.
std::vector<std::string_view> Names(const Json* list) {
  std::vector<std::string_view> names;
  if (list == nullptr || !list->is_array()) return names;
  for (const Json& item : list->get_array()) {
    const Json* string = Member(item, "String");
    names.push_back(string != nullptr ? Text(Member(*string, "sval")) : std::string_view());
  }
  return names;
}

// The string a constant has, also one with a type; empty when it is something else.
std::string_view ConstantText(const Json& node) {
  const Json* cast = Member(node, "TypeCast");
  const Json* inner = cast != nullptr ? Member(*cast, "arg") : &node;
  const Json* constant = inner != nullptr ? Member(*inner, "A_Const") : nullptr;
  const Json* string = constant != nullptr ? Member(*constant, "sval") : nullptr;
  return string != nullptr ? Text(Member(*string, "sval")) : std::string_view();
}

Result<void> CheckSetting(std::string_view name) {
  if (OneOf(kShownSettings, base::ToLower(name))) return {};
  return Error::InvalidParams(base::StrCat(
      name.empty() ? "A setting whose name is computed" : base::StrCat("The setting ", name),
      " may not be read. Allowed are, written as constants: ",
      base::Join({std::begin(kShownSettings), std::end(kShownSettings)}, ", "), "."));
}

// InsertStmt as INSERT, CreateTableAsStmt as CREATE TABLE AS.
std::string StatementName(std::string_view node) {
  if (node.ends_with("Stmt")) node.remove_suffix(4);
  std::string name;
  for (const char c : node) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !name.empty()) name += ' ';
    name += upper ? c : static_cast<char>(c - ('a' <= c && c <= 'z' ? 32 : 0));
  }
  return name;
}

// The operators of a BETWEEN, which stands in the tree as if it were one itself.
std::vector<std::string_view> BehindBetween(std::string_view name) {
  if (name.find("BETWEEN") == std::string_view::npos) return {};
  if (name.starts_with("NOT")) return {"<", ">"};
  return {">=", "<="};
}

class Guard {
 public:
  Guard(const FunctionPolicy& policy, bool* by_catalogue)
      : policy_(policy), by_catalogue_(by_catalogue) {}

  Result<GuardedStatement> Check(const Json& tree) {
    const Json* statements = Member(tree, "stmts");
    if (statements == nullptr || !statements->is_array() || statements->get_array().empty()) {
      return Refuse("The statement is empty");
    }
    if (statements->get_array().size() != 1) {
      return Refuse(base::StrCat("These are ", statements->get_array().size(),
                                 " statements; send one at a time"));
    }
    const Json* statement = Member(statements->get_array()[0], "stmt");
    if (statement == nullptr || !statement->is_object() || statement->get_object().size() != 1) {
      return Refuse("The statement is not understood");
    }
    out_.own_code = policy_.own_implicit_casts();
    RETURN_IF_ERROR(CheckKind(*statement));
    RETURN_IF_ERROR(Walk(*statement));
    return std::move(out_);
  }

 private:
  Result<void> CheckKind(const Json& statement) {
    const std::string_view kind = statement.get_object().begin()->key();
    const Json& body = statement.get_object().begin()->value();
    if (kind == "SelectStmt") return {};
    if (kind == "ExplainStmt") {
      out_.kind = GuardedStatement::Kind::kExplain;
      return CheckExplain(body);
    }
    if (kind == "VariableShowStmt") {
      out_.kind = GuardedStatement::Kind::kShow;
      return CheckSetting(Text(Member(body, "name")));
    }
    return Refuse(base::StrCat(StatementName(kind), " is not allowed: this tool only reads"));
  }

  static Result<void> CheckExplain(const Json& explain) {
    const Json* query = Member(explain, "query");
    if (query == nullptr || !query->is_object() || query->get_object().size() != 1 ||
        query->get_object().begin()->key() != "SelectStmt") {
      const std::string name =
          query != nullptr && query->is_object() && !query->get_object().empty()
              ? StatementName(query->get_object().begin()->key())
              : std::string("something else");
      return Refuse(base::StrCat("EXPLAIN of ", name, " is not allowed"));
    }
    const Json* options = Member(explain, "options");
    if (options == nullptr || !options->is_array()) return {};
    for (const Json& option : options->get_array()) {
      const Json* element = Member(option, "DefElem");
      const std::string_view name = element != nullptr ? Text(Member(*element, "defname")) : "";
      if (!OneOf(kExplainOptions, name)) {
        return Refuse(base::StrCat("The EXPLAIN option ", name, " is not allowed"));
      }
    }
    return {};
  }

  // Members of a node are visited whether their kind is known or not: a key that starts with a
  // capital letter names a node, every other one a field.
  Result<void> Walk(const Json& root) {
    std::vector<const Json*> pending = {&root};
    while (!pending.empty()) {
      const Json& value = *pending.back();
      pending.pop_back();
      if (value.is_array()) {
        for (const Json& item : value.get_array()) pending.push_back(&item);
      } else if (value.is_object()) {
        for (const auto& member : value.get_object()) {
          RETURN_IF_ERROR(Visit(member.key(), member.value()));
          pending.push_back(&member.value());
        }
      }
    }
    return {};
  }

  Result<void> Visit(std::string_view key, const Json& value) {
    if (key == "intoClause") return Refuse("SELECT INTO is not allowed: it creates a table");
    if (key == "lockingClause") {
      return Refuse("FOR UPDATE, FOR SHARE and the like are not allowed: they lock rows");
    }
    if (key == "typeName" || key == "TypeName") return CheckType(value);
    if (key.empty() || key.front() < 'A' || key.front() > 'Z') return {};
    if (!std::binary_search(std::begin(kReadingNodes), std::end(kReadingNodes), key)) {
      return Refuse(base::StrCat(StatementName(key), " is not allowed in a reading statement"));
    }
    if (key == "FuncCall") return CheckCall(value);
    if (key == "A_Expr") return CheckOperator(Names(Member(value, "name")), value);
    if (key == "SubLink") return CheckSubLink(value);
    if (key == "CaseExpr" && Member(value, "arg") != nullptr) return CheckOperator({"="}, value);
    if (key == "JoinExpr" &&
        (Member(value, "usingClause") != nullptr || Member(value, "isNatural") != nullptr)) {
      return CheckOperator({"="}, value);
    }
    if (key == "SortBy") return CheckOperator(Names(Member(value, "useOp")), value);
    if (key == "ColumnRef") return CheckAttribute(Names(Member(value, "fields")), 1);
    if (key == "A_Indirection") return CheckAttribute(Names(Member(value, "indirection")), 0);
    if (key == "RangeVar") return CheckRelation(value);
    if (key == "RangeTableSample") return CheckName(Names(Member(value, "method")), 1);
    if (key == "ParamRef") return CheckParameter(value);
    return {};
  }

  Result<void> Judge(std::string_view what, std::string_view name, const FunctionVerdict& verdict) {
    out_.own_code = out_.own_code || verdict.own_code;
    out_.keeps_state = out_.keeps_state || verdict.keeps_state;
    if (verdict.allowed) return {};
    if (by_catalogue_ != nullptr) *by_catalogue_ = verdict.by_catalogue;
    return Error::InvalidParams(
        base::StrCat("The ", what, " ", name, " is not allowed: it ", verdict.reason));
  }

  Result<void> CheckName(const std::vector<std::string_view>& names, int arguments) {
    if (names.empty() || names.size() > 2 || names.back().empty()) {
      return Refuse("A function with such a name is not allowed");
    }
    const std::string_view schema = names.size() == 2 ? names.front() : std::string_view();
    return Judge("function", names.back(), policy_.Function(schema, names.back(), arguments));
  }

  Result<void> CheckCall(const Json& call) {
    const auto names = Names(Member(call, "funcname"));
    const Json* arguments = Member(call, "args");
    const bool has_arguments = arguments != nullptr && arguments->is_array();
    RETURN_IF_ERROR(
        CheckName(names, has_arguments ? static_cast<int>(arguments->get_array().size()) : 0));
    if (!has_arguments) return {};
    if (names.back() == kSetting && (names.size() == 1 || names.front() == "pg_catalog")) {
      RETURN_IF_ERROR(CheckSetting(ConstantText(arguments->get_array()[0])));
    }
    if (names.back() == "generate_series" && SeriesRows(*arguments) > kLongestSeries) {
      return Error::InvalidParams("This generate_series() has more than a billion rows");
    }
    if (OneOf(kGrowingFunctions, names.back()) && CallBytes(call) > kLargestConstant) {
      return Error::InvalidParams(base::StrCat(names.back(), "() would make a value of more than ",
                                               static_cast<std::int64_t>(kLargestConstant),
                                               " bytes"));
    }
    const JsonArray& list = arguments->get_array();
    if (list.size() < 2) return {};
    return CheckComparisons(names.back(), &list[0], &list[1]);
  }

  static Result<void> CheckComparisons(std::string_view name, const Json* left, const Json* right) {
    if (left == nullptr || right == nullptr || !ComparesBytes(name) ||
        Comparisons(*left, *right) <= kMostComparisons) {
      return {};
    }
    return Error::InvalidParams(
        base::StrCat(name,
                     " would compare two large constants for too long: the product of their "
                     "sizes may be at most ",
                     static_cast<std::int64_t>(kMostComparisons), "; make one of them shorter"));
  }

  Result<void> CheckOperator(const std::vector<std::string_view>& names, const Json& expression) {
    if (names.empty()) return {};
    if (names.size() > 2 || (names.size() == 2 && names.front() != "pg_catalog")) {
      return Refuse("Operators of a named schema other than pg_catalog are not allowed");
    }
    for (const std::string_view each : BehindBetween(names.back())) {
      RETURN_IF_ERROR(Judge("operator", each, policy_.Operator(each)));
    }
    RETURN_IF_ERROR(Judge("operator", names.back(), policy_.Operator(names.back())));
    if (names.back() == "||" && ConstantBytes(expression) > kLargestConstant) {
      return Error::InvalidParams("This concatenation would make too long a value");
    }
    const Json* subselect = Member(expression, "subselect");
    if (subselect != nullptr) {
      return CheckComparisons(names.back(), Member(expression, "testexpr"), subselect);
    }
    return CheckComparisons(names.back(), Member(expression, "lexpr"), Member(expression, "rexpr"));
  }

  Result<void> CheckSubLink(const Json& link) {
    const auto names = Names(Member(link, "operName"));
    const bool in = names.empty() && Member(link, "testexpr") != nullptr;
    return CheckOperator(in ? std::vector<std::string_view>{"="} : names, link);
  }

  Result<void> CheckAttribute(const std::vector<std::string_view>& names, std::size_t first) {
    for (std::size_t i = first; i < names.size(); ++i) {
      if (names[i].empty()) continue;
      if (names[i] == kSetting) RETURN_IF_ERROR(CheckSetting({}));
      RETURN_IF_ERROR(Judge("attribute", names[i], policy_.Attribute(names[i])));
    }
    return {};
  }

  Result<void> CheckType(const Json& type) {
    const auto names = Names(Member(type, "names"));
    if (names.empty()) return {};
    return Judge("cast to", names.back(), policy_.Cast(names.back()));
  }

  Result<void> CheckRelation(const Json& relation) {
    RelationName name{std::string(Text(Member(relation, "schemaname"))),
                      std::string(Text(Member(relation, "relname")))};
    const bool catalogue =
        name.schema.empty() || name.schema == "pg_catalog" || name.schema == "information_schema";
    if (name.schema == "pg_toast" || (catalogue && OneOf(kSecretRelations, name.name))) {
      return Error::InvalidParams(base::StrCat(
          "The relation ", name.name, " may not be read: it holds secrets or raw storage"));
    }
    if (catalogue && OneOf(kSessionRelations, name.name)) {
      return Error::InvalidParams(base::StrCat("The relation ", name.name,
                                               " may not be read: it shows statements of other "
                                               "callers, who share the connection"));
    }
    if (catalogue && name.name == "pg_settings") {
      RETURN_IF_ERROR(CheckName({"pg_catalog", "pg_show_all_settings"}, 0));
    }
    if (!OneOf(out_.relations, name)) out_.relations.push_back(std::move(name));
    return {};
  }

  Result<void> CheckParameter(const Json& parameter) {
    const Json* number = Member(parameter, "number");
    if (number == nullptr || !number->is_int64() || number->get_int64() < 1 ||
        number->get_int64() > 65535) {
      return Error::InvalidParams("Parameters are numbered $1, $2 … up to $65535");
    }
    out_.parameters = std::max(out_.parameters, static_cast<int>(number->get_int64()));
    return {};
  }

  const FunctionPolicy& policy_;
  bool* const by_catalogue_;
  GuardedStatement out_;
};

}  // namespace

Result<GuardedStatement> GuardPostgresStatement(std::string_view sql, const FunctionPolicy& policy,
                                                bool* by_catalogue) {
  if (by_catalogue != nullptr) *by_catalogue = false;
  boost::json::monotonic_resource arena;
  ASSIGN_OR_RETURN(const Json tree, ParsePostgres(sql, &arena));
  return Guard(policy, by_catalogue).Check(tree);
}

}  // namespace toolpost::db
