// SQLite result codes as errors.
#include "db/sqlite_error.h"

#include <sqlite3.h>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

Error Translate(int code, std::string_view file) {
  switch (code & 0xff) {
    case SQLITE_CONSTRAINT:
      return {Code::kConflict, "The change contradicts what is already stored", {}};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error::Unavailable(
          base::StrCat(file, " is locked by another process for too long: try again"));
    case SQLITE_FULL:
      return Error::Unavailable(base::StrCat(file, " cannot grow: the disk is full"));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Error::Unavailable(base::StrCat(
          file, " cannot be written: check that this user may write the directory it is in"));
    case SQLITE_IOERR:
      return Error::Unavailable(base::StrCat(file, " cannot be read or written: check the disk"));
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return Error::Internal(base::StrCat(
          file,
          " is damaged or not an SQLite database. It was left as it is: restore it from a "
          "backup, or move it away to start with an empty one"));
    case SQLITE_TOOBIG:
      return {Code::kTooLarge, "The value is too large to be stored", {}};
    default:
      return Error::Internal("The database refused the statement; the log has the reason");
  }
}

}  // namespace

Error SqliteError(int code, std::string_view file, std::string_view detail) {
  base::Log(base::Severity::kWarning, "sqlite error",
            {{"file", file}, {"code", std::int64_t{code}}, {"detail", detail}});
  return Translate(code, file);
}

}  // namespace toolpost::db
