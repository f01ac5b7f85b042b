// The wire to JSON.
#include <bit>

#include "base/crypto.h"
#include "base/strings.h"
#include "tds_server/calendar.h"
#include "tds_server/decimal.h"
#include "tds_server/value.h"

namespace toolpost::tds_server {
namespace {

Json ReadMoney(ByteReader& in, std::size_t size) {
  std::int64_t scaled = 0;
  if (size == 8) {
    const std::uint64_t high = in.U32();
    scaled = static_cast<std::int64_t>(high << 32 | in.U32());
  } else {
    scaled = in.Signed(4);
  }
  const auto bits = static_cast<std::uint64_t>(scaled);
  return Json(DecimalText({.negative = scaled < 0, .magnitude = scaled < 0 ? 0 - bits : bits}, 4));
}

Json ReadDecimal(ByteReader& in, std::size_t size, int scale) {
  Decimal value{.negative = in.U8() == 0};
  for (std::size_t i = 0; i + 1 < size; ++i) value.magnitude |= Uint128{in.U8()} << (8 * i);
  return Json(DecimalText(value, scale));
}

Json ReadDateTime(ByteReader& in, std::size_t size) {
  if (size == 4) {
    const std::int64_t days = in.U16() + kDaysTo1900;
    const std::int64_t minutes = in.U16();
    return Json(DateText(days) + " " + TimeText(minutes * 600'000'000, 0));
  }
  const std::int64_t days = in.Signed(4) + kDaysTo1900;
  const std::int64_t thirds = in.U32();
  return Json(DateText(days) + " " + TimeText((thirds * 10'000 + 150) / 300 * 1'000, 3));
}

Json ReadMoment(ByteReader& in, const Type& type) {
  std::int64_t days = 0, ticks = 0;
  const bool timed = type.token != TypeToken::kDate;
  if (timed && type.scale <= 7) {
    ticks = static_cast<std::int64_t>(in.Number(static_cast<std::size_t>(TimeBytes(type.scale)))) *
            kTicksPerUnit[type.scale];
  }
  if (type.token == TypeToken::kTime) return Json(TimeText(ticks, type.scale));
  days = static_cast<std::int64_t>(in.Number(3));
  if (!timed) return Json(DateText(days));
  int offset = 0;
  const bool has_offset = type.token == TypeToken::kDateTimeOffset;
  if (has_offset) offset = static_cast<int>(in.Signed(2));
  const std::int64_t total = days * kTicksPerDay + ticks + offset * std::int64_t{600'000'000};
  std::string text =
      DateText(total / kTicksPerDay) + " " + TimeText(total % kTicksPerDay, type.scale);
  if (has_offset) text += " " + OffsetText(offset);
  return Json(text);
}

Json ReadGuid(ByteReader& in) {
  std::string bytes(in.Bytes(16));
  if (bytes.size() != 16) return {};
  std::string ordered;
  for (const std::size_t at : {3, 2, 1, 0, 5, 4, 7, 6}) ordered += bytes[at];
  std::string text = base::ToHex(ordered + bytes.substr(8));
  for (const std::size_t at : {8, 13, 18, 23}) text.insert(at, "-");
  return Json(text);
}

std::string FromLatin1(std::string_view bytes) {
  std::string wide;
  for (const char c : bytes) {
    wide += c;
    wide += '\0';
  }
  return FromUtf16(wide);
}

Json FromBytes(const Type& type, std::string_view bytes) {
  if (type.unicode()) return Json(FromUtf16(bytes));
  if (type.text()) return Json(FromLatin1(bytes));
  return Json("0x" + base::ToHex(bytes));
}

Json ReadChunks(ByteReader& in, const Type& type) {
  if (in.U64() == ~std::uint64_t{0}) return {};
  std::string bytes;
  while (in.ok()) {
    const std::uint32_t size = in.U32();
    if (size == 0) break;
    bytes.append(in.Bytes(size));
  }
  return FromBytes(type, bytes);
}

Json ReadBytes(ByteReader& in, const Type& type) {
  if (type.chunked()) return ReadChunks(in, type);
  if (type.long_form()) {
    const std::uint32_t size = in.U32();
    return size == 0xffffffff ? Json() : FromBytes(type, in.Bytes(size));
  }
  const std::uint16_t size = in.U16();
  return size == 0xffff ? Json() : FromBytes(type, in.Bytes(size));
}

bool IsBytes(const Type& type) {
  return type.text() || type.token == TypeToken::kVarBinary || type.token == TypeToken::kBinary ||
         type.token == TypeToken::kImage;
}

Json Read(ByteReader& in, const Type& type) {
  if (type.token == TypeToken::kNull) return {};
  if (IsBytes(type)) return ReadBytes(in, type);
  const std::size_t size = type.fixed ? type.size : in.U8();
  if (size == 0) return {};
  if (size > 17) in.Fail();
  if (!in.ok()) return {};
  switch (type.token) {
    case TypeToken::kInteger:
      return size == 1 ? Json(std::int64_t{in.U8()}) : Json(in.Signed(size));
    case TypeToken::kBit:
      return Json(in.U8() != 0);
    case TypeToken::kFloat:
      if (size == 4) return Json(std::bit_cast<float>(in.U32()));
      return Json(std::bit_cast<double>(in.U64()));
    case TypeToken::kDecimal:
    case TypeToken::kNumeric:
      return ReadDecimal(in, size, type.scale);
    case TypeToken::kMoney:
      return ReadMoney(in, size);
    case TypeToken::kDateTime:
      return ReadDateTime(in, size);
    case TypeToken::kGuid:
      return ReadGuid(in);
    default:
      return ReadMoment(in, type);
  }
}

}  // namespace

Result<Json> ReadValue(ByteReader& in, const Type& type) {
  Json value = Read(in, type);
  if (in.ok()) return value;
  return Error::InvalidParams(base::StrCat("A parameter of type ", TypeName(type), " is cut off"));
}

}  // namespace toolpost::tds_server
