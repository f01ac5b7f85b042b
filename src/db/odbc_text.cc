// Code points above U+FFFF become two units.
#include "db/odbc_text.h"

#include <cstdint>

#include "base/strings.h"

namespace toolpost::db {
namespace {

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

bool IsHigh(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLow(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

std::string FromWide(std::span<const SQLWCHAR> wide) {
  std::string out;
  for (std::size_t i = 0; i < wide.size() && wide[i] != 0; ++i) {
    const std::uint32_t unit = wide[i];
    if (IsHigh(unit) && i + 1 < wide.size() && IsLow(wide[i + 1])) {
      AppendUtf8(out, 0x10000 + ((unit - 0xd800) << 10) + (wide[++i] - 0xdc00U));
    } else {
      AppendUtf8(out, IsHigh(unit) || IsLow(unit) ? 0xfffd : unit);
    }
  }
  return out;
}

std::vector<SQLWCHAR> ToWide(std::string_view utf8) {
  std::vector<SQLWCHAR> out;
  out.reserve(utf8.size());
  const char* const end = utf8.data() + utf8.size();
  for (const char* at = utf8.data(); at < end;) {
    const auto lead = static_cast<unsigned char>(*at);
    if (lead < 0x80) {
      out.push_back(lead);
      ++at;
      continue;
    }
    const std::size_t size = base::Utf8SequenceLength(at, end);
    if (size == 0) {
      out.push_back(0xfffd);
      ++at;
      continue;
    }
    std::uint32_t code = lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      code = code << 6 | (static_cast<unsigned char>(at[i]) & 0x3fU);
    }
    at += size;
    if (code < 0x10000) {
      out.push_back(static_cast<SQLWCHAR>(code));
    } else {
      out.push_back(static_cast<SQLWCHAR>(0xd800 + ((code - 0x10000) >> 10)));
      out.push_back(static_cast<SQLWCHAR>(0xdc00 + ((code - 0x10000) & 0x3ff)));
    }
  }
  return out;
}

}  // namespace toolpost::db
