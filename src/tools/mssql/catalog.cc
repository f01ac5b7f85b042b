// A page of objects, and the statements that fill in their details.
#include "tools/mssql/catalog.h"

#include <map>
#include <utility>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "tools/mssql/catalog_sql.h"
#include "tools/mssql/object_types.h"
#include "tools/page.h"

namespace toolpost::tools::mssql {
namespace {

using Key = std::pair<std::string, std::string>;  // schema and name

// Where the last page ended: schema, name and type code of its last object. It opens nothing that
// the list would not show.
struct Position {
  std::string schema;
  std::string name;
  std::string type;
};

std::string CursorOf(const ObjectView& last) {
  return base::ToBase64Url(base::ToJson(JsonArray{last.schema, last.name, last.code}));
}

Result<Position> PositionOf(const std::string& cursor) {
  if (cursor.empty()) return Position();
  const Error wrong =
      Error::InvalidParams("cursor must be the nextCursor of the last page, unchanged");
  const std::optional<std::string> text = base::FromBase64Url(cursor);
  if (!text) return wrong;
  const Result<Json> parsed = base::ParseJson(*text);
  if (!parsed || !parsed->is_array() || parsed->get_array().size() != 3) return wrong;
  for (const Json& part : parsed->get_array()) {
    if (!part.is_string()) return wrong;
  }
  const auto part = [&](std::size_t i) {
    return std::string(parsed->get_array().at(i).get_string());
  };
  return Position{part(0), part(1), part(2)};
}

// Lengths of Unicode types are in bytes there.
std::optional<std::int64_t> LengthOf(const std::string& type, std::optional<std::int64_t> bytes) {
  if (type == "nvarchar" || type == "nchar" || type == "sysname")
    return bytes && *bytes > 0 ? std::optional(*bytes / 2) : bytes;
  if (type.ends_with("char") || type.ends_with("binary")) return bytes;
  return std::nullopt;
}

std::optional<bool> OnlyTrue(bool value) { return value ? std::optional(true) : std::nullopt; }

// One page, by the key of each row's object.
class Page {
 public:
  Page(const Statements& statements, const CatalogFilter& filter)
      : statements_(statements), filter_(filter) {}

  Result<void> List(bool summary) {
    ASSIGN_OR_RETURN(const Position after, PositionOf(filter_.cursor));
    ASSIGN_OR_RETURN(std::vector<db::Row> rows,
                     statements_.Rows(kObjectsSql, {{"take", filter_.limit + 1},
                                                    {"types", filter_.types},
                                                    {"schema", filter_.schema},
                                                    {"pattern", filter_.pattern},
                                                    {"afterSchema", after.schema},
                                                    {"afterName", after.name},
                                                    {"afterType", after.type}}));
    more_ = rows.size() > static_cast<std::size_t>(filter_.limit);
    if (more_) rows.resize(static_cast<std::size_t>(filter_.limit));
    for (const db::Row& row : rows) Add(Cells(row), summary);
    for (std::size_t i = 0; i < page_.objects.size(); ++i) {
      const ObjectView& object = page_.objects[i];
      if (object.type != "TYPE") by_key_[{object.schema, object.name}] = i;
    }
    if (!rows.empty() || filter_.schema.empty() || !filter_.cursor.empty()) return {};
    return CheckSchema();
  }

  Result<void> Columns() {
    for (ObjectView& object : page_.objects) {
      if (object.type == "TABLE") {
        object.columns.emplace();
        object.primary_keys.emplace();
      }
    }
    std::map<Key, std::map<std::int64_t, std::string>> keys;
    RETURN_IF_ERROR(ForEach(kColumnsSql, [&](ObjectView& object, Cells cells) {
      ColumnView column;
      const std::int64_t key_ordinal = ReadColumn(cells, column);
      if (key_ordinal > 0) keys[{object.schema, object.name}][key_ordinal] = column.name;
      if (!object.columns) object.columns.emplace();
      object.columns->push_back(std::move(column));
    }));
    // The table that a function returns may have a key, too.
    for (const auto& [key, names] : keys) {
      std::optional<std::vector<std::string>>& of_object =
          page_.objects[by_key_.at(key)].primary_keys;
      if (!of_object) of_object.emplace();
      for (const auto& [ordinal, name] : names) of_object->push_back(name);
    }
    return {};
  }

  Result<void> Keys() {
    for (ObjectView& object : page_.objects) {
      if (object.type == "TABLE") object.foreign_keys.emplace();
    }
    RETURN_IF_ERROR(ForEach(kForeignKeysSql, AddForeignKey));
    return ForEach(kIndexesSql, AddIndex);
  }

  Result<void> Definitions() {
    RETURN_IF_ERROR(ForEach(kDefinitionsSql, [](ObjectView& object, Cells cells) {
      object.definition = cells.OptionalText();
    }));
    return ForEach(kParametersSql, AddParameter);
  }

  CatalogPage Take(std::size_t characters) {
    page_.next_cursor = CutPage(page_.objects, more_, characters, CursorOf);
    return std::move(page_);
  }

 private:
  void Add(Cells cells, bool summary) {
    ObjectView& object = page_.objects.emplace_back();
    object.schema = cells.Text();
    object.name = cells.Text();
    object.code = cells.Text();
    object.type = TypeName(object.code);
    if (summary) {
      object.create_date = cells.OptionalText();
      object.modify_date = cells.OptionalText();
      const std::string parent_schema = cells.Text();
      const std::optional<std::string> parent = cells.OptionalText();
      if (parent) object.parent = base::StrCat(parent_schema, ".", *parent);
      object.description = cells.OptionalText();
      object.row_count = cells.Integer();
    }
  }

  // Its place in the primary key; 0: none.
  static std::int64_t ReadColumn(Cells& cells, ColumnView& column) {
    column.name = cells.Text();
    column.data_type = cells.Text();
    column.max_length = LengthOf(column.data_type, cells.Integer());
    const std::optional<std::int64_t> precision = cells.Integer();
    const std::optional<std::int64_t> scale = cells.Integer();
    if (column.data_type == "decimal" || column.data_type == "numeric") {
      column.precision = precision;
      column.scale = scale;
    }
    column.is_nullable = cells.Flag();
    column.is_identity = OnlyTrue(cells.Flag());
    column.is_computed = OnlyTrue(cells.Flag());
    column.default_value = cells.OptionalText();
    const std::int64_t key_ordinal = cells.Integer().value_or(0);
    column.is_primary_key = OnlyTrue(key_ordinal > 0);
    column.description = cells.OptionalText();
    return key_ordinal;
  }

  static void AddForeignKey(ObjectView& object, Cells cells) {
    if (!object.columns || !object.foreign_keys) return;  // was no table when it was listed
    ForeignKeyView key;
    key.name = cells.Text();
    key.column = cells.Text();
    key.referenced_schema = cells.OptionalText();
    key.referenced_table = cells.OptionalText();
    key.referenced_column = cells.OptionalText();
    const bool known = key.referenced_schema && key.referenced_table && key.referenced_column;
    if (const std::string action = cells.Text(); action != "NO_ACTION" && !action.empty())
      key.on_delete = action;
    for (ColumnView& column : *object.columns) {
      if (column.name != key.column) continue;
      column.is_foreign_key = true;
      if (!known) continue;
      column.foreign_key_reference = base::StrCat(
          *key.referenced_schema, ".", *key.referenced_table, ".", *key.referenced_column);
    }
    object.foreign_keys->push_back(std::move(key));
  }

  static void AddIndex(ObjectView& object, Cells cells) {
    if (!object.indexes) object.indexes.emplace();
    IndexView index;
    index.name = cells.Text();
    index.type = cells.Text();
    index.unique = cells.Flag();
    index.filter = cells.OptionalText();
    if (object.indexes->empty() || object.indexes->back().name != index.name)
      object.indexes->push_back(std::move(index));
    std::string column = cells.Text();
    IndexView& last = object.indexes->back();
    if (!cells.Flag()) return last.columns.push_back(std::move(column));
    if (!last.included) last.included.emplace();
    last.included->push_back(std::move(column));
  }

  static void AddParameter(ObjectView& object, Cells cells) {
    ParameterView parameter;
    parameter.name = cells.Text();
    const bool is_return = cells.Integer() == 0;
    parameter.data_type = cells.Text();
    if (is_return) {
      object.return_type = parameter.data_type;
      return;
    }
    parameter.max_length = LengthOf(parameter.data_type, cells.Integer());
    (void)cells.Integer();  // precision
    (void)cells.Integer();  // scale
    parameter.direction = cells.Flag() ? "OUT" : "IN";
    if (!object.parameters) object.parameters.emplace();
    object.parameters->push_back(std::move(parameter));
  }

  // Rows begin with the schema and name of their object; others than those of the page may have
  // come meanwhile.
  template <typename Function>
  Result<void> ForEach(std::string_view sql, Function function) {
    if (page_.objects.empty()) return {};
    const ObjectView& first = page_.objects.front();
    const ObjectView& last = page_.objects.back();
    ASSIGN_OR_RETURN(const std::vector<db::Row> rows,
                     statements_.Rows(sql, {{"types", filter_.types},
                                            {"schema", filter_.schema},
                                            {"pattern", filter_.pattern},
                                            {"firstSchema", first.schema},
                                            {"firstName", first.name},
                                            {"lastSchema", last.schema},
                                            {"lastName", last.name}}));
    for (const db::Row& row : rows) {
      Cells cells(row);
      std::string schema = cells.Text();
      std::string name = cells.Text();
      const auto found = by_key_.find(Key(std::move(schema), std::move(name)));
      if (found != by_key_.end()) function(page_.objects[found->second], cells);
    }
    return {};
  }

  Result<void> CheckSchema() {
    ASSIGN_OR_RETURN(const std::vector<db::Row> rows,
                     statements_.Rows(kSchemasSql, {{"schema", filter_.schema}}));
    std::vector<std::string> names;
    for (const db::Row& row : rows) {
      names.push_back(Cells(row).Text());
      if (base::EqualIgnoringCase(names.back(), filter_.schema)) return {};
    }
    return Error::NotFound(base::StrCat(
        "There is no schema ", filter_.schema, " in this database",
        names.empty() ? std::string() : base::StrCat(": there are ", base::Join(names, ", "))));
  }

  const Statements& statements_;
  const CatalogFilter& filter_;
  CatalogPage page_;
  bool more_ = false;  // behind it
  std::map<Key, std::size_t> by_key_;
};

}  // namespace

Result<CatalogPage> ReadCatalog(const Statements& statements, const CatalogFilter& filter,
                                const CatalogDetails& details, std::size_t characters) {
  Page page(statements, filter);
  RETURN_IF_ERROR(page.List(details.summary));
  if (details.columns) RETURN_IF_ERROR(page.Columns());
  if (details.keys) RETURN_IF_ERROR(page.Keys());
  if (details.definition) RETURN_IF_ERROR(page.Definitions());
  return page.Take(characters);
}

}  // namespace toolpost::tools::mssql
