// Transact-SQL of ours.
#include "db/odbc_container.h"

#include "base/strings.h"
#include "db/odbc_cells.h"

namespace toolpost::db {
namespace {

std::string Settings() {
  return base::StrCat(
      "SET XACT_ABORT ON; SET LOCK_TIMEOUT 5000; SET DEADLOCK_PRIORITY LOW; SET TEXTSIZE ",
      2 * kLargestOdbcRow + 2,
      "; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN TRANSACTION; ");
}

std::string Execution(std::size_t parameters) {
  std::string out = "EXEC sp_executesql @toolpost_sql";
  if (parameters > 0) out += ", @toolpost_types";
  for (std::size_t i = 1; i <= parameters; ++i) out += base::StrCat(", @p", i);
  return out + "; ";
}

std::string MakeReadContainer(std::size_t parameters) {
  return base::StrCat("/* toolpost:read */ SET NOCOUNT ON; ", Settings(), Execution(parameters),
                      "DECLARE @toolpost_depth int = @@TRANCOUNT; "
                      "IF @toolpost_depth > 0 ROLLBACK TRANSACTION; "
                      "SELECT @toolpost_depth AS toolpost_depth");
}

}  // namespace

std::string ReadContainer(std::size_t parameters) {
  static const std::string kWithout = MakeReadContainer(0);
  return parameters == 0 ? kWithout : MakeReadContainer(parameters);
}

// An error below XACT_ABORT (RAISERROR) must not be followed by a commit either.
std::string WriteContainer(std::size_t parameters) {
  return base::StrCat("/* toolpost:write */ DECLARE @toolpost_depth int, @toolpost_rows bigint; ",
                      Settings(), "BEGIN TRY ", Execution(parameters),
                      "SELECT @toolpost_rows = ROWCOUNT_BIG(), @toolpost_depth = @@TRANCOUNT; "
                      "IF @toolpost_depth = 1 COMMIT TRANSACTION; "
                      "ELSE IF @toolpost_depth > 0 ROLLBACK TRANSACTION; END TRY "
                      "BEGIN CATCH IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; THROW; END CATCH; "
                      "SELECT @toolpost_depth AS toolpost_depth, @toolpost_rows AS toolpost_rows");
}

}  // namespace toolpost::db
