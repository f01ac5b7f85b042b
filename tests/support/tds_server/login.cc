// Offsets of MS-TDS 2.2.6.4 and 2.2.6.5.
#include "tds_server/login.h"

#include "tds_server/bytes.h"

namespace toolpost::tds_server {
namespace {

constexpr std::uint8_t kVersionOption = 0, kEncryptionOption = 1, kMarsOption = 4,
                       kEndOfOptions = 0xff;

std::string Field(std::string_view body, std::size_t at, bool& ok) {
  if (body.size() < at + 4) {
    ok = false;
    return {};
  }
  ByteReader in(body.substr(at, 4));
  const std::size_t offset = in.U16(), size = std::size_t{2} * in.U16();
  if (size == 0) return {};
  if (offset > body.size() || size > body.size() - offset) {
    ok = false;
    return {};
  }
  return std::string(body.substr(offset, size));
}

std::string Unscramble(std::string bytes) {
  for (char& c : bytes) {
    const unsigned plain = static_cast<unsigned char>(c) ^ 0xa5U;
    c = static_cast<char>((plain << 4 | plain >> 4) & 0xff);
  }
  return bytes;
}

}  // namespace

Result<Encrypt> ReadPrelogin(std::string_view body) {
  ByteReader list(body);
  while (list.ok()) {
    const std::uint8_t option = list.U8();
    if (option == kEndOfOptions) return Encrypt::kUnsupported;
    const std::size_t offset = list.U16Big(), size = list.U16Big();
    if (option != kEncryptionOption) continue;
    if (size < 1 || offset >= body.size()) break;
    return static_cast<Encrypt>(body[offset]);
  }
  return Error::InvalidParams("Malformed PRELOGIN");
}

std::string PreloginReply(Encrypt answer) {
  constexpr std::uint16_t kList = 3 * 5 + 1;
  ByteWriter out;
  const auto option = [&](std::uint8_t number, std::uint16_t offset, std::uint16_t size) {
    out.U8(number);
    out.U16Big(offset);
    out.U16Big(size);
  };
  option(kVersionOption, kList, 6);
  option(kEncryptionOption, kList + 6, 1);
  option(kMarsOption, kList + 7, 1);
  out.U8(kEndOfOptions);
  out.Bytes(std::string_view("\x10\x00\x10\x27\x00\x00", 6));
  out.U8(static_cast<std::uint8_t>(answer));
  out.U8(0);
  return out.data();
}

Result<Login> ReadLogin(std::string_view body) {
  ByteReader in(body);
  Login login;
  in.U32();
  login.version = in.U32();
  login.packet_size = in.U32();
  in.Bytes(13);
  login.odbc = (in.U8() & 0x02) != 0;
  login.read_only_intent = (in.U8() & 0x20) != 0;
  bool ok = in.ok();
  const auto text = [&](std::size_t at) { return FromUtf16(Field(body, at, ok)); };
  login.host = text(36);
  login.user = text(40);
  login.password = FromUtf16(Unscramble(Field(body, 44, ok)));
  login.application = text(48);
  login.server = text(52);
  login.library = text(60);
  login.language = text(64);
  login.database = text(68);
  if (!ok) return Error::InvalidParams("Malformed LOGIN7");
  return login;
}

}  // namespace toolpost::tds_server
