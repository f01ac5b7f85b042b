// What the SQL Server tools have in common.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "toolpost/tool.h"
#include "tools/mssql/mssql.h"
#include "tools/reading_tool.h"

namespace toolpost::tools::mssql {

// Toolset of the tools that manage connections, which stdio offers only by name.
inline constexpr std::string_view kManagement = "connections";
inline constexpr std::string_view kConnectionHelp = "One of ListConnections.";
inline constexpr std::string_view kAnyName = "give one such as %order%, or leave it out for all";

// The argument that says which connection; arguments of tools inherit it.
template <typename Args>
constexpr auto ConnectionField() {
  return Opt("connectionName", &Args::connection_name, kConnectionHelp)
      .MinLength(1)
      .MaxLength(100)
      .Default(kDefaultConnection);
}

// The name as the controller document has it, and the alias of its successor. Titles are ours.
ToolInfo InfoOf(std::string_view name, std::string_view alias, std::string_view title,
                std::string_view description);
// The gate asks whether the caller may use what the argument `connectionName` leads to.
void UseConnectionName(Tool& tool);
// A tool that reads the server its argument `connectionName` leads to.
template <typename In, typename Out>
Tool ServerTool(ToolInfo info, MssqlServices services,
                Result<Out> (*run)(const MssqlServices&, const In&, CallContext&)) {
  Tool tool = ReadingTool(std::move(info), std::move(services), run);
  UseConnectionName(tool);
  return tool;
}

// Code::kInvalidArgument for nothing but blanks, which SQL Server takes for an empty text: `advice`
// says what to do instead. An empty one was not given.
Result<void> CheckNotBlank(std::string_view argument, std::string_view text,
                           std::string_view advice);

std::chrono::steady_clock::time_point DeadlineOf(const MssqlServices& services,
                                                 const CallContext& context);
// The reply of a tool whose text is a sentence (document 004). Clients of revisions without
// structured content get the data as text instead.
Output WithSentence(Json structured, std::string_view sentence, const CallContext& context);

}  // namespace toolpost::tools::mssql
