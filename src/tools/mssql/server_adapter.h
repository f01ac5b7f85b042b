// The adapter of a stored connection: mssql-query on a real server, which it can only read.
#pragma once

#include <memory>

#include "db/sql_server.h"
#include "toolpost/context.h"
#include "tools/mssql/adapter.h"

namespace toolpost::tools::mssql {

struct ServerAdapterLimits {
  std::size_t max_rows = 0;
  std::size_t max_cell = 0;
  std::size_t characters = 0;
};

// For one call.
class ServerAdapter : public MssqlAdapter {
 public:
  ServerAdapter(std::shared_ptr<db::SqlServer> server, ServerAdapterLimits limits,
                CallContext& context);
  Result<JsonArray> Execute(const AdapterRequest& request) override;

 private:
  const std::shared_ptr<db::SqlServer> server_;
  const ServerAdapterLimits limits_;
  CallContext& context_;
};

// An error of a server as mssql-query throws it: `message`, `code` and what the server said of it
// besides, all in the server's words if there are any. Code::kCancelled stays as it is.
Error Thrown(const Error& error);
// An error of a server as all other tools give it: in the words of Error::message alone.
Error Shown(Error error);

// Whether numbers of this type stay text in replies: exact decimals and money.
bool IsExactDecimal(std::string_view type);

}  // namespace toolpost::tools::mssql
