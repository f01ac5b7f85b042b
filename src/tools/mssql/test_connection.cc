// mssql/TestConnection.
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/mssql/connection_fields.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/posture_view.h"

namespace toolpost::tools::mssql {
namespace {

struct Args : ConnectionFields {
  std::optional<std::string> name;
  static constexpr auto Fields() {
    return std::tuple_cat(
        ConnectionFieldsOf<Args>(),
        std::tuple{
            Opt("name", &Args::name, "Or: a stored connection.").MinLength(1).MaxLength(100)});
  }
};

Result<ConnectedView> Run(const MssqlServices& services, const Args& args, CallContext& context) {
  if (args.name.has_value() == IsGiven(args)) {
    return Error::InvalidParams(
        "Give either name, of a stored connection, or connectionString, or host and the fields "
        "beside it");
  }
  std::shared_ptr<db::SqlServer> server;
  if (args.name) {
    ASSIGN_OR_RETURN(server, services.connections->Use(*args.name, context.principal()));
  } else {
    ASSIGN_OR_RETURN(const std::string text, ConnectionStringOf(services, args));
    ASSIGN_OR_RETURN(server, services.connections->Open(text));
  }
  ASSIGN_OR_RETURN(ConnectedView view,
                   Ask(*server, DeadlineOf(services, context), context.stop_token()));
  view.connection_name = args.name;
  view.message = "The connection works.";
  return view;
}

}  // namespace

Tool TestConnectionTool(MssqlServices services) {
  ToolInfo info = InfoOf("TestConnection", "mssql_test_connection", "Test connection",
                         "Connects to a SQL Server; nothing is stored.");
  info.toolset = kManagement;
  info.permissions = {"connections"};
  Tool tool = ReadingTool(std::move(info), std::move(services), Run);
  tool.info.hints.open_world = true;
  tool.unwrap_request = true;
  tool.connections = [](const JsonObject& arguments) {
    const Json* name = arguments.if_contains("name");
    return name == nullptr ? std::vector<std::string>()
                           : std::vector<std::string>{std::string(name->as_string())};
  };
  return tool;
}

}  // namespace toolpost::tools::mssql
