#include "db/odbc_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/strings.h"

namespace toolpost::db {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(OdbcError, SaysHowToReadMemoryOptimizedTables) {
  const Error error = SqlServerStatementError(
      {.state = "42000",
       .number = 41368,
       .severity = 16,
       .line = 1,
       .message = "Accessing memory optimized tables using the READ COMMITTED isolation level is "
                  "supported only for autocommit transactions."});
  EXPECT_EQ(error.code, Code::kExecutionFailed);
  EXPECT_THAT(error.message, AllOf(StartsWith("SQL Server: Accessing memory optimized tables"),
                                   HasSubstr("WITH (SNAPSHOT)"),
                                   HasSubstr("MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON")));
  EXPECT_EQ(error.data.at("number"), 41368);
}

TEST(OdbcError, SaysWhatTheTransactionAroundEveryStatementKeepsFromRunning) {
  const auto advice = [](int number) {
    return SqlServerStatementError({.state = "42000", .number = number, .severity = 16}).message;
  };
  for (const int number : {226, 574, 3021})
    EXPECT_THAT(advice(number), HasSubstr("run this statement with another program")) << number;
  EXPECT_THAT(advice(7391), AllOf(HasSubstr("MSDTC"), HasSubstr("a connection of its own")));
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

std::string LoginError(std::string_view state, int number) {
  // What FreeTDS and unixODBC add to it.
  const Error error = SqlServerLoginError(
      {{.state = std::string(state), .number = number, .severity = 14, .message = "planted words"},
       {.state = "08001", .number = 20002, .message = "Adaptive Server connection failed"}},
      true, true);
  EXPECT_EQ(error.code, Code::kUnavailable) << number;
  EXPECT_THAT(error.message, Not(HasSubstr("planted"))) << number;
  return error.message;
}

TEST(OdbcError, ALoginSaysWhyTheServerRefusedIt) {
  const std::pair<std::vector<int>, const char*> cases[] = {
      {{4060, 4063, 4064, 911, 916}, "cannot open the database"},
      {{18450, 18452, 18456}, "check the user name and the password"},
      {{18470, 18486, 18487, 18488}, "disabled or locked"},
      {{40615, 40914}, "add this machine's address to the server's firewall"},
      {{40532}, "There is no SQL Server of that name"},
      {{976, 983, 10928, 10929, 17142, 18401, 18451, 18461, 40197, 40501, 40613, 49918, 49919,
        49920},
       "not available at present"},
  };
  for (const auto& [numbers, words] : cases) {
    for (const int number : numbers) {
      EXPECT_THAT(LoginError("42000", number),
                  AllOf(HasSubstr(words), Not(HasSubstr("certificate"))))
          << number;
    }
  }
}

TEST(OdbcError, ARefusalOfALoginThatIsNotKnownIsNoMatterOfCertificates) {
  for (const int number : {233, 3934, 17197, 17810, 33331, 47073}) {
    EXPECT_EQ(LoginError("HY000", number), base::StrCat("SQL Server refused the connection (error ",
                                                        number, "); the log has more"));
  }
}

// The driver puts its timeout before the reason.
TEST(OdbcError, MicrosoftsDriverTellsWhoCannotBeReachedFromWhoCannotBeTrusted) {
  const auto message = [](int number, std::string_view state) {
    return SqlServerLoginError(
        {{.state = std::string(state), .number = 0}, {.state = "08001", .number = number}}, true,
        true);
  };
  for (const int number : {2, 53, 10051, 10057, 10060, 10061, 10065}) {
    const Error error = message(number, "HYT00");
    EXPECT_EQ(error.code, Code::kUnavailable);
    EXPECT_THAT(error.message, HasSubstr("nothing listens there")) << number;
  }
  EXPECT_EQ(message(11001, "HYT00").message, SqlServerHostUnknown().message);
  EXPECT_EQ(message(258, "HYT00").code, Code::kTimeout);
  for (const int number : {-1, 10054})
    EXPECT_THAT(message(number, "08001").message, HasSubstr("certificate")) << number;
}

TEST(OdbcError, FreeTdsTellsWhoCannotBeReached) {
  for (const auto& [number, words] :
       {std::pair{20009, "nothing listens there"}, std::pair{20013, "no host has its name"},
        std::pair{20017, "ended the connection during the login"}}) {
    EXPECT_THAT(SqlServerLoginError({{.state = "08001", .number = number}}, true, true).message,
                HasSubstr(words));
  }
}

}  // namespace
}  // namespace toolpost::db
