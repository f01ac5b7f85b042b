// FreeTDS's configuration file, a private one.
//
// FreeTDS verifies the server's certificate only when its file names the authorities, and finds the
// file by the environment variable FREETDSCONF. Ours is in memory, holds no credentials, only
// grows, and replaces those of the machine and the user.
#pragma once

#include <string>

#include "toolpost/result.h"

namespace toolpost::db {

struct FreetdsSection {
  std::string host;
  bool encrypted = true;
  std::string authorities;  // a PEM file; empty: the certificate is not looked at

  bool operator==(const FreetdsSection&) const = default;
};

// The name of the section with these settings, to be used as `Servername`; adds it when it is new.
// The port is for the connection string, as that of a named instance may change. The first call
// sets FREETDSCONF. Code::kInvalidArgument for a host that the file cannot hold. Thread-safe.
Result<std::string> AddFreetdsSection(FreetdsSection section);

}  // namespace toolpost::db
