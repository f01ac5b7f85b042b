// Tokens of a reply, each written whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tds_server/bytes.h"
#include "tds_server/type.h"
#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::tds_server {

struct Column {
  std::string name;
  Type type;
  bool nullable = true;
  bool identity = false;
  bool computed = false;
};

// ERROR when its severity is above 10, otherwise INFO.
struct ServerMessage {
  std::int32_t number = 0;
  std::uint8_t state = 1;
  std::uint8_t severity = 0;
  std::string text;
  std::string server;
  std::string procedure;
  std::uint32_t line = 1;
};

enum class DoneToken : std::uint8_t {
  kDone = 0xfd,
  kDoneProcedure = 0xfe,
  kDoneInProcedure = 0xff
};

// Bits of the status of a DONE.
inline constexpr std::uint16_t kMore = 0x01, kFailed = 0x02, kCounted = 0x10, kAttentionDone = 0x20;

enum class Change : std::uint8_t {
  kDatabase = 1,
  kLanguage = 2,
  kPacketSize = 4,
  kCollation = 7,
  kBegin = 8,
  kCommit = 9,
  kRollback = 10,
};

void WriteMessage(ByteWriter& out, const ServerMessage& message);
void WriteChange(ByteWriter& out, Change change, std::string_view now, std::string_view before);
// Of collations and transactions.
void WriteRawChange(ByteWriter& out, Change change, std::string_view now, std::string_view before);
void WriteLoginAck(ByteWriter& out, std::string_view program);
void WriteColumns(ByteWriter& out, const std::vector<Column>& columns);
// With `bitmap` in the form that leaves out nulls.
Result<void> WriteRow(ByteWriter& out, const std::vector<Column>& columns, const JsonArray& values,
                      bool bitmap);
void WriteDone(ByteWriter& out, DoneToken token, std::uint16_t status, std::uint64_t rows = 0);
void WriteReturnStatus(ByteWriter& out, std::int32_t status);
void WriteReturnValue(ByteWriter& out, std::uint16_t ordinal, std::string_view name,
                      const Type& type, const Json& value);

}  // namespace toolpost::tds_server
