// Types of SQL Server that ODBC has no type for.
#include "base/strings.h"
#include "db/odbc_server_fixture.h"

namespace toolpost::db {
namespace {

class OdbcServerTypesTest : public OdbcServerTest {};

// The driver does not say which type a variant holds.
TEST_F(OdbcServerTypesTest, VariantsAreTheTextOfWhatTheyHold) {
  Serve(Rule("SELECT variants", R"json({"columns": [{"name": "v", "type": "sql_variant"}], "rows": [
      [{"type": "int", "value": -5}], [{"type": "bigint", "value": "9223372036854775807"}], [{"type": "bit", "value": true}],
      [{"type": "float", "value": 0.1}], [{"type": "money", "value": "-0.5000"}], [{"type": "decimal(38,10)", "value": "-0.0000000001"}],
      [{"type": "nvarchar(20)", "value": "h\u00e9llo \ud83d\ude00"}], [{"type": "varchar(20)", "value": "h\u00e9llo"}],
      [{"type": "varbinary(8)", "value": "0x0001ff"}], [{"type": "datetime", "value": "1999-12-31 23:59:59.997"}],
      [{"type": "datetime2(3)", "value": "9999-12-31 23:59:59.123"}], [{"type": "date", "value": "2024-02-29"}],
      [{"type": "time(7)", "value": "23:59:59.9999999"}], [{"type": "datetimeoffset(0)", "value": "2024-02-29 23:59:58 +05:30"}],
      [{"type": "uniqueidentifier", "value": "6F9619FF-8B86-D011-B42D-00C04FC964FF"}], [{"type": "tinyint", "value": 255}],
      [{"type": "real", "value": 1.5}], [{"type": "smallmoney", "value": "0.0001"}], [{"type": "smalldatetime", "value": "2079-06-06 23:59"}],
      [{"type": "numeric(5,5)", "value": "-0.00001"}], [{"type": "nchar(3)", "value": "abc"}], [{"type": "char(3)", "value": "abc"}],
      [{"type": "binary(2)", "value": "0xbeef"}], [{"type": "nvarchar(9)", "value": ""}], [null]]})json"));
  const auto outcome = Read("SELECT variants");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.types, "sql_variant");
  EXPECT_EQ(sink_.kinds, "text");
  EXPECT_EQ(sink_.rows, (std::vector<std::string>{"-5",
                                                  "9223372036854775807",
                                                  "1",
                                                  "0.10000000000000001",
                                                  "-0.5000",
                                                  "-0.0000000001",
                                                  "héllo 😀",
                                                  "héllo",
                                                  "0001ff",
                                                  "1999-12-31 23:59:59.997",
                                                  "9999-12-31 23:59:59.123",
                                                  "2024-02-29",
                                                  "23:59:59.9999999",
                                                  "2024-02-29 23:59:58 +05:30",
                                                  "6F9619FF-8B86-D011-B42D-00C04FC964FF",
                                                  "255",
                                                  "1.5",
                                                  "0.0001",
                                                  "2079-06-06 23:59:00",
                                                  "-0.00001",
                                                  "abc",
                                                  "abc",
                                                  "beef",
                                                  "",
                                                  "NULL"}));
}

TEST_F(OdbcServerTypesTest, ALongVariantIsWhole) {
  Serve(Rule("SELECT long", R"json({"columns": [{"name": "v", "type": "sql_variant"}], "rows": [
      [{"type": "nvarchar(4000)", "value": {"repeat": "ü😀", "times": 1333}}],
      [{"type": "varchar(8000)", "value": {"repeat": "xyz", "times": 2666}}],
      [{"type": "varbinary(8000)", "value": {"repeat": "0xbeef", "times": 4000}}]]})json"));
  const auto outcome = Read("SELECT long");
  ASSERT_TRUE(outcome) << outcome.error().message;
  std::string wide, narrow, bytes;
  for (int i = 0; i < 1'333; ++i) wide += "ü😀";
  for (int i = 0; i < 2'666; ++i) narrow += "xyz";
  for (int i = 0; i < 4'000; ++i) bytes += "beef";
  EXPECT_TRUE(sink_.rows == (std::vector<std::string>{wide, narrow, bytes}));
}

TEST_F(OdbcServerTypesTest, TypesOfDotNetAreBytes) {
  Serve(Rule(
      "SELECT clr",
      R"json({"columns": [{"name": "a", "type": "geography"}, {"name": "b", "type": "geometry"},
      {"name": "c", "type": "hierarchyid"}, {"name": "d", "type": "int"}],
    "rows": [["0xe6100000010c", {"repeat": "0xbeef", "times": 50000}, "0x5840", 7], [null, null, null, 8]]})json"));
  const auto outcome = Read("SELECT clr");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(sink_.types, "udt|udt|udt|int");
  EXPECT_EQ(sink_.kinds, "bytes|bytes|bytes|number");
  std::string shape;
  for (int i = 0; i < 50'000; ++i) shape += "beef";
  EXPECT_TRUE(sink_.rows[0] == base::StrCat("0xe6100000010c|0x", shape, "|0x5840|7"));
  EXPECT_EQ(sink_.rows[1], "NULL|NULL|NULL|8");
}

}  // namespace
}  // namespace toolpost::db
