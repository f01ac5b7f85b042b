// The details of a table as database/schema and the table resources show them.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "db/database.h"
#include "toolpost/schema.h"

namespace toolpost::tools::database {

struct ColumnDetailsView {
  std::string name;
  std::string type;
  bool nullable = true;
  std::optional<std::string> default_value;
  std::optional<std::string> generated;
  std::optional<std::vector<std::string>> enum_values;
  std::optional<std::string> comment;
  static constexpr auto Fields() {
    using View = ColumnDetailsView;
    return std::tuple{Req("name", &View::name),           Req("type", &View::type),
                      Req("nullable", &View::nullable),   Opt("default", &View::default_value),
                      Opt("generated", &View::generated), Opt("enum", &View::enum_values),
                      Opt("comment", &View::comment)};
  }
};

struct ForeignKeyView {
  std::vector<std::string> columns;
  std::string table;
  std::vector<std::string> referenced;
  std::optional<std::string> on_delete;
  static constexpr auto Fields() {
    using View = ForeignKeyView;
    return std::tuple{Req("columns", &View::columns), Req("table", &View::table),
                      Req("references", &View::referenced), Opt("onDelete", &View::on_delete)};
  }
};

struct IndexView {
  std::string name;
  std::vector<std::string> columns;
  std::optional<bool> unique;
  std::optional<std::string> method;
  std::optional<std::string> where;
  static constexpr auto Fields() {
    using View = IndexView;
    return std::tuple{Req("name", &View::name), Req("columns", &View::columns),
                      Opt("unique", &View::unique), Opt("method", &View::method),
                      Opt("where", &View::where)};
  }
};

struct TableDetailsView {
  std::string table;
  std::string schema;
  std::string type;
  std::optional<std::string> comment;
  std::optional<std::int64_t> rows;
  std::vector<ColumnDetailsView> columns;
  std::optional<std::vector<std::string>> primary_key;
  std::optional<std::vector<ForeignKeyView>> foreign_keys;
  std::optional<std::vector<IndexView>> indexes;
  std::optional<std::vector<std::string>> checks;
  static constexpr auto Fields() {
    using View = TableDetailsView;
    return std::tuple{Req("table", &View::table),
                      Req("schema", &View::schema),
                      Req("type", &View::type),
                      Opt("comment", &View::comment),
                      Opt("rows", &View::rows, "An estimate."),
                      Req("columns", &View::columns),
                      Opt("primaryKey", &View::primary_key),
                      Opt("foreignKeys", &View::foreign_keys),
                      Opt("indexes", &View::indexes),
                      Opt("checks", &View::checks)};
  }
};

TableDetailsView ViewOf(const db::TableDetails& table);

}  // namespace toolpost::tools::database
