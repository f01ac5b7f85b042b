// Layouts of MS-TDS 2.2.7, in the forms of TDS 7.2 and later.
#include "tds_server/token.h"

#include "base/strings.h"
#include "tds_server/value.h"

namespace toolpost::tds_server {
namespace {

constexpr std::uint8_t kReturnStatus = 0x79, kColumns = 0x81, kError = 0xaa, kInfo = 0xab,
                       kReturnValue = 0xac, kLoginAck = 0xad, kRow = 0xd1, kBitmapRow = 0xd2,
                       kChange = 0xe3;

void WriteSized(ByteWriter& out, std::uint8_t token, const ByteWriter& body) {
  out.U8(token);
  out.U16(body.data().size());
  out.Bytes(body.data());
}

}  // namespace

void WriteMessage(ByteWriter& out, const ServerMessage& message) {
  ByteWriter body;
  body.U32(static_cast<std::uint32_t>(message.number));
  body.U8(message.state);
  body.U8(message.severity);
  body.Text(message.text);
  body.ShortText(message.server);
  body.ShortText(message.procedure);
  body.U32(message.line);
  WriteSized(out, message.severity > 10 ? kError : kInfo, body);
}

void WriteChange(ByteWriter& out, Change change, std::string_view now, std::string_view before) {
  ByteWriter body;
  body.U8(static_cast<std::uint8_t>(change));
  body.ShortText(now);
  body.ShortText(before);
  WriteSized(out, kChange, body);
}

void WriteRawChange(ByteWriter& out, Change change, std::string_view now, std::string_view before) {
  ByteWriter body;
  body.U8(static_cast<std::uint8_t>(change));
  body.U8(now.size());
  body.Bytes(now);
  body.U8(before.size());
  body.Bytes(before);
  WriteSized(out, kChange, body);
}

void WriteLoginAck(ByteWriter& out, std::string_view program) {
  ByteWriter body;
  body.U8(1);
  body.Bytes(std::string_view("\x74\x00\x00\x04", 4));
  body.ShortText(program);
  body.Bytes(std::string_view("\x10\x00\x10\x27", 4));
  WriteSized(out, kLoginAck, body);
}

void WriteColumns(ByteWriter& out, const std::vector<Column>& columns) {
  out.U8(kColumns);
  out.U16(columns.size());
  for (const Column& column : columns) {
    out.U32(0);
    out.U16((column.nullable ? 0x01U : 0U) | (column.identity ? 0x10U : 0U) |
            (column.computed ? 0x20U : 0U));
    WriteTypeInfo(out, column.type);
    if (column.type.long_form()) {
      out.U8(1);
      out.Text("t");
    }
    out.ShortText(column.name);
  }
}

Result<void> WriteRow(ByteWriter& out, const std::vector<Column>& columns, const JsonArray& values,
                      bool bitmap) {
  if (values.size() != columns.size()) {
    return Error::InvalidParams(
        base::StrCat("A row has ", values.size(), " values for ", columns.size(), " columns"));
  }
  out.U8(bitmap ? kBitmapRow : kRow);
  for (std::size_t start = 0; bitmap && start < values.size(); start += 8) {
    unsigned nulls = 0;
    for (std::size_t i = start; i < values.size() && i < start + 8; ++i) {
      if (values[i].is_null()) nulls |= 1U << (i - start);
    }
    out.U8(nulls);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bitmap && values[i].is_null()) continue;
    RETURN_IF_ERROR(WriteValue(out, columns[i].type, values[i]));
  }
  return {};
}

void WriteDone(ByteWriter& out, DoneToken token, std::uint16_t status, std::uint64_t rows) {
  out.U8(static_cast<std::uint8_t>(token));
  out.U16(status);
  out.U16((status & kCounted) != 0 ? 0xc1 : 0);  // as after a SELECT
  out.U64(rows);
}

void WriteReturnStatus(ByteWriter& out, std::int32_t status) {
  out.U8(kReturnStatus);
  out.U32(static_cast<std::uint32_t>(status));
}

void WriteReturnValue(ByteWriter& out, std::uint16_t ordinal, std::string_view name,
                      const Type& type, const Json& value) {
  out.U8(kReturnValue);
  out.U16(ordinal);
  out.ShortText(name);
  out.U8(1);
  out.U32(0);
  out.U16(0);
  WriteTypeInfo(out, type);
  static_cast<void>(WriteValue(out, type, value));
}

}  // namespace toolpost::tds_server
