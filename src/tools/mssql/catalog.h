// Objects of a database as the metadata tools show them, read a page at a time.
//
// A page costs one statement, and one more for each kind of detail, however many objects it has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "toolpost/schema.h"
#include "tools/mssql/statement.h"

namespace toolpost::tools::mssql {

struct ColumnView {
  std::string name;
  std::string data_type;
  bool is_nullable = true;
  std::optional<std::int64_t> max_length;  // characters or bytes; -1: max
  std::optional<std::int64_t> precision;
  std::optional<std::int64_t> scale;
  std::optional<std::string> default_value;
  std::optional<bool> is_primary_key;
  std::optional<bool> is_foreign_key;
  std::optional<std::string> foreign_key_reference;
  std::optional<bool> is_identity;
  std::optional<bool> is_computed;
  std::optional<std::string> description;
  static constexpr auto Fields() {
    using View = ColumnView;
    return std::tuple{Req("name", &View::name),
                      Req("dataType", &View::data_type),
                      Req("isNullable", &View::is_nullable),
                      Opt("maxLength", &View::max_length, "-1: max."),
                      Opt("precision", &View::precision),
                      Opt("scale", &View::scale),
                      Opt("defaultValue", &View::default_value),
                      Opt("isPrimaryKey", &View::is_primary_key),
                      Opt("isForeignKey", &View::is_foreign_key),
                      Opt("foreignKeyReference", &View::foreign_key_reference),
                      Opt("isIdentity", &View::is_identity),
                      Opt("isComputed", &View::is_computed),
                      Opt("description", &View::description)};
  }
};

struct ForeignKeyView {
  std::string name;
  std::string column;
  // Absent where the login may not see the table.
  std::optional<std::string> referenced_schema;
  std::optional<std::string> referenced_table;
  std::optional<std::string> referenced_column;
  std::optional<std::string> on_delete;
  static constexpr auto Fields() {
    using View = ForeignKeyView;
    return std::tuple{Req("name", &View::name),
                      Req("column", &View::column),
                      Opt("referencedSchema", &View::referenced_schema),
                      Opt("referencedTable", &View::referenced_table),
                      Opt("referencedColumn", &View::referenced_column),
                      Opt("onDelete", &View::on_delete)};
  }
};

struct IndexView {
  std::string name;
  std::string type;
  bool unique = false;
  std::vector<std::string> columns;
  std::optional<std::vector<std::string>> included;
  std::optional<std::string> filter;
  static constexpr auto Fields() {
    using View = IndexView;
    return std::tuple{Req("name", &View::name),         Req("type", &View::type),
                      Req("unique", &View::unique),     Req("columns", &View::columns),
                      Opt("included", &View::included), Opt("filter", &View::filter)};
  }
};

struct ParameterView {
  std::string name;
  std::string data_type;
  std::string direction;  // IN or OUT
  std::optional<std::int64_t> max_length;
  static constexpr auto Fields() {
    using View = ParameterView;
    return std::tuple{Req("name", &View::name), Req("dataType", &View::data_type),
                      Req("direction", &View::direction), Opt("maxLength", &View::max_length)};
  }
};

struct ObjectView {
  std::string name;
  std::string schema;
  std::string type;
  std::string code;  // the type in sys.objects; not shown
  std::optional<std::string> parent;
  std::optional<std::string> description;
  std::optional<std::int64_t> row_count;
  std::optional<std::string> create_date;
  std::optional<std::string> modify_date;
  std::optional<std::vector<ColumnView>> columns;
  std::optional<std::vector<std::string>> primary_keys;
  std::optional<std::vector<ForeignKeyView>> foreign_keys;
  std::optional<std::vector<IndexView>> indexes;
  std::optional<std::vector<ParameterView>> parameters;
  std::optional<std::string> return_type;
  std::optional<std::string> definition;
  static constexpr auto Fields() {
    using View = ObjectView;
    return std::tuple{Req("name", &View::name),
                      Req("schema", &View::schema),
                      Req("type", &View::type),
                      Opt("parent", &View::parent),
                      Opt("description", &View::description),
                      Opt("rowCount", &View::row_count, "An estimate."),
                      Opt("createDate", &View::create_date),
                      Opt("modifyDate", &View::modify_date),
                      Opt("columns", &View::columns),
                      Opt("primaryKeys", &View::primary_keys),
                      Opt("foreignKeys", &View::foreign_keys),
                      Opt("indexes", &View::indexes),
                      Opt("parameters", &View::parameters),
                      Opt("returnType", &View::return_type),
                      Opt("definition", &View::definition)};
  }
};

struct CatalogFilter {
  std::string schema;   // empty: all
  std::string pattern;  // LIKE pattern of names; empty: all
  std::string types;    // codes of sys.objects such as ",U,V,"; ",UT," for types
  std::string cursor;   // of the last page; empty: from the start
  std::int64_t limit = 100;
};

// What is read of each object besides its name.
struct CatalogDetails {
  bool summary = false;     // description, size, dates
  bool columns = false;     // with the primary key
  bool keys = false;        // foreign keys and indexes
  bool definition = false;  // with parameters
};

struct CatalogPage {
  std::vector<ObjectView> objects;  // by schema and name
  std::optional<std::string> next_cursor;
};

// No more objects than have room in `characters` of a reply. Code::kNotFound for a schema that is
// not there, with those that are.
Result<CatalogPage> ReadCatalog(const Statements& statements, const CatalogFilter& filter,
                                const CatalogDetails& details, std::size_t characters);

}  // namespace toolpost::tools::mssql
