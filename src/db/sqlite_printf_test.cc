// Our printf() and format() against SQLite's own, and on formats that would keep it for hours.
#include <gtest/gtest.h>

#include "db/sqlite_budget.h"
#include "db/sqlite_functions_fixture.h"

namespace toolpost::db {
namespace {

using SqlitePrintf = SqliteFunctionsTest;

TEST_F(SqlitePrintf, GivesWhatTheBuiltInOneGives) {
  const std::vector<std::string> flags = {"",  "-", "+",   " ",    "0",   "#",      "!",
                                          ",", "l", "-08", "5.3l", "*.*", "-*.",    ".*l",
                                          "7", ".", "3.0", "+.*",  "#!",  "0012.4", "ll"};
  const std::vector<std::string> arguments = {
      "",
      ",'ab'",
      ",12,3,'xyz'",
      ",-5,-2,7.25,NULL",
      ",x'616200',1e300",
      ",NULL,9223372036854775807",
      ",4294967299,'ab''c\"',3,'日本語'",
  };
  int compared = 0;
  for (const std::string& flag : flags) {
    for (const char* conversion : {"d", "s", "g", "z", "q", "Q", "w", "c", "o", "u", "x", "X", "f",
                                   "e", "E", "G", "i", "n", "%", "p", "r", "S", "y", "",  "5d"}) {
      for (const std::string& given : arguments) {
        for (const char* more : {"", "a|%s|%.3c", "%d%%"}) {
          const std::string expression = "printf('%" + flag + conversion + more + "'" + given + ")";
          EXPECT_EQ(Ours(expression), Own(expression)) << expression;
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, 21 * 25 * 7 * 3);
}

TEST_F(SqlitePrintf, GivesNullForNoFormatAndForAnEmptyOne) {
  for (const char* expression :
       {"printf()", "format()", "printf(NULL)", "printf(NULL,1)", "printf('')", "printf('%y')",
        "format('%s','')", "printf(12)", "printf(x'2564',12)", "printf('a'||char(0)||'%d',5)",
        "printf('%s %s', printf('%05d', 42), format('%c', 'x'))"}) {
    EXPECT_EQ(Ours(expression), Own(expression)) << expression;
  }
}

TEST_F(SqlitePrintf, SaysThatATextIsTooLong) {
  constexpr int kLongest = 1000;
  LibSqlite::Loaded().limit(ours_, SQLITE_LIMIT_LENGTH, kLongest);
  for (const char* format : {"'%.2147483647c'", "'%.2147483647c%.2147483647c'",
                             "'%-5.4294967295lc'", "'%.1001c'", "'%.501c %.501c'", "'%n%%%.1001c'",
                             "'%2000s'", "'%.2000f'", "'%.2000d'", "'%01001d'", "'%2147483647s'"}) {
    for (const char* name : {"printf", "format"}) {
      const std::string expression = std::string(name) + "(" + format + ",1,1)";
      EXPECT_EQ(Ours(expression), "string or blob too big") << expression;
    }
  }
  for (const char* expression :
       {"printf('%.*c',100000000,'x')", "printf('%.*c',-100000000,'x')",
        "printf('%*.*c',1,100000000,'x')", "printf('%s%d%.*c',1,2,2000000000,'x')",
        "printf('%*s',100000000,'x')", "printf('%s%s',hex(zeroblob(300)),hex(zeroblob(300)))"}) {
    EXPECT_EQ(Ours(expression), "string or blob too big") << expression;
  }
  EXPECT_EQ(Ours("length(printf('%.1000c','x'))"), "1000");
  EXPECT_EQ(Ours("length(printf('%.500c%.500c','x','y'))"), "1000");
  EXPECT_EQ(Ours("length(printf('%.900c %%.9999c %d','x',100000))"), "915");
  EXPECT_EQ(Ours("printf('%s .9999c %d','a',1)"), "'a .9999c 1'");
}

TEST_F(SqlitePrintf, EndsWhenTheTimeIsOver) {
  EXPECT_EQ(Ours("length(printf('%.100000c','x'))"), "100000");
  const SqliteBudget late(std::int64_t{1} << 30, std::chrono::steady_clock::now());
  std::string many = "0";
  for (int i = 0; i < 80; ++i)
    many += "+length(printf('%.100000c'||" + std::to_string(i) + ",'x'))";
  EXPECT_EQ(Ours(many), "out of memory");
}

}  // namespace
}  // namespace toolpost::db
