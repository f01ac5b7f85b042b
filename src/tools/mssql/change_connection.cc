// mssql/AddConnection, mssql/UpdateConnection and mssql/RemoveConnection.
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "tools/done.h"
#include "tools/mssql/connection_fields.h"
#include "tools/mssql/definition.h"
#include "tools/mssql/posture_view.h"

namespace toolpost::tools::mssql {
namespace {

constexpr std::string_view kName = "^[A-Za-z0-9_.-]+$";

struct Args : ConnectionFields {
  std::string name;
  std::optional<std::string> description;
  bool test = true;
  static constexpr auto Fields() {
    return std::tuple_cat(
        std::tuple{Req("name", &Args::name, "Letters, digits, _ - .")
                       .MinLength(1)
                       .MaxLength(100)
                       .Pattern(kName)},
        ConnectionFieldsOf<Args>(),
        std::tuple{Opt("description", &Args::description, "What is in it.").MaxLength(500),
                   Opt("test", &Args::test, "Connect before it is stored.").Default(true)});
  }
};

struct NameArgs {
  std::string name;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &NameArgs::name, "Which.").MinLength(1).MaxLength(100)};
  }
};

// Reads the string, and connects with it if it is to be tested.
Result<void> Try(const MssqlServices& services, std::string_view connection_string, bool test,
                 CallContext& context) {
  ASSIGN_OR_RETURN(const auto server, services.connections->Open(connection_string));
  if (!test) return {};
  const Result<ConnectedView> connected =
      Ask(*server, DeadlineOf(services, context), context.stop_token());
  if (connected) return {};
  Error error = connected.error();
  error.message =
      base::StrCat("The connection was not stored, because a test of it failed: ", error.message,
                   ". With test=false it is stored untested");
  return error;
}

Result<Done> Add(const MssqlServices& services, const Args& args, CallContext& context) {
  RETURN_IF_ERROR(services.connections->CheckFree(args.name));
  ASSIGN_OR_RETURN(const std::string text, ConnectionStringOf(services, args));
  RETURN_IF_ERROR(Try(services, text, args.test, context));
  RETURN_IF_ERROR(services.connections->Add(args.name, text, args.description.value_or("")));
  return Done{true, base::StrCat("Connection ", args.name, " is stored.")};
}

Result<Done> Update(const MssqlServices& services, const Args& args, CallContext& context) {
  ASSIGN_OR_RETURN(const std::string version, services.connections->CheckStored(args.name));
  ASSIGN_OR_RETURN(const std::string text, ConnectionStringOf(services, args));
  RETURN_IF_ERROR(Try(services, text, args.test, context));
  RETURN_IF_ERROR(services.connections->Update(args.name, text, args.description, version));
  return Done{true, base::StrCat("Connection ", args.name, " is changed.")};
}

Result<Done> Remove(const MssqlServices& services, const NameArgs& args, CallContext&) {
  RETURN_IF_ERROR(services.connections->Remove(args.name));
  return Done{true, base::StrCat("Connection ", args.name, " is removed.")};
}

template <typename In>
Tool ChangeTool(ToolInfo info, Hints hints, MssqlServices services,
                Result<Done> (*run)(const MssqlServices&, const In&, CallContext&)) {
  info.toolset = kManagement;
  info.permissions = {"connections"};
  info.hints = hints;
  Tool tool = MakeTool<In, Done>(
      std::move(info), [run, services = std::move(services)](const In& in, CallContext& context) {
        return run(services, in, context);
      });
  tool.unwrap_request = true;
  // A credential for some connections manages no others.
  tool.connections = [](const JsonObject& arguments) {
    return std::vector<std::string>{std::string(arguments.at("name").as_string())};
  };
  return tool;
}

}  // namespace

Tool AddConnectionTool(MssqlServices services) {
  return ChangeTool(
      InfoOf("AddConnection", "mssql_add_connection", "Add connection",
             "Tests and stores a SQL Server connection, encrypted."),
      {.read_only = false, .destructive = false, .idempotent = false, .open_world = true},
      std::move(services), Add);
}

Tool UpdateConnectionTool(MssqlServices services) {
  return ChangeTool(
      InfoOf("UpdateConnection", "mssql_update_connection", "Update connection",
             "Tests and replaces a stored connection."),
      {.read_only = false, .destructive = true, .idempotent = true, .open_world = true},
      std::move(services), Update);
}

Tool RemoveConnectionTool(MssqlServices services) {
  return ChangeTool(
      InfoOf("RemoveConnection", "mssql_remove_connection", "Remove connection",
             "Removes a stored connection."),
      {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
      std::move(services), Remove);
}

}  // namespace toolpost::tools::mssql
