// Our functions against SQLite's own, value by value, and their time on hostile ones.
#include "db/sqlite_budget.h"
#include "db/sqlite_functions_fixture.h"

namespace toolpost::db {
namespace {

TEST_F(SqliteFunctionsTest, GiveWhatTheBuiltInOnesGive) {
  const std::vector<std::string> values = {
      "NULL",     "''",    "'a'",       "'abcABC'",  "'Äöü ß'", "'aXbXc'",   "x'616263'",
      "x'6162'",  "x''",   "12.5",      "-7",        "'%'",     "'_b%'",     "'a_c'",
      "'[a-c]*'", "'*b?'", "'  pad  '", "'ßß x ßß'", "'ß x'",   "'aaaa'",    "'aa'",
      "'[^x]*'",  "'abc'", "'\\%'",     "'日本語'",  "'本'",    "'e\u0301'", "1e300",
      "'\n\ta '", "'**'",  "'a%c%'",    "'[]]'"};
  int compared = 0;
  for (const std::string& a : values) {
    for (const std::string& b : values) {
      for (const char* form :
           {"instr($1,$2)", "$1 LIKE $2", "$1 GLOB $2", "trim($1,$2)", "ltrim($1,$2)",
            "rtrim($1,$2)", "replace($1,$2,'<>')", "replace('xaXbx',$1,$2)",
            "$1 LIKE $2 ESCAPE '\\'", "$1 NOT LIKE $2 ESCAPE 'a'"}) {
        std::string expression = form;
        expression.replace(expression.find("$1"), 2, a);
        expression.replace(expression.find("$2"), 2, b);
        EXPECT_EQ(Evaluate(ours_, expression), Evaluate(own_, expression)) << expression;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 10'240);
}

TEST_F(SqliteFunctionsTest, TakeLinearTime) {
  const auto started = std::chrono::steady_clock::now();
  const std::string big = "replace(hex(zeroblob(400000)),'0','a')";
  const std::string part = "(replace(hex(zeroblob(150000)),'0','a')||'b')";
  EXPECT_EQ(Evaluate(ours_, "instr(" + big + "," + part + ")"), "0");
  EXPECT_EQ(Evaluate(ours_, "length(replace(" + big + "," + part + ",'x'))"), "800000");
  EXPECT_EQ(Evaluate(ours_, "length(trim(" + big + "," + part + "))"), "0");
  EXPECT_EQ(Evaluate(ours_, "length(trim(" + big + ",replace(" + part + ",'a','b')))"), "800000");
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(60));
}

TEST_F(SqliteFunctionsTest, LookAtTheTimeThemselvesWhereTheTextIsLong) {
  Evaluate(ours_, "1");
  const SqliteBudget late(std::int64_t{1} << 30, std::chrono::steady_clock::now());
  const std::string big = "hex(zeroblob(5000))";
  for (const char* form : {"trim(%,'x')", "ltrim('x',%)", "rtrim(%)||rtrim(%,'0')", "instr(%,'1')",
                           "replace(%,'1','2')", "% LIKE '1'", "% GLOB '1'"}) {
    std::string expression = form;
    for (std::size_t at; (at = expression.find('%')) != std::string::npos;)
      expression.replace(at, 1, big);
    EXPECT_EQ(Evaluate(ours_, expression), "out of memory") << form;
  }
  EXPECT_EQ(Evaluate(ours_, "trim('xax','x')"), "'a'");
}

TEST_F(SqliteFunctionsTest, RefuseWhatWouldBeTooMuch) {
  LibSqlite::Loaded().limit(ours_, SQLITE_LIMIT_LENGTH, 1000);
  EXPECT_EQ(Evaluate(ours_, "replace('aaaaaaaaaa','a',hex(zeroblob(200)))"),
            "string or blob too big");
  LibSqlite::Loaded().limit(ours_, SQLITE_LIMIT_LENGTH, 100'000);
  EXPECT_EQ(Evaluate(ours_, "'a' LIKE hex(zeroblob(501))"),
            "LIKE or GLOB pattern too complex: at most 1000 bytes are allowed");
  EXPECT_EQ(Evaluate(ours_, "'a' LIKE 'a' ESCAPE 'ab'"),
            "ESCAPE expression must be a single character");
}

}  // namespace
}  // namespace toolpost::db
