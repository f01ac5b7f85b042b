// SQLSTATE classes as codes.
#include "db/postgres_database_error.h"

#include "base/log.h"
#include "base/strings.h"
#include "db/postgres_error.h"

namespace toolpost::db {
namespace {

constexpr std::string_view kOwnLimit = "53400";  // temp_file_limit and the like: say which

void LogFault(const PostgresDiagnosis& diagnosis) {
  base::Log(base::Severity::kWarning, "postgresql error",
            {{"state", diagnosis.state}, {"detail", diagnosis.message}});
}

std::string Words(const PostgresDiagnosis& diagnosis) {
  std::string words = base::StrCat("PostgreSQL: ", diagnosis.message);
  if (!diagnosis.position.empty()) words += base::StrCat(" (character ", diagnosis.position, ")");
  if (!diagnosis.detail.empty()) words += base::StrCat(". ", diagnosis.detail);
  if (!diagnosis.hint.empty()) words += base::StrCat(". Hint: ", diagnosis.hint);
  return words;
}

}  // namespace

Error TookTooLong() {
  return {Code::kTimeout,
          "The statement took too long and was cancelled: narrow it, or allow it more time",
          {}};
}

Error StatementError(const PostgresDiagnosis& diagnosis) {
  const std::string_view state = diagnosis.state;
  if (state == "57014") return TookTooLong();
  if (state == "42501") return {Code::kPermissionDenied, Words(diagnosis), {}};
  if (state == "55P03") {
    return Error::Unavailable(
        "Another session holds a lock that the statement waits for: try again");
  }
  if (LostRace(state)) {
    return Error::Unavailable(
        "PostgreSQL had to end the statement because of a conflict: try again");
  }
  // Of a server behind a foreign table: the detail has its address.
  if (LostConnection(state)) {
    return Error::Unavailable(base::StrCat("PostgreSQL: ", diagnosis.message));
  }
  if (state == "58P01") {
    LogFault(diagnosis);
    return Error::Unavailable(
        "A file that PostgreSQL reads for this statement (is there a foreign table?) is not there; "
        "the log names it");
  }
  // XX000 is also what older functions say of a wrong argument.
  if ((state.starts_with("53") && state != kOwnLimit) || state.starts_with("58") ||
      state == "XX001" || state == "XX002") {
    LogFault(diagnosis);
    return Error::Unavailable(
        "PostgreSQL is out of memory, disk or connections, or has a fault; the log has more");
  }
  return Error::ExecutionFailed(Words(diagnosis));
}

}  // namespace toolpost::db
