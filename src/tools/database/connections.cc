// Opening and choosing databases.
#include "tools/database/connections.h"

#include <algorithm>
#include <utility>

#include "auth/policy.h"
#include "base/log.h"
#include "base/quiet_thread.h"
#include "base/strings.h"
#include "db/end_elsewhere.h"
#include "db/postgres_database.h"
#include "db/sqlite_database.h"

namespace toolpost::tools::database {
namespace {

constexpr std::string_view kDefault = "default";
constexpr int kDefaultConnections = 8;
constexpr std::size_t kShownPrivileges = 5;

Result<std::unique_ptr<db::Database>> Open(const std::string& url, int max_connections,
                                           const config::Config& config) {
  if (!url.starts_with("sqlite:")) {
    db::PostgresDatabaseOptions options;
    options.url = url;
    options.max_connections = max_connections;
    return db::OpenPostgresDatabase(options);
  }
  db::SqliteDatabaseOptions options;
  ASSIGN_OR_RETURN(options.source, db::ParseSqliteUrl(url));
  options.source.refused = {config.state.dir};
  options.max_connections = max_connections;
  return db::OpenSqliteDatabase(options);
}

Result<Connection> OpenSample() {
  db::SqliteDatabaseOptions options;
  options.sample = true;
  options.max_connections = kDefaultConnections;
  ASSIGN_OR_RETURN(std::unique_ptr<db::Database> database, db::OpenSqliteDatabase(options));
  return Connection{.name = "sample",
                    .description = "A made-up shop, offered because no database is configured.",
                    .accept_privileged = true,
                    .database = std::move(database),
                    .problem = {}};
}

std::shared_ptr<const Connection> Find(const Connections::List& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each->name == name; });
  return found == all.end() ? nullptr : *found;
}

Connections::List Shared(std::vector<Connection> all) {
  Connections::List shared;
  for (Connection& each : all) shared.push_back(std::make_shared<Connection>(std::move(each)));
  return shared;
}

Connection Described(const std::string& name, const config::Config::Connection& given,
                     const config::Config& config) {
  std::uint64_t most = given.max_connections;
  if (most == 0) most = config.database.max_connections;
  return {.name = name,
          .description = given.description,
          .accept_privileged = given.accept_privileged || config.database.accept_privileged,
          .database = nullptr,
          .problem = {},
          .url = given.url,
          .max_connections = most == 0 ? kDefaultConnections : static_cast<int>(most)};
}

// `present` lends the pools of what is opened in the same way.
Result<Connections::List> OpenAll(const config::Config& config, const Connections::List& present) {
  std::vector<Connection> all;
  for (const auto& [name, given] : config.connections) {
    Connection connection = Described(name, given, config);
    const auto known = Find(present, name);
    if (known != nullptr && known->database != nullptr && known->url == connection.url &&
        known->max_connections == connection.max_connections) {
      connection.database = known->database;
      all.push_back(std::move(connection));
      continue;
    }
    Result<std::unique_ptr<db::Database>> opened =
        Open(connection.url, connection.max_connections, config);
    if (opened) {
      connection.database = db::EndedElsewhere(*std::move(opened));
    } else if (opened.error().code == Code::kInvalidArgument) {
      return Error::InvalidParams(base::StrCat(given.where, ": the URL of the connection ", name,
                                               ": ", opened.error().message));
    } else {
      connection.problem = std::move(opened).error();
    }
    all.push_back(std::move(connection));
  }
  if (all.empty()) {
    ASSIGN_OR_RETURN(Connection sample, OpenSample());
    all.push_back(std::move(sample));
  }
  return Shared(std::move(all));
}

bool NeedsCheck(const Connection& connection) {
  if (connection.database == nullptr) return false;
  const db::DatabaseStatus status = connection.database->Status();
  const bool never_opened = status.open == 0 && !connection.url.empty();
  return !status.reachable || never_opened ||
         (!status.privileges_known && !connection.accept_privileged);
}

std::string TooMuch(const std::vector<std::string>& privileges) {
  return base::StrCat("the account could do more than read (", Listed(privileges),
                      "); `toolpost database setup-sql` creates one that cannot");
}

void Check(const Connection& connection, const std::stop_token& stop) {
  const bool was_reachable = connection.database->Status().reachable;
  const Result<void> checked = connection.database->Check({.stop = stop});
  const std::vector<std::string> privileges = connection.database->Status().privileges;
  std::string reason;
  if (!checked && was_reachable) reason = checked.error().message;
  if (checked && !privileges.empty() && !connection.accept_privileged) reason = TooMuch(privileges);
  if (reason.empty() || stop.stop_requested()) return;
  base::Log(
      base::Severity::kWarning, "a database needs a look",
      {{"connection", std::string_view(connection.name)}, {"reason", std::string_view(reason)}});
}

}  // namespace

std::string Listed(const std::vector<std::string>& privileges) {
  std::vector<std::string> shown(
      privileges.begin(), privileges.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min(privileges.size(), kShownPrivileges)));
  if (privileges.size() > kShownPrivileges) shown.emplace_back("…");
  return base::Join(shown, ", ");
}

Connections::Connections(std::vector<Connection> all, std::function<bool()> on_network)
    : Connections(Shared(std::move(all)), std::move(on_network)) {}

Connections::Connections(List all, std::function<bool()> on_network)
    : all_(std::make_shared<const List>(std::move(all))), on_network_(std::move(on_network)) {}

Connections::~Connections() {
  stop_checking_.request_stop();
  if (checker_.joinable()) checker_.join();
}

Result<std::shared_ptr<Connections>> Connections::Make(const config::Config& config,
                                                       std::function<bool()> on_network) {
  ASSIGN_OR_RETURN(List all, OpenAll(config, {}));
  return std::shared_ptr<Connections>(new Connections(std::move(all), std::move(on_network)));
}

Result<Connections::List> Connections::Follow(const config::Config& config) const {
  return OpenAll(config, *all());
}

void Connections::Replace(List next) {
  auto list = std::make_shared<const List>(std::move(next));
  const std::lock_guard lock(mutex_);
  all_.swap(list);  // what nobody uses any more is closed without the lock
}

std::shared_ptr<const Connections::List> Connections::all() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

std::string Connections::Resolve(std::string_view name) const {
  if (!name.empty()) return std::string(name);
  const auto all = this->all();
  if (Find(*all, kDefault) != nullptr) return std::string(kDefault);
  return all->size() == 1 ? all->front()->name : std::string();
}

Connections::List Connections::For(const Principal& principal) const {
  List allowed = *all();
  std::erase_if(allowed, [&](const auto& each) {
    return auth::ConnectionRefusal(principal, each->name).has_value();
  });
  return allowed;
}

Result<std::shared_ptr<db::Database>> Connections::Use(std::string_view name,
                                                       const Principal& principal,
                                                       const db::Patience& patience) const {
  const std::string wanted = Resolve(name);
  // Refused before it is looked up: whether there is one is not for everybody to know.
  if (!wanted.empty()) {
    if (auto refused = auth::ConnectionRefusal(principal, wanted)) return *std::move(refused);
  }
  const auto found = wanted.empty() ? nullptr : Find(*all(), wanted);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const auto& each : For(principal)) names.push_back(each->name);
    return Error::NotFound(base::StrCat(
        wanted.empty() ? "Say which connection: "
                       : base::StrCat("There is no connection ", wanted.substr(0, 100), ": "),
        names.empty() ? "none is open to you"
                      : base::StrCat("there are ", base::Join(names, ", "))));
  }
  if (found->database == nullptr) return found->problem;
  RETURN_IF_ERROR(CheckAccount(*found, patience));
  return found->database;
}

Result<void> Connections::CheckAccount(const Connection& connection,
                                       const db::Patience& patience) const {
  if (connection.accept_privileged || !on_network_ || !on_network_()) return {};
  db::DatabaseStatus status = connection.database->Status();
  // Each call asks for itself until one has the answer: that others are connected tells nothing.
  if (!status.privileges_known) {
    RETURN_IF_ERROR(connection.database->Check(patience));
    status = connection.database->Status();
  }
  if (!status.privileges_known) {
    return Error::Unavailable(base::StrCat("What the account of the connection ", connection.name,
                                           " may do is not known yet: try again"));
  }
  if (status.privileges.empty()) return {};
  return Error{Code::kPermissionDenied,
               base::StrCat("The account of the connection ", connection.name,
                            " could do more than read (", Listed(status.privileges),
                            "), and other machines can call this server. Use the account that "
                            "`toolpost database setup-sql` creates, or set accept_privileged"),
               {}};
}

void Connections::CheckAccounts() {
  const std::lock_guard lock(checker_mutex_);
  if (checking_.exchange(true)) return;
  if (checker_.joinable()) checker_.join();
  checker_ = base::StartQuietThread([this] {
    const auto all = this->all();
    for (const auto& each : *all) {
      if (NeedsCheck(*each)) Check(*each, stop_checking_.get_token());
    }
    checking_ = false;
  });
  if (!checker_.joinable()) checking_ = false;
}

std::vector<std::string> Connections::Warnings(const Principal& principal) {
  std::vector<std::string> warnings;
  for (const auto& each : For(principal)) {
    if (each->database == nullptr) {
      warnings.push_back(base::StrCat("database ", each->name, ": ", each->problem.message));
      continue;
    }
    const db::DatabaseStatus status = each->database->Status();
    if (!status.problem.empty())
      warnings.push_back(base::StrCat("database ", each->name, ": ", status.problem));
    if (!status.privileges.empty() && !each->accept_privileged) {
      warnings.push_back(base::StrCat("database ", each->name, ": ", TooMuch(status.privileges)));
    }
    if (!NeedsCheck(*each)) continue;
    CheckAccounts();
    if (status.reachable && !status.privileges_known && !each->accept_privileged) {
      warnings.push_back(base::StrCat("database ", each->name,
                                      ": what its account may do is not known yet: look again"));
    }
  }
  return warnings;
}

}  // namespace toolpost::tools::database
