// The tools that read the catalogue.
#include <gmock/gmock.h>

#include "base/json_write.h"
#include "tools/mssql/catalog_sql.h"
#include "tools/mssql/mssql_fixture.h"

namespace toolpost::tools::mssql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Null = std::monostate;

std::int64_t Int(int value) { return value; }

class Metadata : public MssqlFixture {
 protected:
  Metadata() {
    auto& rows = Main().rows;
    rows["objects"] = {{"dbo", "Orders", "U", "2024-01-01T00:00:00.000", "2024-02-01T00:00:00.000",
                        Null(), Null(), "All orders", Int(1200)},
                       {"dbo", "Users", "U", "2024-01-01T00:00:00.000", "2024-02-01T00:00:00.000",
                        Null(), Null(), Null(), Int(3)}};
    rows["columns"] = {{"dbo", "Orders", "OrderId", "int", Int(4), Int(10), Int(0), Int(0), Int(1),
                        Int(0), Null(), Int(1), Null()},
                       {"dbo", "Orders", "UserId", "int", Int(4), Int(10), Int(0), Int(1), Int(0),
                        Int(0), Null(), Null(), Null()},
                       {"dbo", "Orders", "Total", "decimal", Int(9), Int(12), Int(2), Int(0),
                        Int(0), Int(0), "((0))", Null(), "Gross"},
                       {"dbo", "Users", "UserId", "int", Int(4), Int(10), Int(0), Int(0), Int(0),
                        Int(0), Null(), Int(1), Null()},
                       {"dbo", "Users", "Username", "nvarchar", Int(200), Int(0), Int(0), Int(0),
                        Int(0), Int(0), Null(), Null(), Null()},
                       {"dbo", "Users", "Notes", "nvarchar", Int(-1), Int(0), Int(0), Int(1),
                        Int(0), Int(0), Null(), Null(), Null()},
                       {"dbo", "CameMeanwhile", "x", "int", Int(4), Int(10), Int(0), Int(0), Int(0),
                        Int(0), Null(), Null(), Null()}};
    rows["foreign_keys"] = {
        {"dbo", "Orders", "FK_Orders_Users", "UserId", "dbo", "Users", "UserId", "CASCADE"}};
    rows["indexes"] = {
        {"dbo", "Orders", "IX_Orders_User", "NONCLUSTERED", Int(1), Null(), "UserId", Int(0)},
        {"dbo", "Orders", "IX_Orders_User", "NONCLUSTERED", Int(1), Null(), "Total", Int(1)}};
  }
};

TEST_F(Metadata, CTRL_EX03_GetTableMetadataRunsAsWritten) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 5,
    "method": "GetTableMetadata",
    "params": {
      "connectionName": "DefaultConnection",
      "schema": "dbo"
    }
  })");
  const Json tables = *base::ParseJson(R"j([
    {"name":"Orders","schema":"dbo","type":"TABLE","description":"All orders","rowCount":1200,
     "createDate":"2024-01-01T00:00:00.000","modifyDate":"2024-02-01T00:00:00.000",
     "columns":[
       {"name":"OrderId","dataType":"int","isNullable":false,"isPrimaryKey":true,"isIdentity":true},
       {"name":"UserId","dataType":"int","isNullable":true,"isForeignKey":true,
        "foreignKeyReference":"dbo.Users.UserId"},
       {"name":"Total","dataType":"decimal","isNullable":false,"precision":12,"scale":2,
        "defaultValue":"((0))","description":"Gross"}],
     "primaryKeys":["OrderId"],
     "foreignKeys":[{"name":"FK_Orders_Users","column":"UserId","referencedSchema":"dbo",
                     "referencedTable":"Users","referencedColumn":"UserId","onDelete":"CASCADE"}],
     "indexes":[{"name":"IX_Orders_User","type":"NONCLUSTERED","unique":true,"columns":["UserId"],
                 "included":["Total"]}]},
    {"name":"Users","schema":"dbo","type":"TABLE","rowCount":3,
     "createDate":"2024-01-01T00:00:00.000","modifyDate":"2024-02-01T00:00:00.000",
     "columns":[
       {"name":"UserId","dataType":"int","isNullable":false,"isPrimaryKey":true},
       {"name":"Username","dataType":"nvarchar","isNullable":false,"maxLength":100},
       {"name":"Notes","dataType":"nvarchar","isNullable":true,"maxLength":-1}],
     "primaryKeys":["UserId"],"foreignKeys":[]}])j");
  EXPECT_EQ(DataOf(reply).at("tables"), tables);
  EXPECT_EQ(Main().asked[0].parameters.at("schema"), "dbo");
  EXPECT_EQ(Main().asked[0].parameters.at("types"), ",U,");
}

TEST_F(Metadata, AKeyToATableThatTheLoginMayNotSeeIsShownWithoutIt) {
  Main().rows["foreign_keys"] = {
      {"dbo", "Orders", "FK_Orders_Users", "UserId", Null(), Null(), Null(), "CASCADE"}};
  const JsonObject orders = Data("GetTableMetadata", "{}").at("tables").at(0).as_object();
  EXPECT_EQ(orders.at("foreignKeys"),
            (Json{JsonObject{
                {"name", "FK_Orders_Users"}, {"column", "UserId"}, {"onDelete", "CASCADE"}}}));
  EXPECT_EQ(
      orders.at("columns").at(1),
      (Json{
          {"name", "UserId"}, {"dataType", "int"}, {"isNullable", true}, {"isForeignKey", true}}));
}

TEST_F(Metadata, TheTextIsASentenceAndDataForOldClients) {
  const JsonObject result = DataOf(Envelope("GetTableMetadata", R"({"schema":null})"));
  EXPECT_EQ(result.at("content").at(0).at("text"), "Table metadata retrieved successfully");
  EXPECT_EQ(result.at("structuredContent").at("count"), 2);
  EXPECT_EQ(result.at("isError"), false);
}

TEST_F(Metadata, CTRL_defect_15_ThePageCostsAFixedNumberOfStatements) {
  Data("GetTableMetadata", "{}");
  EXPECT_THAT(Main().Tags(), ElementsAre("objects", "columns", "foreign_keys", "indexes"));
  Main().asked.clear();
  Data("GetTableMetadata", R"({"detail":"summary"})");
  EXPECT_THAT(Main().Tags(), ElementsAre("objects", "columns"));
  Main().asked.clear();
  const JsonObject names = Data("GetTableMetadata", R"({"detail":"names"})");
  EXPECT_THAT(Main().Tags(), ElementsAre("objects"));
  EXPECT_EQ(names.at("tables").at(0),
            (Json{{"name", "Orders"}, {"schema", "dbo"}, {"type", "TABLE"}}));
}

TEST_F(Metadata, DetailsAreReadForThePageOnly) {
  Data("GetTableMetadata", R"({"namePattern":"%r%"})");
  const JsonObject& parameters = Main().asked[1].parameters;
  const Json expected = *base::ParseJson(R"({"types":",U,","schema":"","pattern":"%r%",
      "firstSchema":"dbo","firstName":"Orders","lastSchema":"dbo","lastName":"Users"})");
  EXPECT_EQ(Json(parameters), expected);
}

TEST_F(Metadata, PagesGoOnAfterTheLastName) {
  const JsonObject first = Data("GetTableMetadata", R"({"limit":1})");
  EXPECT_EQ(Main().asked[0].parameters.at("take"), 2);
  EXPECT_EQ(first.at("count"), 1);
  EXPECT_EQ(first.at("tables").at(0).at("name"), "Orders");
  Main().asked.clear();
  Data("GetTableMetadata",
       base::StrCat(R"({"limit":1,"cursor":")", Text(first.at("nextCursor")), R"("})"));
  const JsonObject& parameters = Main().asked[0].parameters;
  EXPECT_EQ(parameters.at("afterSchema"), "dbo");
  EXPECT_EQ(parameters.at("afterName"), "Orders");
  EXPECT_EQ(parameters.at("afterType"), "U");
  for (const char* cursor : {"x", "AAAA", "W10", "WzEsMiwzXQ"}) {
    EXPECT_THAT(ErrorOf("GetTableMetadata", base::StrCat(R"({"cursor":")", cursor, R"("})")),
                HasSubstr("cursor"))
        << cursor;
  }
}

TEST_F(Metadata, APageEndsWhereTheReplyIsFull) {
  auto& rows = Main().rows;
  std::vector<db::Row> objects;
  std::vector<std::string> expected;
  rows["columns"].clear();
  for (int table = 100; table < 220; ++table) {
    expected.push_back(base::StrCat("Tableé", table));
    objects.push_back(
        {"dbo", expected.back(), "U", Null(), Null(), Null(), Null(), Null(), Null()});
    for (int column = 10; column < 30; ++column) {
      rows["columns"].push_back({"dbo", expected.back(), base::StrCat("Column", column), "int",
                                 Int(4), Int(10), Int(0), Int(0), Int(0), Int(0), Null(), Null(),
                                 Null()});
    }
  }
  for (const auto& [tool, list] :
       std::map<std::string, std::string>{{"GetTableMetadata", "tables"},
                                          {"GetDatabaseObjectsMetadata", "objects"},
                                          {"GetDatabaseObjectsByType", "objects"}}) {
    std::vector<std::string> names;
    std::string cursor;
    do {
      rows["objects"] = {objects.begin() + static_cast<std::ptrdiff_t>(names.size()),
                         objects.end()};
      Main().asked.clear();
      const JsonObject page =
          Data(tool, base::StrCat(R"({"detail":"full","cursor":")", cursor, R"("})"));
      EXPECT_EQ(Text(Main().asked[0].parameters.at("afterName")),
                names.empty() ? "" : names.back());
      ASSERT_FALSE(page.contains("truncated")) << "the budget cut it";
      for (const Json& each : page.at(list).as_array()) names.push_back(Text(each.at("name")));
      cursor = page.contains("nextCursor") ? Text(page.at("nextCursor")) : "";
      EXPECT_GT(base::ToJson(page).size(), cursor.empty() ? 0U : 38'000U);
    } while (!cursor.empty() && names.size() < objects.size());
    EXPECT_EQ(names, expected) << tool;
  }
}

TEST_F(Metadata, AnObjectThatFitsInNoReplyIsAPageOfItsOwn) {
  auto& rows = Main().rows;
  rows["columns"].clear();
  for (int column = 0; column < 1000; ++column) {
    rows["columns"].push_back({"dbo", "Orders", base::StrCat("Column", column), "int", Int(4),
                               Int(10), Int(0), Int(0), Int(0), Int(0), Null(), Null(), Null()});
  }
  const JsonObject page = Data("GetTableMetadata", "{}");
  EXPECT_EQ(page.at("tables").as_array().size(), 1U);
  EXPECT_EQ(page.at("truncated"), true);
  Main().asked.clear();
  Data("GetTableMetadata", base::StrCat(R"({"cursor":")", Text(page.at("nextCursor")), R"("})"));
  EXPECT_EQ(Main().asked[0].parameters.at("afterName"), "Orders");
}

TEST_F(Metadata, AnUnknownSchemaIsAnErrorWithThoseThereAre) {
  Main().rows.clear();
  Main().rows["schemas"] = {{"dbo"}, {"sales"}};
  EXPECT_THAT(ErrorOf("GetTableMetadata", R"({"schema":"nope"})"),
              HasSubstr("no schema nope in this database: there are dbo, sales"));
  EXPECT_EQ(Data("GetTableMetadata", R"({"schema":"Sales"})").at("count"), 0) << "there, but empty";
  EXPECT_EQ(Data("GetTableMetadata", "{}").at("count"), 0);
}

// SQL Server ignores blanks at the end: a blank filter would be none.
TEST_F(Metadata, BlankFiltersAreRefused) {
  for (const char* tool :
       {"GetTableMetadata", "GetDatabaseObjectsMetadata", "GetDatabaseObjectsByType"}) {
    for (const char* argument : {"schema", "namePattern"}) {
      for (const char* blank : {" ", "   ", "\\t\\n"}) {
        EXPECT_THAT(ErrorOf(tool, base::StrCat(R"({")", argument, R"(":")", blank, R"("})")),
                    HasSubstr(base::StrCat(argument, " must not be blank: ")))
            << tool;
      }
    }
  }
  EXPECT_TRUE(Main().asked.empty());
  EXPECT_EQ(Data("GetTableMetadata", R"({"schema":"","namePattern":""})").at("count"), 2);
  for (const std::string_view sql :
       {kObjectsSql, kColumnsSql, kForeignKeysSql, kIndexesSql, kDefinitionsSql, kParametersSql})
    EXPECT_EQ(sql.find("= N''"), sql.npos) << "true of blanks, too: " << sql;
}

TEST_F(Metadata, CTRL_SEC_4_NamesAreParametersWhateverTheyContain) {
  Data("GetTableMetadata", R"({"schema":"a'; DROP TABLE x; --","namePattern":"[%]"})");
  EXPECT_EQ(Main().asked[0].parameters.at("schema"), "a'; DROP TABLE x; --");
  EXPECT_EQ(Main().asked[0].parameters.at("pattern"), "[%]");
}

TEST_F(Metadata, CTRL_EX09_GetDatabaseObjectsMetadataRunsAsWritten) {
  Store("myDB_ConnectionName", "main");
  Main().rows["objects"].push_back({"dbo", "V", "V", "2024-01-01T00:00:00.000",
                                    "2024-01-01T00:00:00.000", Null(), Null(), Null(), Null()});
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 11,
    "method": "tools/call",
    "params": {
      "name": "GetDatabaseObjectsMetadata",
      "arguments": {
        "connectionName": "myDB_ConnectionName",
        "schema": "dbo",
        "includeViews": true
      }
    }
  })");
  const JsonObject result = DataOf(reply);
  const Json view = *base::ParseJson(R"({"name":"V","schema":"dbo","type":"VIEW",
                "createDate":"2024-01-01T00:00:00.000","modifyDate":"2024-01-01T00:00:00.000"})");
  EXPECT_EQ(result.at("structuredContent").at("objects").at(2), view);
  EXPECT_THAT(Text(result.at("content").at(0).at("text")), HasSubstr("3 objects"));
  EXPECT_EQ(Main().asked[0].parameters.at("types"), ",U,,V,,P,PC,X,,FN,IF,TF,FS,FT,");
}

TEST_F(Metadata, WithoutViewsProceduresAndFunctionsStay) {
  Data("GetDatabaseObjectsMetadata", R"({"includeViews":false})");
  EXPECT_EQ(Main().asked[0].parameters.at("types"), ",U,,P,PC,X,,FN,IF,TF,FS,FT,");
}

TEST_F(Metadata, FullDetailHasSourceAndParameters) {
  auto& rows = Main().rows;
  rows["objects"] = {{"dbo", "Total", "FN", Null(), Null(), Null(), Null(), Null(), Null()},
                     {"dbo", "Trg", "TR", Null(), Null(), "dbo", "Orders", Null(), Null()}};
  rows["columns"].clear();
  rows["foreign_keys"].clear();
  rows["indexes"].clear();
  rows["definitions"] = {{"dbo", "Total", "CREATE FUNCTION " + std::string(20'000, 'x')}};
  rows["parameters"] = {
      {"dbo", "Total", "", Int(0), "decimal", Int(9), Int(12), Int(2), Int(1)},
      {"dbo", "Total", "@id", Int(1), "int", Int(4), Int(10), Int(0), Int(0)},
      {"dbo", "Total", "@name", Int(2), "nvarchar", Int(100), Int(0), Int(0), Int(1)}};
  const JsonObject data = Data("GetDatabaseObjectsByType", R"({"detail":"full"})");
  const JsonObject& function = data.at("objects").at(0).as_object();
  EXPECT_EQ(function.at("type"), "FUNCTION");
  EXPECT_EQ(function.at("returnType"), "decimal");
  const Json expected = *base::ParseJson(R"([
      {"name":"@id","dataType":"int","direction":"IN"},
      {"name":"@name","dataType":"nvarchar","direction":"OUT","maxLength":50}])");
  EXPECT_EQ(function.at("parameters"), expected);
  EXPECT_LT(function.at("definition").as_string().size(), 10'000U);
  EXPECT_TRUE(Text(function.at("definition")).ends_with("…"));
  EXPECT_EQ(data.at("objects").at(1).at("parent"), "dbo.Orders");
}

TEST_F(Metadata, LongTextsAreCutBetweenCharactersAndNamesAreNot) {
  config_.database.max_cell = 64;
  Offer();
  std::string name;
  while (name.size() < 512) name += "😀";
  auto& rows = Main().rows;
  std::string source = "x";
  while (source.size() < 10'000) source += "é";
  rows["objects"] = {{name, name, "V", Null(), Null(), Null(), Null(), Null(), Null()}};
  rows["definitions"] = {{name, name, source}};
  const JsonObject data = Data("GetDatabaseObjectsByType", R"({"detail":"full"})");
  const Json& view = data.at("objects").at(0);
  EXPECT_EQ(Text(view.at("name")), name);
  EXPECT_EQ(Text(view.at("schema")), name);
  EXPECT_EQ(Text(view.at("definition")), base::StrCat(source.substr(0, 2047), "…"));
  for (const auto& asked : Main().asked) EXPECT_EQ(asked.max_cell, 2048U) << asked.text;
}

// A function with BEGIN … END may return a table with a primary key.
TEST_F(Metadata, TheKeyOfAFunctionsTableIsShown) {
  auto& rows = Main().rows;
  rows["objects"] = {{"dbo", "Split", "TF", Null(), Null(), Null(), Null(), Null(), Null()}};
  rows["columns"] = {{"dbo", "Split", "Id", "int", Int(4), Int(10), Int(0), Int(0), Int(0), Int(0),
                      Null(), Int(1), Null()}};
  rows["foreign_keys"].clear();
  rows["indexes"].clear();
  const JsonObject data = Data("GetDatabaseObjectsByType", R"({"detail":"full"})");
  EXPECT_EQ(data.at("objects").at(0).at("primaryKeys"), JsonArray({"Id"}));
}

// A view may be dropped and made anew as a table between two statements.
TEST_F(Metadata, ForeignKeysOfWhatIsNoTableAreLeftOut) {
  auto& rows = Main().rows;
  for (const char* type : {"V", "P", "TF", "SN"}) {
    rows["objects"].clear();
    for (const char* name : {"X", "Y", "Z"})
      rows["objects"].push_back(
          {"dbo", name, type, Null(), Null(), Null(), Null(), Null(), Null()});
    for (const char* columns : {"X", "Another"}) {
      rows["columns"] = {{"dbo", columns, "c", "int", Int(4), Int(10), Int(0), Int(0), Int(0),
                          Int(0), Null(), Int(1), Null()}};
      rows["foreign_keys"] = {{"dbo", "X", "FK", "c", "dbo", "T", "c", "CASCADE"}};
      rows["indexes"].clear();
      const JsonObject data = Data("GetDatabaseObjectsByType", R"({"detail":"full"})");
      EXPECT_FALSE(data.at("objects").at(0).as_object().contains("foreignKeys")) << type;
    }
  }
}

TEST_F(Metadata, RowsOfAnyLengthAreSurvived) {
  auto& rows = Main().rows;
  const auto whole = rows;
  for (const auto& [tag, of_tag] : whole) {
    for (const std::size_t length : {0, 1, 2, 3, 5}) {
      rows = whole;
      for (db::Row& row : rows[tag]) row.resize(std::min(length, row.size()));
      Data("GetDatabaseObjectsByType", R"({"detail":"full"})");
    }
  }
}

TEST_F(Metadata, CTRL_EX10_GetDatabaseObjectsByTypeRunsAsWritten) {
  const Json reply = Rpc(R"({
    "jsonrpc": "2.0",
    "id": 12,
    "method": "GetDatabaseObjectsByType",
    "params": {
      "connectionName": "DefaultConnection",
      "schema": "dbo",
      "objectType": "TABLE"
    }
  })");
  EXPECT_EQ(DataOf(reply).at("count"), 2);
  EXPECT_EQ(Main().asked[0].parameters.at("types"), ",U,");
  EXPECT_THAT(Text(DataOf(Envelope("GetDatabaseObjectsByType", R"({"objectType":"TABLE"})"))
                       .at("content")
                       .at(0)
                       .at("text")),
              HasSubstr("2 of type TABLE"));
}

TEST_F(Metadata, TypesHaveManyNames) {
  for (const auto& [type, codes] :
       std::map<std::string, std::string>{{"tables", ",U,"},
                                          {"View", ",V,"},
                                          {"PROC", ",P,PC,X,"},
                                          {"func", ",FN,IF,TF,FS,FT,"},
                                          {"TRIGGER", ",TR,TA,"},
                                          {"synonyms", ",SN,"},
                                          {"SEQUENCE", ",SO,"},
                                          {"TYPE", ",UT,"},
                                          {"all", ",U,V,P,PC,X,FN,IF,TF,FS,FT,TR,TA,SN,SO,UT,"}}) {
    Main().asked.clear();
    Data("GetDatabaseObjectsByType", base::StrCat(R"({"objectType":")", type, R"("})"));
    EXPECT_EQ(Text(Main().asked[0].parameters.at("types")), codes) << type;
  }
  EXPECT_THAT(ErrorOf("GetDatabaseObjectsByType", R"({"objectType":"INDEX"})"),
              HasSubstr("TABLE, VIEW"));
  Main().asked.clear();
  Data("GetDatabaseObjectsByType", R"({"objectType":null})");
  EXPECT_EQ(Main().asked.size(), 1U) << "null means the default";
}

TEST_F(Metadata, FailuresOfEachStatementAreErrors) {
  for (const char* tag : {"objects", "columns", "foreign_keys", "indexes"}) {
    Main().failure_of = {{tag, Error{Code::kTimeout, "too slow", {}}}};
    const JsonObject result = DataOf(Envelope("GetTableMetadata", "{}"));
    EXPECT_EQ(result.at("isError"), true) << tag;
    EXPECT_THAT(Text(result.at("content").at(0).at("text")), HasSubstr("too slow")) << tag;
  }
}

TEST(CatalogSql, EveryStatementBeginsWithItsTag) {
  for (const std::string_view sql : {kObjectsSql, kColumnsSql, kForeignKeysSql, kIndexesSql,
                                     kDefinitionsSql, kParametersSql, kSchemasSql})
    EXPECT_TRUE(sql.starts_with("/* toolpost:")) << sql;
}

}  // namespace
}  // namespace toolpost::tools::mssql
