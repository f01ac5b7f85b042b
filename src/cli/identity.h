// Who may do what in this process, assembled from the configuration: the store with its keys and
// secrets, authentication, audit.
#pragma once

#include <memory>
#include <string>

#include "auth/authenticator.h"
#include "auth/key_ring.h"
#include "config/config.h"
#include "mcp/vitals.h"
#include "store/usage_log.h"
#include "store/vault.h"
#include "telemetry/audit_log.h"
#include "toolpost/server.h"
#include "tools/keys/keys.h"
#include "tools/todo/todo.h"

namespace toolpost::cli {

// Shared by the tools and doors of one server, and must outlive it. Nothing is opened or written
// before it is needed.
class Identity {
 public:
  // Reads key files of the configuration; opens nothing else.
  static Result<std::unique_ptr<Identity>> Make(const config::Config& config);
  ~Identity();  // writes what still waits

  // For `serve`: takes the state directory, checks the vault's key, loads the API keys, makes the
  // local token where nothing else authenticates, and gives the server its front door.
  Result<void> ForServing(Server& server);
  // For stdio: the principal of TOOLPOST_TOKEN (`token`; empty: none given). Without authentication
  // in the configuration and without a token it is the local user.
  Result<void> ForStdio(Server& server, const std::string& token);

  // Audits the calls of a server and counts the use of keys; part of the two above.
  void Observe(Server& server);

  tools::keys::KeyServices key_services() const;
  // Where connections are sealed.
  const std::shared_ptr<store::Vault>& vault() const { return vault_; }
  tools::todo::TodoServices todo_services() const { return {store_, users_}; }
  // Where the local token lies; empty when there is none.
  const std::string& local_token_file() const { return local_token_file_; }

 private:
  Identity(const config::Config& config, store::KeyMaterial vault_key);
  Result<void> OpenKeySources();
  Result<std::shared_ptr<auth::Authenticator>> MakeAuthenticator(bool required);
  Result<void> MakeLocalToken();
  // Writes down when sessions and tools come and go.
  void AuditEvents(Server& server) const;
  void AddVitals(mcp::Vitals& vitals) const;

  const config::Config config_;
  const std::shared_ptr<store::Store> store_;
  const std::shared_ptr<auth::KeyRing> ring_;
  const std::shared_ptr<store::UsageLog> usage_;
  const std::shared_ptr<store::Users> users_;
  const std::shared_ptr<store::Vault> vault_;
  const std::shared_ptr<telemetry::AuditLog> audit_;  // null: off
  const std::string resource_;  // canonical URL of this server; empty: no OAuth metadata
  std::shared_ptr<auth::KeySource> jwt_keys_;
  std::string local_token_;
  std::string local_token_file_;
};

}  // namespace toolpost::cli
