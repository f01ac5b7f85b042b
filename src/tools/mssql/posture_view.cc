// Asking a server who we are.
#include "tools/mssql/posture_view.h"

#include <utility>

#include "tools/mssql/server_adapter.h"

namespace toolpost::tools::mssql {

Result<ConnectedView> Ask(db::SqlServer& server, std::chrono::steady_clock::time_point deadline,
                          std::stop_token stop) {
  const auto started = std::chrono::steady_clock::now();
  Result<db::SqlServerPosture> asked = server.Posture(deadline, std::move(stop));
  if (!asked) return Shown(std::move(asked).error());
  db::SqlServerPosture& posture = *asked;
  const auto elapsed = std::chrono::steady_clock::now() - started;
  ConnectedView view;
  view.server_version = std::move(posture.version);
  view.database = std::move(posture.database);
  view.login = std::move(posture.login);
  view.encrypted = posture.encrypted;
  view.certificate_verified = posture.certificate_verified;
  view.is_sysadmin = posture.sysadmin;
  view.posture = {.sysadmin = posture.sysadmin,
                  .can_write = posture.can_write,
                  .can_execute = posture.can_execute,
                  .writable = std::move(posture.writable),
                  .executable = std::move(posture.executable),
                  .database_read_only = posture.database_read_only,
                  .roles = std::move(posture.roles)};
  view.warnings = std::move(posture.warnings);
  view.latency_ms =
      static_cast<double>(std::chrono::round<std::chrono::microseconds>(elapsed).count()) / 1000.0;
  return view;
}

}  // namespace toolpost::tools::mssql
