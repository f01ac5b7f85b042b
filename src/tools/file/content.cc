// utf-8, base64 and hex.
#include "tools/file/content.h"

#include "base/crypto.h"
#include "base/hex_digit.h"
#include "base/strings.h"

namespace toolpost::tools::file {
namespace {

Result<std::string> FromHex(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const int high = base::HexDigit(text[at]);
    const int low = at + 1 < text.size() ? base::HexDigit(text[at + 1]) : -1;
    if (high < 0 || low < 0) {
      return Error::InvalidParams(
          base::StrCat("content is not hex (two digits per byte) at character ", at));
    }
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

std::size_t FirstBadByte(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  while (at < end) {
    const std::size_t length = base::Utf8SequenceLength(at, end);
    if (length == 0) break;
    at += length;
  }
  return static_cast<std::size_t>(at - text.data());
}

}  // namespace

Result<std::string> EncodeContent(std::string bytes, Encoding encoding, std::string_view given,
                                  std::uint64_t offset) {
  switch (encoding) {
    case Encoding::kBase64:
      return base::ToBase64(bytes);
    case Encoding::kHex:
      return base::ToHex(bytes);
    case Encoding::kUtf8:
      break;
  }
  if (base::IsValidUtf8(bytes)) return bytes;
  return Error::InvalidParams(base::StrCat(given, " is not UTF-8 text (byte ",
                                           offset + FirstBadByte(bytes),
                                           "); read it with encoding base64 or hex"));
}

Result<std::string> DecodeContent(std::string text, Encoding encoding) {
  if (encoding == Encoding::kUtf8) return text;
  if (encoding == Encoding::kHex) return FromHex(text);
  if (auto bytes = base::FromBase64(text)) return *std::move(bytes);
  return Error::InvalidParams(
      "content is not base64 (standard alphabet, padded, no white space); use encoding utf-8 for "
      "plain text");
}

bool LooksLikeText(std::string_view bytes) { return bytes.find('\0') == std::string_view::npos; }

std::string Digest(std::string_view bytes) {
  const base::Sha256Digest digest = base::Sha256(bytes);
  return base::ToHex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace toolpost::tools::file
