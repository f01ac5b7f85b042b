// Decoders and the choice between them.
#include "html/charset.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "base/strings.h"
#include "base/utf8.h"
#include "html/encodings.h"

namespace toolpost::html {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr std::array<char16_t, 32> kWindows1252{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

std::string FromUtf8(std::string_view bytes) {
  if (base::IsValidUtf8(bytes)) return std::string(bytes);
  std::string text;
  text.reserve(bytes.size());
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) {
    const std::size_t length = base::Utf8SequenceLength(at, end);
    if (length > 0) {
      text.append(at, length);
      at += length;
    } else {
      text.append(kReplacement);
      ++at;
    }
  }
  return text;
}

std::string FromUtf16(std::string_view bytes, bool big_endian) {
  std::string text;
  text.reserve(bytes.size());
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    const char32_t code = unit(i);
    const bool lead = code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size();
    const char32_t trail = lead ? unit(i + 2) : 0;
    if (trail >= 0xDC00 && trail < 0xE000) {
      base::AppendUtf8(text, 0x10000 + ((code - 0xD800) << 10) + (trail - 0xDC00));
      i += 2;
    } else {
      base::AppendUtf8(text, code);
    }
  }
  if (i < bytes.size()) text.append(kReplacement);
  return text;
}

std::string FromBytes(std::string_view bytes, char32_t (*map)(unsigned char)) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) base::AppendUtf8(text, map(static_cast<unsigned char>(c)));
  return text;
}

char32_t FromUserDefined(unsigned char byte) {
  return byte < 0x80 ? byte : char32_t{0xF700} + byte;
}

// Broken input costs a byte and gives one U+FFFD. Without such a converter nothing is known but
// ASCII.
std::string FromLibrary(std::string_view bytes, const char* name) {
  const iconv_t opened = iconv_open("UTF-8", name);
  if (reinterpret_cast<std::intptr_t>(opened) == -1) {
    return FromBytes(bytes, [](unsigned char byte) -> char32_t {
      return byte < 0x80 ? byte : char32_t{0xFFFD};
    });
  }
  const std::unique_ptr<std::remove_pointer_t<iconv_t>, int (*)(iconv_t)> converter(opened,
                                                                                    iconv_close);
  std::string text;
  text.reserve(bytes.size() * 2);
  char* in = const_cast<char*>(bytes.data());  // iconv does not write to it
  std::size_t left = bytes.size();
  std::array<char, 8192> buffer;
  bool flushed = false;
  while (!flushed) {
    char* out = buffer.data();
    std::size_t room = buffer.size();
    flushed = left == 0;
    const std::size_t result = iconv(converter.get(), flushed ? nullptr : &in, &left, &out, &room);
    text.append(buffer.data(), buffer.size() - room);
    if (result == static_cast<std::size_t>(-1) && errno != E2BIG && !flushed) {
      text.append(kReplacement);
      ++in;
      --left;
    }
  }
  return FromUtf8(text);
}

std::string Run(std::string_view bytes, const Encoding& encoding) {
  switch (encoding.decoder) {
    case Decoder::kUtf8:
      return FromUtf8(bytes);
    case Decoder::kUtf16le:
      return FromUtf16(bytes, false);
    case Decoder::kUtf16be:
      return FromUtf16(bytes, true);
    case Decoder::kWindows1252:
      return FromBytes(bytes, FromWindows1252);
    case Decoder::kUserDefined:
      return FromBytes(bytes, FromUserDefined);
    case Decoder::kLibrary:
      return FromLibrary(bytes, encoding.library_name);
    case Decoder::kReplacement:
      break;
  }
  return bytes.empty() ? std::string() : std::string(kReplacement);
}

std::string_view EncodingOfMark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return "UTF-8";
  if (bytes.starts_with("\xFE\xFF")) return "UTF-16BE";
  if (bytes.starts_with("\xFF\xFE")) return "UTF-16LE";
  return {};
}

}  // namespace

char32_t FromWindows1252(unsigned char byte) {
  return byte >= 0x80 && byte < 0xA0 ? char32_t{kWindows1252[byte - 0x80U]} : char32_t{byte};
}

std::string_view EncodingOfLabel(std::string_view label) {
  const Encoding* encoding = FindEncoding(label);
  return encoding != nullptr ? encoding->name : std::string_view();
}

std::string_view CharsetParameter(std::string_view content_type) {
  std::size_t at = content_type.find(';');
  while (at != content_type.npos) {
    content_type.remove_prefix(at + 1);
    at = content_type.find(';');
    const std::string_view parameter = base::Trim(content_type.substr(0, at));
    constexpr std::string_view kName = "charset=";
    if (parameter.size() <= kName.size() ||
        !base::EqualIgnoringCase(parameter.substr(0, kName.size()), kName))
      continue;
    std::string_view value = parameter.substr(kName.size());
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

Decoded Decode(std::string_view bytes, std::string_view content_type, bool is_page) {
  const std::string_view mark = EncodingOfMark(bytes);
  std::string_view name = mark;
  if (!mark.empty()) {
    bytes.remove_prefix(mark == "UTF-8" ? 3 : 2);
  } else {
    name = EncodingOfLabel(CharsetParameter(content_type));
    if (name.empty() && is_page) name = EncodingOfMeta(bytes);
    if (name.empty()) name = base::IsValidUtf8(bytes) ? "UTF-8" : "windows-1252";
  }
  const Encoding* encoding = FindEncoding(name);
  return {Run(bytes, *encoding), encoding->name};
}

}  // namespace toolpost::html
