// Settings below a name that the operator chooses: `database.NAME.url`, `tool.NAME.statement`.
//
// They stand in the file only, in tables such as `[database.sales]`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/value.h"
#include "toolpost/result.h"

namespace toolpost::config {

// Sections that may hold tables: `database` and `tool`.
bool HasNames(std::string_view section);
// True for `database.NAME.KEY` and `tool.NAME.KEY…`.
bool IsNamedKey(std::string_view key);

// Stores the value. `where` is the place in the file. Code::kInvalidArgument for an unknown key and
// for a value of a wrong kind: "tool.x.limit must be …".
Result<void> SetNamed(std::string_view key, const Value& value, std::string_view where,
                      Config& config);

// After all layers: reads `url_file`s and checks that every connection and tool is complete. The
// connection `default` comes from `database.url`. Relative files are below `directory`.
Result<void> FinishNamed(std::string_view directory, Config& config);

// For RenderDocs().
std::string_view NamedDocs();

}  // namespace toolpost::config
