#include "db/odbc_container.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace toolpost::db {
namespace {

std::set<std::string> Matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.insert((*it)[1]);
  return found;
}

// A server refuses a batch that names a variable it does not know.
TEST(OdbcContainer, DeclaresEveryVariableThatIsNoParameter) {
  for (const std::string& text :
       {ReadContainer(0), ReadContainer(2), WriteContainer(0), WriteContainer(2)}) {
    std::set<std::string> known = Matches(text, R"((?:DECLARE|,) (@\w+) (?:int|bigint)\b)");
    known.insert({"@toolpost_sql", "@toolpost_types", "@p1", "@p2"});
    for (const std::string& used : Matches(text, R"((?:^|[^@\w])(@\w+))"))
      EXPECT_TRUE(known.contains(used)) << used << " in " << text;
  }
}

TEST(OdbcContainer, CountsTheRowsBeforeAnotherStatementDoes) {
  const std::string text = WriteContainer(1);
  EXPECT_NE(text.find("EXEC sp_executesql @toolpost_sql, @toolpost_types, @p1; "
                      "SELECT @toolpost_rows = ROWCOUNT_BIG(), @toolpost_depth = @@TRANCOUNT;"),
            std::string::npos)
      << text;
}

TEST(OdbcContainer, BeginsOneTransactionAndAlwaysEndsIt) {
  for (const std::string& text : {ReadContainer(0), WriteContainer(0)}) {
    EXPECT_EQ(Matches(text, R"((BEGIN TRANSACTION))").size(), 1U);
    EXPECT_NE(text.find("ROLLBACK TRANSACTION"), std::string::npos);
  }
  EXPECT_EQ(ReadContainer(3).find("COMMIT TRANSACTION"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::db
