// The tools that the configuration declares, kept as it says while it changes.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "config/config.h"
#include "toolpost/server.h"
#include "tools/database/database.h"

namespace toolpost::cli {

// One thread at a time.
class DeclaredTools {
 public:
  // Before the first Apply().
  void Use(tools::database::DatabaseServices services) { services_ = std::move(services); }

  // Makes the server offer exactly the declared tools of `config`. A name that another tool has, or
  // that is declared twice (x and custom/x), is refused before anything changes.
  Result<void> Apply(Server& server, const config::Config& config);

 private:
  bool Offers(const std::string& tool) const;

  tools::database::DatabaseServices services_;
  std::map<std::string, config::Config::DeclaredTool, std::less<>> offered_;
};

}  // namespace toolpost::cli
