// The SQL Servers there are, by name: stored by AddConnection in the vault, or in the
// configuration.
//
// Nothing is opened and the vault is not touched before the first call that needs it. A pool lives
// as long as its connection string: when another process changes it, the next call notices. Of two
// that change a connection at the same time, in one process or in two, one succeeds and the other
// is told. Thread-safe; what asks the vault blocks.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "db/sql_server.h"
#include "store/vault.h"
#include "toolpost/context.h"
#include "toolpost/result.h"

namespace toolpost::tools::mssql {

inline constexpr std::string_view kDefaultConnection = "DefaultConnection";

struct ConnectionView {
  std::string name;
  std::string description;
  bool configured = false;  // in the configuration: no tool can change it
  std::string created_on;   // ISO 8601; empty: not known
  std::string last_used;    // to the minute; empty: not known
};

struct ConnectionsOptions {
  std::shared_ptr<store::Vault> vault;
  db::SqlServerFactory open;
  // Connection strings by name. One that is stored under the same name is not used.
  std::map<std::string, std::string, std::less<>> configured;
  // Hosts that connection strings of callers may name: "sql1.example", "*.example", "*".
  std::vector<std::string> allow_hosts;
  std::vector<std::string> write_connections;
  // Whether other machines can call; then an empty `allow_hosts` allows none.
  std::function<bool()> on_network;
};

class Connections {
 public:
  explicit Connections(ConnectionsOptions options);

  // The server behind a name; null when there is no such connection. Does not ask who wants it.
  Result<std::shared_ptr<db::SqlServer>> Find(std::string_view name);
  // One the caller may use. Code::kNotFound lists those there are for this caller and names
  // AddConnection; Code::kPermissionDenied for one that is not for them.
  Result<std::shared_ptr<db::SqlServer>> Use(std::string_view name, const Principal& principal);
  // Whether the connection and the caller both allow changes; Code::kPermissionDenied says which
  // does not.
  Result<void> MayWrite(std::string_view name, const Principal& principal) const;
  bool any_writes() const { return !options_.write_connections.empty(); }
  // Those the caller may use, by name. Decrypts nothing.
  Result<std::vector<ConnectionView>> List(const Principal& principal);
  // Those that were used, by name. Does not block.
  std::vector<std::pair<std::string, db::PoolStatus>> Pools() const;

  // A server for a caller's connection string. Code::kInvalidArgument: it cannot be read.
  // Code::kPermissionDenied: its host is not allowed.
  Result<std::shared_ptr<db::SqlServer>> Open(std::string_view connection_string) const;
  // Whether a password that the caller does not know may go to `host`: only when
  // `allow_hosts` lists it, otherwise Code::kPermissionDenied.
  Result<void> CheckListed(std::string_view host) const;
  // Code::kConflict: there is one already, or it stands in the configuration.
  Result<void> Add(std::string_view name, std::string_view connection_string,
                   std::string_view description);
  // Without a description the old one stays. `version` is what CheckStored() said. Code::kNotFound,
  // Code::kConflict: it stands in the configuration, or was changed since.
  Result<void> Update(std::string_view name, std::string_view connection_string,
                      const std::optional<std::string>& description, std::string_view version);
  Result<void> Remove(std::string_view name);
  // Whether Add would find the name free, and Update a connection, whose version it returns.
  Result<void> CheckFree(std::string_view name);
  Result<std::string> CheckStored(std::string_view name);

 private:
  struct Opened {
    std::string connection_string_digest;  // empty: of the configuration
    std::shared_ptr<db::SqlServer> server;
    base::WallTime noted;  // when lastUsed was written
  };

  Result<std::shared_ptr<db::SqlServer>> Pooled(std::string_view name,
                                                std::string_view connection_string, bool of_caller);
  // Ends the pool of that name, if there is one.
  void Forget(std::string_view name);
  Result<std::shared_ptr<db::SqlServer>> OpenWith(std::string_view connection_string,
                                                  bool of_caller) const;
  Result<std::optional<store::SecretInfo>> Stored(std::string_view name);
  Result<void> CheckHost(std::string_view host) const;
  bool IsListed(std::string_view host) const;
  Error Unknown(std::string_view name, const Principal& principal);
  void NoteUse(std::string_view name);

  const ConnectionsOptions options_;
  mutable std::mutex mutex_;
  std::map<std::string, Opened, std::less<>> opened_;
};

}  // namespace toolpost::tools::mssql
