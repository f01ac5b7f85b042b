#include "db/odbc_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace toolpost::db {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(OdbcError, SaysHowToReadMemoryOptimizedTables) {
  const Error error = SqlServerStatementError(
      {.state = "42000",
       .number = 41368,
       .severity = 16,
       .line = 1,
       .message = "Accessing memory optimized tables using the READ COMMITTED isolation level is "
                  "supported only for autocommit transactions."});
  EXPECT_EQ(error.code, Code::kInvalidArgument);
  EXPECT_THAT(error.message, AllOf(StartsWith("SQL Server: Accessing memory optimized tables"),
                                   HasSubstr("WITH (SNAPSHOT)"),
                                   HasSubstr("MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON")));
  EXPECT_EQ(error.data.at("number"), 41368);
}

TEST(OdbcError, PassesOnWhatTheServerSaysOfAStatement) {
  const Error error = SqlServerStatementError({.state = "42000",
                                               .number = 207,
                                               .severity = 16,
                                               .line = 2,
                                               .message = "Invalid column name 'x'."});
  EXPECT_EQ(error.message, "SQL Server: Invalid column name 'x'. (line 2)");
  EXPECT_EQ(
      error.data,
      (Json{{"message", "Invalid column name 'x'."}, {"number", 207}, {"class", 16}, {"line", 2}}));
}

TEST(OdbcError, KeepsTheServersOwnWordsWhereItSaysOthers) {
  const Error error = SqlServerStatementError({.state = "40001",
                                               .number = 1205,
                                               .severity = 13,
                                               .line = 1,
                                               .message = "Transaction (Process ID 52) was ...",
                                               .message_state = 51});
  EXPECT_EQ(error.message, "SQL Server had to end the statement because of a deadlock: try again");
  EXPECT_EQ(error.data, (Json{{"message", "Transaction (Process ID 52) was ..."},
                              {"number", 1205},
                              {"class", 13},
                              {"state", 51},
                              {"line", 1}}));
}

}  // namespace
}  // namespace toolpost::db
