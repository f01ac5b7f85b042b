// Bytes from the web to UTF-8: which encoding they are in, and the decoding itself.
//
// Encodings and their labels are those of the WHATWG Encoding Standard. UTF-8, UTF-16 and
// windows-1252 are decoded here, the others by the C library; which ones is fixed by a table, a
// page cannot name anything else. Everything is a pure function and safe on any thread.
#pragma once

#include <string>
#include <string_view>

namespace toolpost::html {

// The standard's name of a label ("latin1" → "windows-1252", in any case, surrounded by spaces or
// not), or empty when there is no such encoding.
std::string_view EncodingOfLabel(std::string_view label);

// The charset parameter of a Content-Type, as it stands there; empty when there is none.
std::string_view CharsetParameter(std::string_view content_type);

// The encoding a page's <meta> names in its first 64 KiB (WHATWG "prescan"); empty when none.
std::string_view EncodingOfMeta(std::string_view page);

struct Decoded {
  std::string text;           // valid UTF-8, without byte order mark; U+FFFD for what was broken
  std::string_view encoding;  // its name
};

// `content_type` is the header, or empty. A byte order mark wins over the header, the header over
// <meta> (looked at when `is_page`); without any of them bytes that are valid UTF-8 are UTF-8, and
// others windows-1252. Linear in the number of bytes; the text has at most three times as many.
Decoded Decode(std::string_view bytes, std::string_view content_type, bool is_page);

// The code point windows-1252 has at 0x80…0x9F; other values are returned as they are.
char32_t FromWindows1252(unsigned char byte);

}  // namespace toolpost::html
