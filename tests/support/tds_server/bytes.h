// Bytes of the protocol: little-endian numbers and UTF-16 text, written and read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace toolpost::tds_server {

std::string ToUtf16(std::string_view utf8);     // little-endian
std::string FromUtf16(std::string_view bytes);  // lone surrogates become U+FFFD

class ByteWriter {
 public:
  virtual ~ByteWriter() = default;

  // The low `bytes` bytes of `value`, the lowest first.
  void Number(std::uint64_t value, std::size_t bytes);
  void U8(std::uint64_t value) { Number(value, 1); }
  void U16(std::uint64_t value) { Number(value, 2); }
  void U32(std::uint64_t value) { Number(value, 4); }
  void U64(std::uint64_t value) { Number(value, 8); }
  void U16Big(std::uint16_t value);
  virtual void Bytes(std::string_view bytes) { data_.append(bytes); }
  // UTF-16 after its length in characters, in one or two bytes.
  void ShortText(std::string_view utf8);
  void Text(std::string_view utf8);

  const std::string& data() const { return data_; }

 protected:
  std::string data_;
};

// Reads past the end give zeros and make ok() false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view data) : data_(data) {}

  // Of at most eight bytes.
  std::uint64_t Number(std::size_t bytes);
  std::int64_t Signed(std::size_t bytes);
  std::uint8_t U8() { return static_cast<std::uint8_t>(Number(1)); }
  std::uint16_t U16() { return static_cast<std::uint16_t>(Number(2)); }
  std::uint32_t U32() { return static_cast<std::uint32_t>(Number(4)); }
  std::uint64_t U64() { return Number(8); }
  std::uint16_t U16Big();
  std::string_view Bytes(std::size_t count);
  std::string ShortText() { return FromUtf16(Bytes(std::size_t{2} * U8())); }
  std::string Text() { return FromUtf16(Bytes(std::size_t{2} * U16())); }

  void Fail();
  bool ok() const { return ok_; }
  bool at_end() const { return data_.empty(); }

 private:
  std::string_view data_;
  bool ok_ = true;
};

}  // namespace toolpost::tds_server
