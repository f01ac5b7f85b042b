// MS-TDS 2.2.6.6 to 2.2.6.9.
#include "tds_server/request.h"

#include "base/strings.h"
#include "tds_server/bytes.h"
#include "tds_server/type.h"
#include "tds_server/value.h"

namespace toolpost::tds_server {
namespace {

constexpr std::uint8_t kNextCall = 0xff, kNextCallOld = 0x80, kOutput = 0x01;

void SkipHeaders(ByteReader& in) {
  const std::uint32_t size = in.U32();
  if (size < 4) return in.Fail();
  in.Bytes(size - 4);
}

std::string ProcedureName(std::uint16_t id) {
  switch (id) {
    case 10:
      return "sp_executesql";
    case 11:
      return "sp_prepare";
    case 12:
      return "sp_execute";
    case 13:
      return "sp_prepexec";
    case 15:
      return "sp_unprepare";
    default:
      return base::StrCat("procedure ", id);
  }
}

Result<Parameter> ReadParameter(ByteReader& in, std::size_t name_size) {
  Parameter parameter;
  parameter.name = FromUtf16(in.Bytes(2 * name_size));
  parameter.output = (in.U8() & kOutput) != 0;
  ASSIGN_OR_RETURN(const Type type, ReadTypeInfo(in));
  parameter.type = TypeName(type);
  ASSIGN_OR_RETURN(parameter.value, ReadValue(in, type));
  return parameter;
}

}  // namespace

Result<std::string> ReadBatch(std::string_view body) {
  ByteReader in(body);
  SkipHeaders(in);
  if (!in.ok()) return Error::InvalidParams("Malformed batch");
  ByteReader length(body);
  return FromUtf16(body.substr(length.U32()));
}

Result<std::vector<Call>> ReadCalls(std::string_view body) {
  ByteReader in(body);
  SkipHeaders(in);
  std::vector<Call> calls;
  while (in.ok() && !in.at_end()) {
    Call& call = calls.emplace_back();
    const std::uint16_t size = in.U16();
    call.procedure =
        size == 0xffff ? ProcedureName(in.U16()) : FromUtf16(in.Bytes(std::size_t{2} * size));
    in.U16();  // options
    while (in.ok() && !in.at_end()) {
      const std::uint8_t first = in.U8();
      if (first == kNextCall || first == kNextCallOld) break;
      ASSIGN_OR_RETURN(Parameter parameter, ReadParameter(in, first));
      call.parameters.push_back(std::move(parameter));
    }
  }
  if (!in.ok() || calls.empty()) return Error::InvalidParams("Malformed remote call");
  return calls;
}

Result<TransactionRequest> ReadTransactionRequest(std::string_view body) {
  ByteReader in(body);
  SkipHeaders(in);
  const auto request = static_cast<TransactionRequest>(in.U16());
  if (!in.ok()) return Error::InvalidParams("Malformed transaction request");
  return request;
}

}  // namespace toolpost::tds_server
