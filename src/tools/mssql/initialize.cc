// mssql/Initialize: not MCP's `initialize` (requirements D5).
#include <string>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/posture_view.h"

namespace toolpost::tools::mssql {
namespace {

struct Args {
  std::string connection_name;
  static constexpr auto Fields() { return std::tuple{ConnectionField<Args>()}; }
};

Result<ConnectedView> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const auto server,
                   services.connections->Use(args.connection_name, context.principal()));
  ASSIGN_OR_RETURN(ConnectedView view,
                   Ask(*server, DeadlineOf(services, context), context.stop_token()));
  view.connection_name = args.connection_name;
  view.message = base::StrCat("Connected to ", args.connection_name, ".");
  return view;
}

}  // namespace

Tool InitializeTool(MssqlServices services) {
  return ServerTool(InfoOf("Initialize", "mssql_initialize_connection", "Initialize connection",
                           "Connects to a SQL Server; says who the login is and what it may do."),
                    std::move(services), Run);
}

}  // namespace toolpost::tools::mssql
