// The adapter without a database: made-up rows, the same for the same request.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tools/mssql/adapter.h"

namespace toolpost::tools::mssql {

// Never opens a socket and needs no credentials. Words RAISEERROR, RAISERROR and THROW in a query,
// in any case, make it fail; so does a query its script names.
class StubAdapter : public MssqlAdapter {
 public:
  // By the exact text of a query: a string or an object with `message` is thrown as it is, an empty
  // array is an empty result.
  using Script = std::map<std::string, Json, std::less<>>;

  explicit StubAdapter(Script script = {});
  Result<JsonArray> Execute(const AdapterRequest& request) override;

  // Most rows of one reply, whatever was asked for.
  static constexpr std::size_t kMostRows = 1000;

 private:
  const Script script_;
};

// A JSON object from query to answer. Code::kInvalidArgument names the entry that is wrong.
Result<StubAdapter::Script> ParseStubScript(std::string_view text);

}  // namespace toolpost::tools::mssql
