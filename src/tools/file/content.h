// File content as text of a result or argument.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "toolpost/field.h"
#include "toolpost/result.h"

namespace toolpost::tools::file {

enum class Encoding { kUtf8, kBase64, kHex };

// Bytes as text. kInvalidArgument, naming the first bad byte and base64, when kUtf8 does not fit;
// `offset` is where `bytes` start in the file.
Result<std::string> EncodeContent(std::string bytes, Encoding encoding, std::string_view given,
                                  std::uint64_t offset);

// Text as bytes. kInvalidArgument for text that is not of that encoding.
Result<std::string> DecodeContent(std::string text, Encoding encoding);

// True if the bytes look like text: no NUL among them.
bool LooksLikeText(std::string_view bytes);

// SHA-256 as lower-case hex.
std::string Digest(std::string_view bytes);

}  // namespace toolpost::tools::file

template <>
struct toolpost::EnumNames<toolpost::tools::file::Encoding> {
  using Encoding = toolpost::tools::file::Encoding;
  static constexpr std::pair<Encoding, std::string_view> kNames[] = {
      {Encoding::kUtf8, "utf-8"}, {Encoding::kBase64, "base64"}, {Encoding::kHex, "hex"}};
};
