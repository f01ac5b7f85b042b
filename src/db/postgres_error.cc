// SQLSTATEs as errors.
#include "db/postgres_error.h"

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

Error Translate(std::string_view state) {
  if (state.starts_with("23")) {
    return {Code::kConflict, "The change contradicts what is already stored", {}};
  }
  if (LostConnection(state)) {
    return Error::Unavailable("The connection to PostgreSQL was lost: try again");
  }
  if (LostRace(state) || state == "55P03") {
    return Error::Unavailable("Others were changing the same rows for too long: try again");
  }
  if (state == "57014") {
    return {Code::kTimeout, "PostgreSQL took too long to answer: try again", {}};
  }
  if (state.starts_with("53")) {
    return Error::Unavailable("PostgreSQL is out of connections, memory or disk: try again later");
  }
  if (state == "25006") {
    return Error::Unavailable("PostgreSQL is read-only now (a standby?): name the primary server");
  }
  if (state == "42501") {
    return Error::Internal("The PostgreSQL role lacks a privilege; the log says which");
  }
  return Error::Internal("The database refused the statement; the log has the reason");
}

}  // namespace

bool LostRace(std::string_view state) { return state == "40001" || state == "40P01"; }

bool LostConnection(std::string_view state) {
  return state.starts_with("08") || state == "57P01" || state == "57P02" || state == "57P03" ||
         state == "57P05";
}

Error PostgresError(std::string_view state, std::string_view primary_message) {
  // Data exceptions quote the offending value.
  const std::string_view detail = state.starts_with("22") ? "a value was refused" : primary_message;
  base::Log(base::Severity::kWarning, "postgresql error", {{"state", state}, {"detail", detail}});
  return Translate(state);
}

}  // namespace toolpost::db
