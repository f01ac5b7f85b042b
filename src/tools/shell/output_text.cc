// Replacing what is not UTF-8.
#include "tools/shell/output_text.h"

#include "base/strings.h"

namespace toolpost::tools::shell {

std::string OutputText(std::string bytes) {
  if (base::IsValidUtf8(bytes)) return bytes;
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end;) {
    const std::size_t length = base::Utf8SequenceLength(at, end);
    text.append(length == 0 ? "\ufffd" : std::string_view(at, length));
    at += length == 0 ? 1 : length;
  }
  return text;
}

}  // namespace toolpost::tools::shell
