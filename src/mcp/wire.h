// JSON-RPC 2.0 messages as they go out. Ids are JSON texts, members are serialised object members
// without braces.
#pragma once

#include <string>
#include <string_view>

#include "base/long_message.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::mcp {

// `"name":` + value, with a comma before it when `out` does not start an object.
void AppendMember(std::string& out, std::string_view name, std::string_view text);
void AppendMember(std::string& out, std::string_view name, const Json& value);
void AppendRawMember(std::string& out, std::string_view name, std::string_view json);

std::string ResultMessage(std::string_view id, std::string_view members);
// The same, in the memory of `members` if they are large.
std::string ResultMessage(std::string_view id, std::string&& members);
base::LongMessage LongResultMessage(std::string_view id, base::LongMessage members);
// Without an id the member is left out (unreadable request).
std::string ErrorMessage(std::string_view id, int code, std::string_view message,
                         const Json& data = {});
std::string NotificationMessage(std::string_view method, std::string_view params_members = {});
std::string RequestMessage(std::string_view id, std::string_view method, const JsonObject& params);

// The error of a legacy session, the controller or a modern request, with the number its era uses.
std::string LegacyErrorMessage(std::string_view id, const Error& error);
std::string ModernErrorMessage(std::string_view id, const Error& error);

}  // namespace toolpost::mcp
