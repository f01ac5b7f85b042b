// mssql/ListConnections.
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/mssql/definition.h"

namespace toolpost::tools::mssql {
namespace {

struct NoArgs {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct View {
  std::string name;
  std::optional<std::string> description;
  std::string server_type = "SqlServer";
  std::string source;
  std::optional<std::string> created_on;
  std::optional<std::string> last_used;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &View::name),
                      Opt("description", &View::description),
                      Req("serverType", &View::server_type),
                      Req("source", &View::source, "stored or configuration."),
                      Opt("createdOn", &View::created_on),
                      Opt("lastUsed", &View::last_used)};
  }
};

struct Out {
  bool success = true;
  std::vector<View> connections;
  std::int64_t count = 0;
  static constexpr auto Fields() {
    return std::tuple{Req("success", &Out::success), Req("connections", &Out::connections),
                      Req("count", &Out::count)};
  }
};

std::optional<std::string> Given(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

Result<Out> Run(const MssqlServices& services, const NoArgs&, CallContext& context) {
  ASSIGN_OR_RETURN(std::vector<ConnectionView> all,
                   services.connections->List(context.principal()));
  Out out;
  for (ConnectionView& each : all) {
    View& view = out.connections.emplace_back();
    view.name = std::move(each.name);
    view.description = Given(std::move(each.description));
    view.source = each.configured ? "configuration" : "stored";
    view.created_on = Given(std::move(each.created_on));
    view.last_used = Given(std::move(each.last_used));
  }
  out.count = static_cast<std::int64_t>(out.connections.size());
  return out;
}

}  // namespace

Tool ListConnectionsTool(MssqlServices services) {
  return ReadingTool(InfoOf("ListConnections", "mssql_list_connections", "List connections",
                            "Lists the SQL Server connections you may use, without their secrets."),
                     std::move(services), Run);
}

}  // namespace toolpost::tools::mssql
