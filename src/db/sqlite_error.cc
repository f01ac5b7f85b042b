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

Error SqliteReadError(int code) {
  switch (code & 0xff) {
    case SQLITE_READONLY:
      if (code != SQLITE_READONLY_ROLLBACK && code != SQLITE_READONLY_RECOVERY) break;
      return Error::Unavailable(
          "A writer ended in the middle of a change: open the database once with a program that "
          "may write");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error::Unavailable(
          "The database is locked by another process for too long: try again");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return Error::Unavailable("The file is damaged or not an SQLite database");
    case SQLITE_CANTOPEN:
      break;
    case SQLITE_IOERR:
      return Error::Unavailable("The file cannot be read: check the disk");
    case SQLITE_SCHEMA:
      return Error::Unavailable("The tables are being changed: try again");
    default:
      return Error::Internal("The database refused the statement; the log has the reason");
  }
  return Error::Unavailable(
      "The file, or what SQLite keeps beside it, cannot be opened. A database in WAL mode needs a "
      "directory this user may write, or ?immutable=1 in its URL if it never changes");
}

}  // namespace toolpost::db
