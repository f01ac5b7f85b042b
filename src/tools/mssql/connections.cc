// Names, pools and the store behind them.
#include "tools/mssql/connections.h"

#include <algorithm>
#include <utility>

#include "auth/policy.h"
#include "base/crypto.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "base/log.h"
#include "base/strings.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kKind = "connection";
constexpr std::chrono::minutes kNoteEvery{1};
constexpr std::size_t kLongestName = 256;

std::string DigestOf(std::string_view text) {
  const base::Sha256Digest digest = base::Sha256(text);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Names that stores cannot hold are not asked for: mssql-query passes on whatever it gets.
bool CouldBeName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

bool Matches(const std::string& pattern, const std::string& host) {
  if (pattern == "*") return true;
  if (!pattern.starts_with("*.")) return pattern == host;
  return host.size() > pattern.size() - 1 && host.ends_with(pattern.substr(1));
}

ConnectionView ViewOf(const store::SecretInfo& secret) {
  ConnectionView view;
  view.name = secret.name;
  const Result<Json> details = base::ParseJson(secret.details);
  if (!details || !details->is_object()) return view;
  const auto text = [&](std::string_view name) {
    const Json* value = details->get_object().if_contains(name);
    return value == nullptr || !value->is_string() ? std::string()
                                                   : std::string(value->get_string());
  };
  view.description = text("description");
  view.created_on = text("createdOn");
  view.last_used = text("lastUsed");
  return view;
}

std::string DetailsOf(const ConnectionView& view) {
  JsonObject details;
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) details[name] = text;
  };
  add("description", view.description);
  add("createdOn", view.created_on);
  add("lastUsed", view.last_used);
  return base::ToJson(details);
}

Error InConfiguration(std::string_view name) {
  return {Code::kConflict,
          base::StrCat("The connection ", name,
                       " stands in the configuration of this server: change it there"),
          {}};
}

Error Taken(std::string_view name) {
  return {Code::kConflict,
          base::StrCat("There is a connection ", name, " already: UpdateConnection changes it"),
          {}};
}

}  // namespace

Connections::Connections(ConnectionsOptions options) : options_(std::move(options)) {}

Result<std::shared_ptr<db::SqlServer>> Connections::Pooled(std::string_view name,
                                                           std::string_view connection_string,
                                                           bool of_caller) {
  // Those of the configuration stay what they are.
  const std::string digest = of_caller ? DigestOf(connection_string) : "";
  {
    const std::lock_guard lock(mutex_);
    const auto found = opened_.find(name);
    if (found != opened_.end() && found->second.connection_string_digest == digest)
      return found->second.server;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<db::SqlServer> server, OpenWith(connection_string, of_caller));
  const std::lock_guard lock(mutex_);
  Opened& kept = opened_[std::string(name)];
  // Somebody else may have been faster. What is not kept ends after the lock, as it disconnects.
  if (kept.server == nullptr || kept.connection_string_digest != digest) {
    std::swap(kept.server, server);
    kept.connection_string_digest = digest;
  }
  return kept.server;
}

Result<std::shared_ptr<db::SqlServer>> Connections::Find(std::string_view name) {
  if (const auto found = options_.configured.find(name); found != options_.configured.end())
    return Pooled(name, found->second, false);
  if (!CouldBeName(name)) return std::shared_ptr<db::SqlServer>();
  ASSIGN_OR_RETURN(std::optional<std::string> stored, options_.vault->Get(kKind, name));
  if (stored) {
    Result<std::shared_ptr<db::SqlServer>> server = Pooled(name, *stored, true);
    base::Wipe(*stored);
    if (server) NoteUse(name);
    return server;
  }
  Forget(name);
  return std::shared_ptr<db::SqlServer>();
}

void Connections::Forget(std::string_view name) {
  decltype(opened_)::node_type gone;  // ends after the lock, as it disconnects
  const std::lock_guard lock(mutex_);
  if (const auto found = opened_.find(name); found != opened_.end()) gone = opened_.extract(found);
}

Result<std::shared_ptr<db::SqlServer>> Connections::Use(std::string_view name,
                                                        const Principal& principal) {
  // Refused before it is looked up: whether there is one is not for everybody to know.
  if (auto refused = auth::ConnectionRefusal(principal, name)) return *std::move(refused);
  ASSIGN_OR_RETURN(std::shared_ptr<db::SqlServer> server, Find(name));
  if (server == nullptr) return Unknown(name, principal);
  return server;
}

Error Connections::Unknown(std::string_view name, const Principal& principal) {
  std::vector<std::string> names;
  if (const auto known = List(principal)) {
    for (const ConnectionView& view : *known) names.push_back(view.name);
  }
  return Error::NotFound(base::StrCat(
      "There is no connection ", name.substr(0, 100), ": ",
      names.empty() ? "none is stored yet" : base::StrCat("there are ", base::Join(names, ", ")),
      ". AddConnection stores one"));
}

Result<void> Connections::MayWrite(std::string_view name, const Principal& principal) const {
  const auto denied = [](std::string message) {
    return Error{Code::kPermissionDenied, std::move(message), {}};
  };
  if (std::ranges::find(options_.write_connections, name) == options_.write_connections.end()) {
    return denied(base::StrCat("The connection ", name.substr(0, 100),
                               " is for reading only; mssql.write_connections of the configuration "
                               "lists those that are not"));
  }
  if (!principal.credential) return {};
  const Grants& grants = principal.credential->grants;
  if (grants.read_only || std::ranges::find(grants.scopes, "write") == grants.scopes.end())
    return denied("This credential may only read: changes need one with the scope \"write\"");
  return {};
}

Result<std::vector<ConnectionView>> Connections::List(const Principal& principal) {
  std::map<std::string, ConnectionView> views;
  ASSIGN_OR_RETURN(const auto secrets, options_.vault->List(kKind));
  for (const store::SecretInfo& secret : secrets) views[secret.name] = ViewOf(secret);
  for (const auto& [name, secret] : options_.configured)
    views[name] = {
        .name = name, .description = "", .configured = true, .created_on = "", .last_used = ""};
  std::vector<ConnectionView> allowed;
  for (auto& [name, view] : views) {
    if (!auth::ConnectionRefusal(principal, name)) allowed.push_back(std::move(view));
  }
  return allowed;
}

std::vector<std::pair<std::string, db::PoolStatus>> Connections::Pools() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, db::PoolStatus>> pools;
  for (const auto& [name, opened] : opened_) pools.emplace_back(name, opened.server->Status());
  return pools;
}

Result<std::optional<store::SecretInfo>> Connections::Stored(std::string_view name) {
  ASSIGN_OR_RETURN(auto secrets, options_.vault->List(kKind));
  for (store::SecretInfo& secret : secrets) {
    if (secret.name == name) return std::optional(std::move(secret));
  }
  return std::optional<store::SecretInfo>();
}

void Connections::NoteUse(std::string_view name) {
  const base::WallTime now = base::Now();
  {
    const std::lock_guard lock(mutex_);
    const auto found = opened_.find(name);
    if (found == opened_.end() || now - found->second.noted < kNoteEvery) return;
    found->second.noted = now;
  }
  const Result<void> noted =
      options_.vault->SetDetails(kKind, name, [&](const store::SecretInfo* there) {
        ConnectionView view = ViewOf(*there);
        view.last_used = base::ToIso8601(now);
        return Result<std::string>(DetailsOf(view));
      });
  // Nobody's query fails because of it.
  if (!noted)
    base::Log(base::Severity::kWarning, "use of a connection not noted",
              {{"connection", name}, {"detail", noted.error().message}});
}

bool Connections::IsListed(std::string_view host) const {
  const std::string wanted = base::ToLower(host);
  return std::ranges::any_of(options_.allow_hosts, [&](const std::string& pattern) {
    return Matches(base::ToLower(pattern), wanted);
  });
}

Result<void> Connections::CheckListed(std::string_view host) const {
  if (IsListed(host)) return {};
  return Error{Code::kPermissionDenied,
               "passwordFile is for servers that mssql.allow_hosts of the configuration lists, so "
               "that nobody can have the password sent elsewhere: list the host there, or give "
               "the password itself",
               {}};
}

Result<void> Connections::CheckHost(std::string_view host) const {
  const bool local_only = !options_.on_network || !options_.on_network();
  if ((options_.allow_hosts.empty() && local_only) || IsListed(host)) return {};
  return Error{Code::kPermissionDenied,
               "The server of this connection string is not among those that connections may lead "
               "to: mssql.allow_hosts of the configuration lists them",
               {}};
}

Result<std::shared_ptr<db::SqlServer>> Connections::OpenWith(std::string_view connection_string,
                                                             bool of_caller) const {
  ASSIGN_OR_RETURN(const db::SqlServerLogin login, db::ParseSqlServerLogin(connection_string));
  if (of_caller) RETURN_IF_ERROR(CheckHost(login.host));
  return options_.open(login);
}

Result<std::shared_ptr<db::SqlServer>> Connections::Open(std::string_view connection_string) const {
  return OpenWith(connection_string, true);
}

Result<void> Connections::CheckFree(std::string_view name) {
  if (options_.configured.contains(name)) return InConfiguration(name);
  ASSIGN_OR_RETURN(const auto stored, Stored(name));
  if (stored) return Taken(name);
  return {};
}

Result<std::string> Connections::CheckStored(std::string_view name) {
  if (options_.configured.contains(name)) return InConfiguration(name);
  ASSIGN_OR_RETURN(const auto stored, Stored(name));
  if (stored) return stored->version;
  return Unknown(name, {});
}

Result<void> Connections::Add(std::string_view name, std::string_view connection_string,
                              std::string_view description) {
  if (options_.configured.contains(name)) return InConfiguration(name);
  ConnectionView view;
  view.description = description;
  view.created_on = base::ToIso8601(base::Now());
  return options_.vault->Put(kKind, name, connection_string,
                             [&](const store::SecretInfo* there) -> Result<std::string> {
                               if (there != nullptr) return Taken(name);
                               return DetailsOf(view);
                             });
}

Result<void> Connections::Update(std::string_view name, std::string_view connection_string,
                                 const std::optional<std::string>& description,
                                 std::string_view version) {
  return options_.vault->Put(
      kKind, name, connection_string, [&](const store::SecretInfo* there) -> Result<std::string> {
        if (there == nullptr) {
          return Error::NotFound(base::StrCat("The connection ", name,
                                              " was removed meanwhile: AddConnection stores it"));
        }
        if (there->version != version) {
          return Error{Code::kConflict,
                       base::StrCat("The connection ", name,
                                    " was changed by somebody else meanwhile, and stays as it is "
                                    "now: look at it with TestConnection, then try again"),
                       {}};
        }
        ConnectionView view = ViewOf(*there);
        if (description) view.description = *description;
        return DetailsOf(view);
      });
}

Result<void> Connections::Remove(std::string_view name) {
  RETURN_IF_ERROR(CheckStored(name));
  ASSIGN_OR_RETURN(const bool removed, options_.vault->Remove(kKind, name));
  Forget(name);
  if (!removed) return Error::NotFound(base::StrCat("There is no connection ", name, " any more"));
  return {};
}

}  // namespace toolpost::tools::mssql
