#include "tools/cells.h"

#include <gtest/gtest.h>

#include <string>

namespace toolpost::tools {
namespace {

using db::CellKind;

std::string Written(CellKind kind, std::string_view text, CellRules rules = {}) {
  std::string out;
  bool cut = false;
  AppendJson(out, {kind, text}, rules, cut);
  return cut ? "cut " + out : out;
}

TEST(Cells, NumbersThatAReaderWouldRoundAreTexts) {
  EXPECT_EQ(Written(CellKind::kNumber, "9007199254740992"), "9007199254740992");
  EXPECT_EQ(Written(CellKind::kNumber, "9007199254740993"), R"("9007199254740993")");
  EXPECT_EQ(Written(CellKind::kNumber, "-9007199254740993"), R"("-9007199254740993")");
  EXPECT_EQ(Written(CellKind::kNumber, "0.1"), "0.1");
  EXPECT_EQ(Written(CellKind::kNumber, "0.1234567890123456789"), R"("0.1234567890123456789")");
  EXPECT_EQ(Written(CellKind::kNumber, "1e999"), R"("1e999")");
  EXPECT_EQ(Written(CellKind::kNumber, "1", {.number_as_text = true}), R"("1")");
}

TEST(Cells, NumbersThatComeBackAreNumbersHoweverTheyAreWritten) {
  for (const char* number :
       {"2.3647912e+06", "6.188232580962936e+15", "1e+300", "1E-7", "-1.5e-10", "5e-324",
        "1.7976931348623157e+308", "0.1", "0.10", "100.0", "-0.0", "0.30000000000000004",
        "123456.789012345", "9007199254740991.0", "1.2e+17", "-0", "0"}) {
    EXPECT_EQ(Written(CellKind::kNumber, number), number);
  }
  for (const char* text :
       {"0.300000000000000041", "0.30000000000000005", "9007199254740993.0", "99999999999999.99",
        "123456789012345678e1", "1e-999", "10000000000000000000", ".5", "5.", "-.5", "1.e5", "+5",
        "nan", "inf", "1e", "0x10", "1.2.3"}) {
    EXPECT_EQ(Written(CellKind::kNumber, text), '"' + std::string(text) + '"');
  }
}

TEST(Cells, JsonKeepsEveryDigitAndLosesItsLineBreaks) {
  EXPECT_EQ(Written(CellKind::kJson, "{\"a\" :\n 12345678901234567890.1234567890,\t\"b\": [ 1 ]}"),
            R"({"a":12345678901234567890.1234567890,"b":[1]})");
  EXPECT_EQ(Written(CellKind::kJson, R"(["a \" b", " \\", " { "])"), R"(["a \" b"," \\"," { "])");
  EXPECT_EQ(Written(CellKind::kJson, "null"), "null");
}

TEST(Cells, WhatIsNoJsonAfterAllIsText) {
  EXPECT_EQ(Written(CellKind::kJson, "{\"a\": }\n"), R"("{\"a\": }\n")");
  EXPECT_EQ(Written(CellKind::kJson, ""), R"("")");
  EXPECT_EQ(Written(CellKind::kJson, std::string(100'000, '[')).front(), '"');
}

TEST(Cells, LongValuesAreCutBetweenCharacters) {
  EXPECT_EQ(Written(CellKind::kText, "äöü", {.max_bytes = 5}), "cut \"äö… (6 bytes)\"");
  EXPECT_EQ(Written(CellKind::kBytes, std::string(9, '\0'), {.max_bytes = 4}),
            "cut \"AAAA… (9 bytes)\"");
  EXPECT_EQ(Written(CellKind::kJson, "[1,2,3]", {.max_bytes = 4}), "cut \"[1,2… (7 bytes)\"");
  EXPECT_EQ(Written(CellKind::kText, "äöü", {.max_bytes = 6}), "\"äöü\"");
}

TEST(Cells, BytesThatWereNotReadCount) {
  bool cut = false;
  EXPECT_EQ(ToText({CellKind::kText, "äöü", 50'000'000}, 5, cut), "äö… (50000006 bytes)");
  EXPECT_EQ(ToText({CellKind::kBytes, "123456789", 1}, 8, cut), "MTIzNDU2… (10 bytes)");
  EXPECT_TRUE(cut);
}

TEST(Cells, TheOtherKinds) {
  EXPECT_EQ(Written(CellKind::kNull, ""), "null");
  EXPECT_EQ(Written(CellKind::kBoolean, "true"), "true");
  EXPECT_EQ(Written(CellKind::kText, "a\n\"b\""), R"("a\n\"b\"")");
  EXPECT_EQ(Written(CellKind::kBytes, "\xff"), R"("/w==")");
}

}  // namespace
}  // namespace toolpost::tools
