// Types of columns and parameters: their names, and TYPE_INFO on the wire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tds_server/bytes.h"
#include "toolpost/result.h"

namespace toolpost::tds_server {

// The token byte of each type, in the form that may be null.
enum class TypeToken : std::uint8_t {
  kNull = 0x1f,
  kImage = 0x22,
  kText = 0x23,
  kGuid = 0x24,
  kInteger = 0x26,
  kDate = 0x28,
  kTime = 0x29,
  kDateTime2 = 0x2a,
  kDateTimeOffset = 0x2b,
  kVariant = 0x62,
  kNText = 0x63,
  kBit = 0x68,
  kDecimal = 0x6a,
  kNumeric = 0x6c,
  kFloat = 0x6d,
  kMoney = 0x6e,
  kDateTime = 0x6f,
  kVarBinary = 0xa5,
  kVarChar = 0xa7,
  kBinary = 0xad,
  kChar = 0xaf,
  kNVarChar = 0xe7,
  kNChar = 0xef,
  kClr = 0xf0,
  kXml = 0xf1,
};

// Of (max) types, which travel in chunks.
inline constexpr std::uint32_t kMax = 0xffff;

struct Type {
  TypeToken token = TypeToken::kInteger;
  std::uint32_t size = 0;  // bytes at most; kMax
  int precision = 0;
  int scale = 0;
  // As in RPC parameters of old types: no length before the value.
  bool fixed = false;
  std::string_view clr_name;  // of a type that is written in .NET: geography …

  bool unicode() const;  // UTF-16 text
  bool text() const;     // of either kind
  bool long_form() const {
    return token == TypeToken::kText || token == TypeToken::kNText || token == TypeToken::kImage;
  }
  bool chunked() const {
    return size == kMax || token == TypeToken::kXml || token == TypeToken::kClr;
  }
};

// `int`, `decimal(38,10)`, `datetimeoffset(7)`, `nvarchar(max)` … Code::kInvalidArgument otherwise.
Result<Type> ParseType(std::string_view name);
std::string TypeName(const Type& type);

// As a column has it; that of a parameter differs for types of .NET.
void WriteTypeInfo(ByteWriter& out, const Type& type);
// What precedes a value of `type` inside a sql_variant: its token and properties. False for a type
// that none can hold.
bool WriteVariantInfo(ByteWriter& out, const Type& type);
// Of a parameter. Code::kInvalidArgument for a type that this server does not know or take:
// sql_variant and those of .NET are for columns only.
Result<Type> ReadTypeInfo(ByteReader& in);

// Of time, datetime2 and datetimeoffset with `scale`: how many bytes the time takes.
int TimeBytes(int scale);

}  // namespace toolpost::tds_server
