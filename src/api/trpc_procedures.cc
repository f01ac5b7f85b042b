// The table.
#include "api/trpc_procedures.h"

#include <algorithm>
#include <array>

namespace toolpost::api {
namespace {

using enum TrpcKind;

// clang-format off
constexpr std::array kProcedures = {
    TrpcProcedure{"mcp.database.query", kMutation, "QueryResult", "database/query"},
    TrpcProcedure{"mcp.database.schema", kQuery, "TableSchema", "database/schema"},
    TrpcProcedure{"mcp.database.tables", kQuery, "TableList", "database/tables"},
    TrpcProcedure{"mcp.events", kSubscription, "ServerEvent", ""},
    TrpcProcedure{"mcp.executeTool", kMutation, "ExecutionResult", ""},
    TrpcProcedure{"mcp.file.delete", kMutation, "DeletionResult", "file/delete"},
    TrpcProcedure{"mcp.file.list", kQuery, "DirectoryListing", "file/list"},
    TrpcProcedure{"mcp.file.read", kQuery, "FileContent", "file/read"},
    TrpcProcedure{"mcp.file.write", kMutation, "FileMetadata", "file/write"},
    TrpcProcedure{"mcp.listTools", kQuery, "ToolList", "system/tools", true, "schemas"},
    TrpcProcedure{"mcp.shell.execute", kMutation, "ShellResult", "shell/execute"},
    TrpcProcedure{"mcp.status", kQuery, "HealthStatus", "system/health", false},
    TrpcProcedure{"mcp.web.fetch", kQuery, "PageContent", "web/fetch"},
    TrpcProcedure{"mcp.web.request", kMutation, "HttpResponse", "web/request"},
};
// clang-format on
static_assert(std::ranges::is_sorted(kProcedures, {}, &TrpcProcedure::path));

}  // namespace

std::string_view NameOf(TrpcKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"query", "mutation", "subscription"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const TrpcProcedure> TrpcProcedures() { return kProcedures; }

const TrpcProcedure* FindTrpcProcedure(std::string_view path) {
  const auto* found = std::ranges::lower_bound(kProcedures, path, {}, &TrpcProcedure::path);
  return found != kProcedures.end() && found->path == path ? found : nullptr;
}

}  // namespace toolpost::api
