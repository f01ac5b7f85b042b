// Numbers and text of the protocol.
#include "tds_server/bytes.h"

namespace toolpost::tds_server {
namespace {

void AppendUnit(std::string& out, std::uint32_t unit) {
  out += static_cast<char>(unit & 0xff);
  out += static_cast<char>(unit >> 8);
}

void AppendUtf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr int kLead[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kLead[more] | static_cast<int>(code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
}

}  // namespace

std::string ToUtf16(std::string_view utf8) {
  std::string out;
  out.reserve(2 * utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t code = size == 1 ? lead : lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size && at + i < utf8.size(); ++i) {
      code = code << 6 | (static_cast<unsigned char>(utf8[at + i]) & 0x3fU);
    }
    at += size;
    if (code < 0x10000) {
      AppendUnit(out, code);
    } else {
      AppendUnit(out, 0xd800 + ((code - 0x10000) >> 10));
      AppendUnit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }
  return out;
}

std::string FromUtf16(std::string_view bytes) {
  std::string out;
  ByteReader reader(bytes.substr(0, bytes.size() / 2 * 2));
  std::uint32_t high = 0;
  while (!reader.at_end()) {
    const std::uint32_t unit = reader.U16();
    if (unit >= 0xdc00 && unit < 0xe000 && high != 0) {
      AppendUtf8(out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
      high = 0;
      continue;
    }
    if (high != 0) AppendUtf8(out, 0xfffd);
    high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (high == 0) AppendUtf8(out, unit >= 0xdc00 && unit < 0xe000 ? 0xfffd : unit);
  }
  if (high != 0) AppendUtf8(out, 0xfffd);
  return out;
}

void ByteWriter::Number(std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) data_ += static_cast<char>(value >> (8 * i) & 0xff);
}

void ByteWriter::U16Big(std::uint16_t value) {
  U8(value >> 8);
  U8(value & 0xff);
}

void ByteWriter::ShortText(std::string_view utf8) {
  const std::string text = ToUtf16(utf8);
  U8(text.size() / 2);
  Bytes(text);
}

void ByteWriter::Text(std::string_view utf8) {
  const std::string text = ToUtf16(utf8);
  U16(text.size() / 2);
  Bytes(text);
}

void ByteReader::Fail() {
  ok_ = false;
  data_ = {};
}

std::uint64_t ByteReader::Number(std::size_t bytes) {
  if (bytes > 8) Fail();
  const std::string_view raw = Bytes(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(raw[i])} << (8 * i);
  }
  return value;
}

std::int64_t ByteReader::Signed(std::size_t bytes) {
  if (bytes == 0 || bytes > 8) Fail();
  if (!ok_) return 0;
  const std::size_t unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(Number(bytes) << unused) >> unused;
}

std::uint16_t ByteReader::U16Big() {
  const unsigned high = U8();
  return static_cast<std::uint16_t>(high << 8 | U8());
}

std::string_view ByteReader::Bytes(std::size_t count) {
  if (count > data_.size()) {
    Fail();
    return {};
  }
  const std::string_view bytes = data_.substr(0, count);
  data_.remove_prefix(count);
  return bytes;
}

}  // namespace toolpost::tds_server
