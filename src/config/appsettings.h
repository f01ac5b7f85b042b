// The settings of the .NET server this one replaces: ASP.NET's appsettings.json.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "toolpost/result.h"

namespace toolpost::config {

struct AppSettings {
  std::string api_key;                                          // ApiSecurity:ApiKey; empty: none
  std::map<std::string, std::string, std::less<>> connections;  // ConnectionStrings
};

// Reads as ASP.NET does: comments and trailing commas are allowed, names are compared without case,
// `"ApiSecurity:ApiKey"` is the same as the nested form. Everything else in the file is not looked
// at. `name` is what messages call the file; no value is in any of them. Code::kInvalidArgument for
// text that is not JSON, a name given twice, and values that are not strings.
Result<AppSettings> ParseAppSettings(std::string_view text, std::string_view name);

}  // namespace toolpost::config
