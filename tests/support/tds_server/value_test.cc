#include "tds_server/value.h"

#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::tds_server {
namespace {

// What comes back after a value went over the wire.
std::string RoundTrip(std::string_view type_name, std::string_view json) {
  const auto type = ParseType(type_name);
  if (!type) return type.error().message;
  ByteWriter out;
  WriteTypeInfo(out, *type);
  const auto written = WriteValue(out, *type, *base::ParseJson(json));
  if (!written) return written.error().message;
  ByteReader in(out.data());
  const auto read_type = ReadTypeInfo(in);
  if (!read_type) return read_type.error().message;
  EXPECT_EQ(TypeName(*read_type), TypeName(*type));
  const auto value = ReadValue(in, *read_type);
  if (!value) return value.error().message;
  EXPECT_TRUE(in.at_end());
  return base::ToJson(*value);
}

TEST(Value, EveryTypeSurvivesTheWire) {
  constexpr std::pair<const char*, const char*> kValues[] = {
      {"tinyint", "255"},
      {"smallint", "-32768"},
      {"int", "2147483647"},
      {"bigint", "-9223372036854775808"},
      {"bit", "true"},
      {"real", "1.5"},
      {"float", "-1.7976931348623157E308"},
      {"money", R"("-922337203685477.5808")"},
      {"smallmoney", R"("214748.3647")"},
      {"decimal(38,10)", R"("-1234567890123456789012345678.0123456789")"},
      {"numeric(5,0)", R"("12345")"},
      {"decimal(19,19)", R"("0.1234567890123456789")"},
      {"date", R"("0001-01-01")"},
      {"time(0)", R"("23:59:59")"},
      {"time(7)", R"("23:59:59.1234567")"},
      {"datetime", R"("1753-01-01 00:00:00.003")"},
      {"smalldatetime", R"("2079-06-06 23:59:00")"},
      {"datetime2(3)", R"("9999-12-31 23:59:59.999")"},
      {"datetimeoffset(7)", R"("2024-03-01 00:15:58.1234567 +05:30")"},
      {"datetimeoffset(2)", R"("2024-03-01 23:15:58.12 -08:00")"},
      {"uniqueidentifier", R"("6f9619ff-8b86-d011-b42d-00c04fc964ff")"},
      {"nvarchar(20)", R"("h\u00e9llo \ud83d\ude00")"},
      {"nvarchar(max)", R"("")"},
      {"nchar(3)", R"("abc")"},
      {"varchar(20)", R"("h\u00e9llo")"},
      {"varchar(max)", R"("abc")"},
      {"char(3)", R"("abc")"},
      {"varbinary(8)", R"("0x0001ff")"},
      {"varbinary(max)", R"("0x")"},
      {"binary(2)", R"("0xbeef")"},
      {"xml", R"("<a>\u00fc</a>")"},
  };
  for (const auto& [type, value] : kValues) {
    EXPECT_EQ(base::ToJson(*base::ParseJson(RoundTrip(type, value))),
              base::ToJson(*base::ParseJson(value)))
        << type;
    EXPECT_EQ(RoundTrip(type, "null"), "null") << type;
  }
}

TEST(Value, RepeatsALongTextInChunks) {
  EXPECT_EQ(RoundTrip("varchar(max)", R"({"repeat": "abc", "times": 50000})").size(), 150'002U);
  EXPECT_EQ(RoundTrip("varchar(9)", R"({"repeat": "abc", "times": 3})"), R"("abcabcabc")");
}

TEST(Value, SaysWhatDoesNotFit) {
  EXPECT_EQ(RoundTrip("int", R"("x")"), "A value is no int: \"x\"");
  for (const auto& [type, value] : {std::pair{"nvarchar(2)", R"("abc")"},
                                    {"varbinary(2)", R"("abc")"},
                                    {"date", "1"},
                                    {"uniqueidentifier", R"("12")"},
                                    {"decimal(4,1)", R"("1.25")"},
                                    {"float", R"("x")"}}) {
    EXPECT_TRUE(RoundTrip(type, value).starts_with("A value is no ")) << type;
  }
}

// The bytes of a value, in hexadecimal.
std::string Wire(std::string_view type_name, std::string_view json) {
  ByteWriter out;
  const auto written = WriteValue(out, *ParseType(type_name), *base::ParseJson(json));
  return written ? base::ToHex(out.data()) : written.error().message;
}

TEST(Value, AVariantSaysWhatItHolds) {
  constexpr std::pair<const char*, const char*> kVariants[] = {
      {"null", "00000000"},
      {R"json({"type": "int", "value": 5})json", "06000000380005000000"},
      {R"json({"type": "decimal(5,2)", "value": "-1.50"})json", "090000006a0205020096000000"},
      {R"json({"type": "nvarchar(4)", "value": "ab"})json", "0d000000e7070904d00034080061006200"},
      {R"json({"type": "time(3)", "value": "00:00:00.001"})json", "0700000029010301000000"},
  };
  for (const auto& [value, bytes] : kVariants) EXPECT_EQ(Wire("sql_variant", value), bytes);
}

TEST(Value, AVariantHoldsNoLongValueAndNoOther) {
  for (const char* type : {"nvarchar(max)", "xml", "text", "sql_variant", "geometry", "null"}) {
    EXPECT_TRUE(Wire("sql_variant", base::StrCat(R"({"type": ")", type, R"(", "value": "0x00"})"))
                    .starts_with("A value is no sql_variant"))
        << type;
  }
  EXPECT_TRUE(Wire("sql_variant", "5").starts_with("A value is no sql_variant"));
}

TEST(Value, ATypeOfDotNetIsBytesInChunks) {
  EXPECT_EQ(Wire("hierarchyid", R"("0x5840")"), "020000000000000002000000584000000000");
  EXPECT_EQ(Wire("geography", "null"), "ffffffffffffffff");
}

TEST(Type, ColumnsAloneHaveVariantsAndTypesOfDotNet) {
  for (const char* name : {"sql_variant", "geography", "geometry", "hierarchyid"}) {
    const auto type = ParseType(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(TypeName(*type), name);
    ByteWriter out;
    WriteTypeInfo(out, *type);
    ByteReader in(out.data());
    EXPECT_FALSE(ReadTypeInfo(in)) << name;
  }
}

TEST(Type, RefusesUnknownNamesAndSizes) {
  for (const char* name : {"", "integer", "decimal(39,0)", "decimal(5,6)", "time(8)", "nvarchar(x)",
                           "nvarchar(4001)", "int(4)", "varchar(0)"}) {
    EXPECT_FALSE(ParseType(name)) << name;
  }
}

TEST(Value, CutOffBytesAreAnError) {
  const Type type = *ParseType("nvarchar(max)");
  ByteWriter out;
  ASSERT_TRUE(WriteValue(out, type, Json("some text")));
  for (std::size_t size = 0; size < out.data().size(); ++size) {
    ByteReader in(std::string_view(out.data()).substr(0, size));
    EXPECT_FALSE(ReadValue(in, type)) << size;
  }
}

TEST(Value, SizesThatCannotBeAreAnError) {
  for (const char* name : {"int", "decimal(38,0)", "float", "datetime2(7)", "money"}) {
    const Type type = *ParseType(name);
    const std::string bytes(300, '\xff');
    ByteReader in(bytes);
    EXPECT_FALSE(ReadValue(in, type)) << name;
  }
}

}  // namespace
}  // namespace toolpost::tds_server
