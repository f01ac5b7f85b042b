// JSON to the wire.
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>

#include "base/hex_digit.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "tds_server/calendar.h"
#include "tds_server/decimal.h"
#include "tds_server/value.h"

namespace toolpost::tds_server {
namespace {

constexpr std::size_t kChunk = 32'768;
std::string TextOf(const Json& value) {
  return value.is_string() ? std::string(std::string_view(value.get_string()))
                           : base::ToJson(value);
}

bool WriteInteger(ByteWriter& out, const Type& type, const Json& value) {
  const std::string text = TextOf(value);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return false;
  out.U8(type.size);
  out.Number(static_cast<std::uint64_t>(number), type.size);
  return true;
}

bool WriteFloat(ByteWriter& out, const Type& type, const Json& value) {
  const std::string text = TextOf(value);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc()) return false;
  out.U8(type.size);
  if (type.size == 4) {
    out.U32(std::bit_cast<std::uint32_t>(static_cast<float>(number)));
  } else {
    out.U64(std::bit_cast<std::uint64_t>(number));
  }
  return true;
}

bool WriteDecimal(ByteWriter& out, const Type& type, const Json& value) {
  const auto decimal = ParseDecimal(TextOf(value), type.scale);
  if (!decimal) return false;
  out.U8(type.size);
  out.U8(decimal->negative ? 0 : 1);
  for (std::uint32_t i = 0; i + 1 < type.size; ++i) {
    out.U8(static_cast<std::uint8_t>(decimal->magnitude >> (8 * i)));
  }
  return true;
}

bool WriteMoney(ByteWriter& out, const Type& type, const Json& value) {
  const auto decimal = ParseDecimal(TextOf(value), 4);
  if (!decimal) return false;
  auto scaled = static_cast<std::uint64_t>(decimal->magnitude);
  if (decimal->negative) scaled = 0 - scaled;
  out.U8(type.size);
  if (type.size == 8) out.U32(scaled >> 32);
  out.U32(scaled & 0xffffffff);
  return true;
}

void WriteDateTime(ByteWriter& out, const Type& type, const Moment& moment) {
  const std::int64_t days = moment.days - kDaysTo1900;
  out.U8(type.size);
  if (type.size == 4) {
    out.U16(static_cast<std::uint64_t>(days));
    out.U16(static_cast<std::uint64_t>(moment.ticks / 600'000'000));
  } else {
    out.U32(static_cast<std::uint64_t>(days));
    out.U32(static_cast<std::uint64_t>((moment.ticks * 300 + 5'000'000) / 10'000'000));
  }
}

bool WriteMoment(ByteWriter& out, const Type& type, const Json& value) {
  auto moment = ParseMoment(TextOf(value));
  if (!moment) return false;
  if (type.token == TypeToken::kDateTime) {
    WriteDateTime(out, type, *moment);
    return true;
  }
  const bool has_offset = type.token == TypeToken::kDateTimeOffset;
  if (has_offset) {  // travels as UTC
    const std::int64_t total =
        moment->days * kTicksPerDay + moment->ticks - moment->offset * std::int64_t{600'000'000};
    moment->days = total / kTicksPerDay;
    moment->ticks = total % kTicksPerDay;
  }
  const int time = type.token == TypeToken::kDate ? 0 : TimeBytes(type.scale);
  const bool dated = type.token != TypeToken::kTime;
  out.U8(static_cast<unsigned>(time + (dated ? 3 : 0) + (has_offset ? 2 : 0)));
  if (time > 0) {
    out.Number(static_cast<std::uint64_t>(moment->ticks / kTicksPerUnit[type.scale]),
               static_cast<std::size_t>(time));
  }
  if (dated) out.Number(static_cast<std::uint64_t>(moment->days), 3);
  if (has_offset) out.U16(static_cast<std::uint16_t>(moment->offset));
  return true;
}

bool AppendHex(std::string_view digits, std::string& out) {
  if (digits.size() % 2 != 0) return false;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    const int high = base::HexDigit(digits[at]), low = base::HexDigit(digits[at + 1]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high << 4 | low);
  }
  return true;
}

bool WriteGuid(ByteWriter& out, const Json& value) {
  std::string digits = TextOf(value), bytes;
  std::erase(digits, '-');
  if (digits.size() != 32 || !AppendHex(digits, bytes)) return false;
  out.U8(16);
  for (const int at : {3, 2, 1, 0, 5, 4, 7, 6})
    out.Bytes({&bytes[static_cast<std::size_t>(at)], 1});
  out.Bytes(std::string_view(bytes).substr(8));
  return true;
}

// Code page 1252, of which Latin-1 is enough here; the rest becomes a question mark.
std::string ToLatin1(std::string_view text) {
  const std::string wide = ToUtf16(text);
  std::string out;
  for (std::size_t at = 0; at + 1 < wide.size(); at += 2) out += wide[at + 1] == 0 ? wide[at] : '?';
  return out;
}

bool Encode(const Type& type, std::string_view text, std::string& out) {
  if (type.unicode()) {
    out = ToUtf16(text);
  } else if (type.text()) {
    out = ToLatin1(text);
  } else {
    return text.starts_with("0x") && AppendHex(text.substr(2), out);
  }
  return true;
}

void WriteChunks(ByteWriter& out, std::string_view unit, std::uint64_t times) {
  out.U64(unit.size() * times);
  std::string chunk;
  while (chunk.size() + unit.size() <= kChunk || chunk.empty()) chunk += unit;
  for (std::uint64_t left = unit.size() * times; left > 0;) {
    const std::uint64_t size = std::min<std::uint64_t>(left, chunk.size());
    out.U32(size);
    out.Bytes(std::string_view(chunk).substr(0, size));
    left -= size;
  }
  out.U32(0);
}

bool WriteBytes(ByteWriter& out, const Type& type, const Json& value) {
  std::string unit;
  std::uint64_t times = 1;
  if (const JsonObject* object = value.if_object()) {
    const Json* repeat = object->if_contains("repeat");
    const Json* count = object->if_contains("times");
    if (repeat == nullptr || count == nullptr || !count->is_int64()) return false;
    if (!Encode(type, TextOf(*repeat), unit)) return false;
    times = static_cast<std::uint64_t>(count->get_int64());
  } else if (!Encode(type, TextOf(value), unit)) {
    return false;
  }
  if (unit.empty()) times = 0;
  if (type.chunked()) {
    if (unit.empty()) unit = " ";
    WriteChunks(out, unit, times);
    return true;
  }
  if (!type.long_form() && unit.size() * times > type.size) return false;
  if (type.long_form()) {
    out.U8(16);
    out.Bytes(std::string(24, 't'));  // text pointer and time stamp
    out.U32(unit.size() * times);
  } else {
    out.U16(unit.size() * times);
  }
  for (; times > 0; --times) out.Bytes(unit);
  return true;
}

// Two bytes of length before a value, not one.
bool HasLongLength(const Type& type) {
  return !type.long_form() &&
         (type.text() || type.token == TypeToken::kVarBinary || type.token == TypeToken::kBinary);
}

void WriteNull(ByteWriter& out, const Type& type) {
  if (type.chunked()) {
    out.U64(~std::uint64_t{0});
  } else if (type.token == TypeToken::kNull) {
    return;
  } else if (type.token == TypeToken::kVariant) {
    out.U32(0);
  } else if (HasLongLength(type)) {
    out.U16(0xffff);
  } else {
    out.U8(0);
  }
}

bool WriteVariant(ByteWriter& out, const Json& value);

bool Write(ByteWriter& out, const Type& type, const Json& value) {
  switch (type.token) {
    case TypeToken::kInteger:
      return WriteInteger(out, type, value);
    case TypeToken::kBit:
      out.U8(1);
      out.U8(value.is_bool() ? value.get_bool() : TextOf(value) == "1");
      return true;
    case TypeToken::kFloat:
      return WriteFloat(out, type, value);
    case TypeToken::kDecimal:
    case TypeToken::kNumeric:
      return WriteDecimal(out, type, value);
    case TypeToken::kMoney:
      return WriteMoney(out, type, value);
    case TypeToken::kDateTime:
    case TypeToken::kDate:
    case TypeToken::kTime:
    case TypeToken::kDateTime2:
    case TypeToken::kDateTimeOffset:
      return WriteMoment(out, type, value);
    case TypeToken::kGuid:
      return WriteGuid(out, value);
    case TypeToken::kVariant:
      return WriteVariant(out, value);
    case TypeToken::kNull:
      return false;
    default:
      return WriteBytes(out, type, value);
  }
}

// One length before all of it, and none before the value itself.
bool WriteVariant(ByteWriter& out, const Json& value) {
  const JsonObject* object = value.if_object();
  const Json* name = object == nullptr ? nullptr : object->if_contains("type");
  const Json* inner = object == nullptr ? nullptr : object->if_contains("value");
  if (name == nullptr || inner == nullptr || inner->is_null()) return false;
  const auto type = ParseType(TextOf(*name));
  ByteWriter body, sized;
  if (!type || !WriteVariantInfo(body, *type) || !Write(sized, *type, *inner)) return false;
  body.Bytes(std::string_view(sized.data()).substr(HasLongLength(*type) ? 2 : 1));
  out.U32(body.data().size());
  out.Bytes(body.data());
  return true;
}

}  // namespace

Result<void> WriteValue(ByteWriter& out, const Type& type, const Json& value) {
  if (value.is_null()) {
    WriteNull(out, type);
    return {};
  }
  if (Write(out, type, value)) return {};
  return Error::InvalidParams(
      base::StrCat("A value is no ", TypeName(type), ": ", base::ToJson(value).substr(0, 80)));
}

}  // namespace toolpost::tds_server
