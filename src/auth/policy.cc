// Scopes, lists and flags of a credential against a tool.
#include "auth/policy.h"

#include <algorithm>

#include "base/clock.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

bool Contains(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

Error Denied(std::string message) { return {Code::kPermissionDenied, std::move(message), {}}; }

Error MissingScope(std::string_view what, std::string_view scope) {
  return {Code::kPermissionDenied,
          base::StrCat("Permission denied: ", what, " needs the scope \"", scope,
                       "\", which this credential does not have"),
          JsonObject{{"scope", scope}}};
}

// The first scope of `needed` the credential lacks; empty if none.
std::string_view MissingScopeOf(const Grants& grants, const std::vector<std::string>& needed) {
  for (const std::string& scope : needed) {
    if (!Contains(grants.scopes, scope)) return scope;
  }
  return {};
}

bool ToolListed(const Grants& grants, const ToolInfo& info) {
  if (!grants.tools && !grants.toolsets) return true;
  return (grants.tools && Contains(*grants.tools, info.name)) ||
         (grants.toolsets && Contains(*grants.toolsets, info.toolset));
}

std::optional<Error> Ended(const Credential& credential) {
  if (credential.revoked.load(std::memory_order_relaxed))
    return Error{Code::kUnauthenticated, "The credential was revoked", {}};
  if (credential.expires <= base::Now())
    return Error{Code::kUnauthenticated, "The credential has expired", {}};
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& AllScopes() {
  static const std::vector<std::string> kScopes = {"read", "write", "shell", "connections",
                                                   "admin"};
  return kScopes;
}

bool IsScope(std::string_view name) { return Contains(AllScopes(), name); }

std::vector<std::string> ScopesOf(const ToolInfo& info) {
  if (!info.permissions.empty()) return info.permissions;
  return {info.hints.read_only == true ? "read" : "write"};
}

bool MayCall(const Credential& credential, const ToolInfo& info) {
  const Grants& grants = credential.grants;
  return (!grants.read_only || info.hints.read_only == true) && ToolListed(grants, info) &&
         MissingScopeOf(grants, info.permissions).empty();
}

std::optional<Error> Refusal(const Principal& principal, const ToolInfo& info) {
  if (!principal.credential) return std::nullopt;
  if (auto ended = Ended(*principal.credential)) return ended;
  const Grants& grants = principal.credential->grants;
  if (const std::string_view scope = MissingScopeOf(grants, info.permissions); !scope.empty())
    return MissingScope(info.name, scope);
  if (grants.read_only && info.hints.read_only != true) {
    return Denied(base::StrCat("Permission denied: this credential is read-only and ", info.name,
                               " changes things"));
  }
  if (!ToolListed(grants, info)) {
    return Denied(
        base::StrCat("Permission denied: this credential's tools do not include ", info.name));
  }
  return std::nullopt;
}

bool IsAdministrator(const Principal& principal) {
  if (!principal.credential) return true;
  return !Ended(*principal.credential) && Contains(principal.credential->grants.scopes, "admin");
}

std::optional<Error> EndedRefusal(const Principal& principal) {
  return principal.credential ? Ended(*principal.credential) : std::nullopt;
}

std::optional<Error> ConnectionRefusal(const Principal& principal, std::string_view connection) {
  if (!principal.credential) return std::nullopt;
  const auto& allowed = principal.credential->grants.connections;
  if (!allowed || Contains(*allowed, connection)) return std::nullopt;
  return Denied(base::StrCat("Permission denied: this credential's connections do not include \"",
                             connection, "\""));
}

std::optional<Error> ReadRefusal(const Principal& principal) {
  if (!principal.credential) return std::nullopt;
  if (auto ended = Ended(*principal.credential)) return ended;
  if (Contains(principal.credential->grants.scopes, "read")) return std::nullopt;
  return MissingScope("reading", "read");
}

}  // namespace toolpost::auth
