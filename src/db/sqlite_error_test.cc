#include "db/sqlite_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace toolpost::db {
namespace {

using ::testing::HasSubstr;

// Root may write every directory: these cannot be had from a file here.
TEST(SqliteReadError, TellsACrashedWriterFromADirectoryThatIsNotWritable) {
  for (const int code : {SQLITE_READONLY_ROLLBACK, SQLITE_READONLY_RECOVERY})
    EXPECT_THAT(SqliteReadError(code).message, HasSubstr("A writer ended")) << code;
  for (const int code : {SQLITE_READONLY_DIRECTORY, SQLITE_READONLY_CANTINIT,
                         SQLITE_READONLY_CANTLOCK, SQLITE_CANTOPEN, SQLITE_CANTOPEN_FULLPATH}) {
    EXPECT_THAT(SqliteReadError(code).message, HasSubstr("?immutable=1")) << code;
    EXPECT_EQ(SqliteReadError(code).code, Code::kUnavailable) << code;
  }
}

}  // namespace
}  // namespace toolpost::db
