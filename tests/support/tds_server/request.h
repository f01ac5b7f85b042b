// Bodies of batches, remote calls and transaction requests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tds_server/received.h"
#include "toolpost/result.h"

namespace toolpost::tds_server {

struct Call {
  std::string procedure;
  std::vector<Parameter> parameters;  // all of them
};

enum class TransactionRequest : std::uint16_t { kBegin = 5, kCommit = 7, kRollback = 8, kSave = 9 };

Result<std::string> ReadBatch(std::string_view body);
// Usually one; a client may send several at once.
Result<std::vector<Call>> ReadCalls(std::string_view body);
Result<TransactionRequest> ReadTransactionRequest(std::string_view body);

}  // namespace toolpost::tds_server
