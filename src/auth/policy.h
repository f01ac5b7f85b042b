// Who may call what. Pure functions on the principal and the tool; the gate asks them, so every
// door obeys.
//
// A principal without a credential is this process itself or the local user and may do everything.
// For all others every restriction must agree: scopes, read-only flag, allowed tools and toolsets,
// connections. Nothing ever widens.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "toolpost/context.h"
#include "toolpost/result.h"
#include "toolpost/tool.h"

namespace toolpost::auth {

// The scopes tools may ask for (`ToolInfo::permissions`): read, write, shell, connections (manage
// them), admin (keys, vault, audit).
bool IsScope(std::string_view name);
const std::vector<std::string>& AllScopes();

// Scopes a tool needs: those it names, else `read` for tools that change nothing and `write` for
// the rest.
std::vector<std::string> ScopesOf(const ToolInfo& info);

// True if tools/list may show the tool to who presents this credential. `info.permissions` must be
// filled in.
bool MayCall(const Credential& credential, const ToolInfo& info);
// The same as an error that says what is missing: Code::kUnauthenticated when the credential was
// revoked or has expired since it was presented, Code::kPermissionDenied otherwise, with
// `data.scope` when a scope is missing.
std::optional<Error> Refusal(const Principal& principal, const ToolInfo& info);
// For everything else a caller may ask: Code::kUnauthenticated once the credential was revoked or
// has expired.
std::optional<Error> EndedRefusal(const Principal& principal);
// True if the principal may see how the server is run: the local user, the master key, and
// credentials with the scope `admin`.
bool IsAdministrator(const Principal& principal);
// For the connection a call resolved to.
std::optional<Error> ConnectionRefusal(const Principal& principal, std::string_view connection);
// For what is read outside tools: resources, prompts, completions.
std::optional<Error> ReadRefusal(const Principal& principal);

}  // namespace toolpost::auth
