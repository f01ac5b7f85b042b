// One table says what each type is called and how it begins.
#include "tds_server/type.h"

#include <charconv>
#include <optional>
#include <span>

#include "base/strings.h"

namespace toolpost::tds_server {
namespace {

// SQL_Latin1_General_CP1_CI_AS
constexpr std::string_view kCollation("\x09\x04\xd0\x00\x34", 5);

enum class Shape { kPlain, kSized, kDecimal, kScaled, kBytes, kLong, kVariant, kClr };

// What SQL Server says of a sql_variant.
constexpr std::uint32_t kVariantBytes = 8009;

struct Known {
  std::string_view name;
  TypeToken token;
  Shape shape;
  std::uint32_t size;      // kSized; bytes of a character for kBytes
  std::uint8_t fixed = 0;  // token of the form without a length
};

constexpr Known kTypes[] = {
    {"tinyint", TypeToken::kInteger, Shape::kSized, 1, 0x30},
    {"smallint", TypeToken::kInteger, Shape::kSized, 2, 0x34},
    {"int", TypeToken::kInteger, Shape::kSized, 4, 0x38},
    {"bigint", TypeToken::kInteger, Shape::kSized, 8, 0x7f},
    {"bit", TypeToken::kBit, Shape::kSized, 1, 0x32},
    {"real", TypeToken::kFloat, Shape::kSized, 4, 0x3b},
    {"float", TypeToken::kFloat, Shape::kSized, 8, 0x3e},
    {"smallmoney", TypeToken::kMoney, Shape::kSized, 4, 0x7a},
    {"money", TypeToken::kMoney, Shape::kSized, 8, 0x3c},
    {"smalldatetime", TypeToken::kDateTime, Shape::kSized, 4, 0x3a},
    {"datetime", TypeToken::kDateTime, Shape::kSized, 8, 0x3d},
    {"uniqueidentifier", TypeToken::kGuid, Shape::kSized, 16},
    {"decimal", TypeToken::kDecimal, Shape::kDecimal, 17},
    {"numeric", TypeToken::kNumeric, Shape::kDecimal, 17},
    {"date", TypeToken::kDate, Shape::kPlain, 3},
    {"time", TypeToken::kTime, Shape::kScaled, 5},
    {"datetime2", TypeToken::kDateTime2, Shape::kScaled, 8},
    {"datetimeoffset", TypeToken::kDateTimeOffset, Shape::kScaled, 10},
    {"varchar", TypeToken::kVarChar, Shape::kBytes, 1},
    {"nvarchar", TypeToken::kNVarChar, Shape::kBytes, 2},
    {"varbinary", TypeToken::kVarBinary, Shape::kBytes, 1},
    {"char", TypeToken::kChar, Shape::kBytes, 1},
    {"nchar", TypeToken::kNChar, Shape::kBytes, 2},
    {"binary", TypeToken::kBinary, Shape::kBytes, 1},
    {"text", TypeToken::kText, Shape::kLong, 0},
    {"ntext", TypeToken::kNText, Shape::kLong, 0},
    {"image", TypeToken::kImage, Shape::kLong, 0},
    {"xml", TypeToken::kXml, Shape::kPlain, kMax},
    {"sql_variant", TypeToken::kVariant, Shape::kVariant, kVariantBytes},
    {"geography", TypeToken::kClr, Shape::kClr, kMax},
    {"geometry", TypeToken::kClr, Shape::kClr, kMax},
    {"hierarchyid", TypeToken::kClr, Shape::kClr, 892},
    {"null", TypeToken::kNull, Shape::kPlain, 0},
};

const Known* Find(const Type& type) {
  for (const Known& known : kTypes) {
    if (known.token != type.token) continue;
    if (known.shape == Shape::kSized && known.size != type.size) continue;
    if (known.shape == Shape::kClr && known.name != type.clr_name) continue;
    return &known;
  }
  return nullptr;
}

std::optional<std::uint32_t> Number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool SetDecimal(Type& type, std::span<const std::string_view> arguments) {
  const auto precision = arguments.empty() ? 18 : Number(base::Trim(arguments[0]));
  const auto scale = arguments.size() < 2 ? 0 : Number(base::Trim(arguments[1]));
  if (!precision || !scale || *precision < 1 || *precision > 38 || *scale > *precision) {
    return false;
  }
  type.precision = static_cast<int>(*precision);
  type.scale = static_cast<int>(*scale);
  type.size = type.precision <= 9 ? 5 : type.precision <= 19 ? 9 : type.precision <= 28 ? 13 : 17;
  return true;
}

bool SetArguments(Type& type, const Known& known, std::span<const std::string_view> arguments) {
  if (known.shape == Shape::kDecimal) return SetDecimal(type, arguments);
  const auto first = arguments.empty() ? std::nullopt : Number(arguments[0]);
  if (known.shape == Shape::kScaled) {
    if (!arguments.empty() && (!first || *first > 7)) return false;
    type.scale = static_cast<int>(first.value_or(7));
    return true;
  }
  if (known.shape == Shape::kBytes) {
    if (!arguments.empty() && arguments[0] == "max") {
      type.size = kMax;
      return true;
    }
    type.size = first.value_or(1) * known.size;
    return (arguments.empty() || first) && type.size >= 1 && type.size <= 8000;
  }
  return arguments.empty();
}

bool HasCollation(TypeToken token) {
  return token == TypeToken::kVarChar || token == TypeToken::kNVarChar ||
         token == TypeToken::kChar || token == TypeToken::kNChar || token == TypeToken::kText ||
         token == TypeToken::kNText;
}

// Its size, its name in three parts, and that of the class that implements it.
void WriteClrInfo(ByteWriter& out, const Type& type) {
  out.U16(type.size);
  out.ShortText("master");
  out.ShortText("sys");
  out.ShortText(type.clr_name);
  out.Text(
      base::StrCat("Microsoft.SqlServer.Types.", type.clr_name, ", Microsoft.SqlServer.Types"));
}

}  // namespace

bool Type::unicode() const {
  return token == TypeToken::kNVarChar || token == TypeToken::kNChar ||
         token == TypeToken::kNText || token == TypeToken::kXml;
}

bool Type::text() const { return unicode() || HasCollation(token); }

Result<Type> ParseType(std::string_view name) {
  const std::size_t paren = name.find('(');
  std::vector<std::string_view> arguments;
  if (paren != std::string_view::npos && name.ends_with(')')) {
    arguments = base::Split(name.substr(paren + 1, name.size() - paren - 2), ',');
  }
  for (const Known& known : kTypes) {
    if (known.name != name.substr(0, paren)) continue;
    Type type{.token = known.token, .size = known.size};
    if (known.shape == Shape::kClr) type.clr_name = known.name;
    if (SetArguments(type, known, arguments)) return type;
  }
  return Error::InvalidParams(base::StrCat("`", name, "` is no type that this server knows"));
}

std::string TypeName(const Type& type) {
  const Known* known = Find(type);
  if (known == nullptr) return "unknown";
  switch (known->shape) {
    case Shape::kDecimal:
      return base::StrCat(known->name, "(", type.precision, ",", type.scale, ")");
    case Shape::kScaled:
      return base::StrCat(known->name, "(", type.scale, ")");
    case Shape::kBytes:
      if (type.size == kMax) return base::StrCat(known->name, "(max)");
      return base::StrCat(known->name, "(", type.size / known->size, ")");
    default:
      return std::string(known->name);
  }
}

void WriteTypeInfo(ByteWriter& out, const Type& type) {
  out.U8(static_cast<std::uint8_t>(type.token));
  const Known* known = Find(type);
  switch (known == nullptr ? Shape::kPlain : known->shape) {
    case Shape::kSized:
      out.U8(type.size);
      break;
    case Shape::kDecimal:
      out.U8(type.size);
      out.U8(static_cast<unsigned>(type.precision));
      out.U8(static_cast<unsigned>(type.scale));
      break;
    case Shape::kScaled:
      out.U8(static_cast<unsigned>(type.scale));
      break;
    case Shape::kBytes:
      out.U16(type.size);
      break;
    case Shape::kLong:
      out.U32(0x7fffffff);
      break;
    case Shape::kVariant:
      out.U32(type.size);
      break;
    case Shape::kClr:
      WriteClrInfo(out, type);
      break;
    case Shape::kPlain:
      if (type.token == TypeToken::kXml) out.U8(0);  // no schema
      break;
  }
  if (HasCollation(type.token)) out.Bytes(kCollation);
}

bool WriteVariantInfo(ByteWriter& out, const Type& type) {
  const Known* known = Find(type);
  if (known == nullptr || type.chunked()) return false;
  out.U8(known->fixed != 0 ? known->fixed : static_cast<std::uint8_t>(type.token));
  switch (known->shape) {
    case Shape::kPlain:
    case Shape::kSized:
      out.U8(0);
      break;
    case Shape::kDecimal:
      out.U8(2);
      out.U8(static_cast<unsigned>(type.precision));
      out.U8(static_cast<unsigned>(type.scale));
      break;
    case Shape::kScaled:
      out.U8(1);
      out.U8(static_cast<unsigned>(type.scale));
      break;
    case Shape::kBytes:
      out.U8(HasCollation(type.token) ? 7 : 2);
      if (HasCollation(type.token)) out.Bytes(kCollation);
      out.U16(type.size);
      break;
    case Shape::kLong:
    case Shape::kVariant:
    case Shape::kClr:
      return false;
  }
  return type.token != TypeToken::kNull;
}

Result<Type> ReadTypeInfo(ByteReader& in) {
  const std::uint8_t token = in.U8();
  for (const Known& known : kTypes) {
    if (known.fixed == token && token != 0) {
      return Type{.token = known.token, .size = known.size, .fixed = true};
    }
    if (static_cast<std::uint8_t>(known.token) != token) continue;
    if (known.shape == Shape::kVariant || known.shape == Shape::kClr) break;
    Type type{.token = known.token, .size = known.size};
    if (known.shape == Shape::kSized || known.shape == Shape::kDecimal) type.size = in.U8();
    if (known.shape == Shape::kDecimal) type.precision = in.U8();
    if (known.shape == Shape::kDecimal || known.shape == Shape::kScaled) type.scale = in.U8();
    if (known.shape == Shape::kBytes) type.size = in.U16();
    if (known.shape == Shape::kLong) in.U32();
    if (known.token == TypeToken::kXml && in.U8() != 0) break;
    if (HasCollation(type.token)) in.Bytes(kCollation.size());
    return type;
  }
  return Error::InvalidParams(base::StrCat("Unknown type token ", static_cast<int>(token)));
}

int TimeBytes(int scale) { return scale <= 2 ? 3 : scale <= 4 ? 4 : 5; }

}  // namespace toolpost::tds_server
