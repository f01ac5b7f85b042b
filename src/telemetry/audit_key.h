// The key of an audit log: 32 random bytes in `audit.key`, made once per directory. Whoever reads
// it can forge the log.
#pragma once

#include <optional>
#include <string>

#include "toolpost/result.h"

namespace toolpost::telemetry {

// One key per purpose, derived, so that no value signed for one can serve as another.
struct AuditKeys {
  std::string chain;      // records
  std::string sign;       // heads of segments, states of writers, header of the index
  std::string index;      // events of the index
  std::string arguments;  // digests of arguments

  static AuditKeys Derive(const std::string& secret);
};

// Nothing if there is no key. An unreadable or malformed key is an error: a new one would disown
// the whole log.
Result<std::optional<AuditKeys>> LoadAuditKeys(const std::string& directory);
// Creates directory and key when there is none. Takes the directory's lock.
Result<AuditKeys> LoadOrMakeAuditKeys(const std::string& directory);

}  // namespace toolpost::telemetry
