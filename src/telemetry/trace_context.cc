// Reads `version-trace-span-flags`.
#include "telemetry/trace_context.h"

#include <algorithm>
#include <span>

#include "base/crypto.h"

namespace toolpost::telemetry {
namespace {

constexpr std::size_t kLength = 55;
constexpr std::size_t kLongestState = 512;

// Upper case is not allowed.
int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// False unless all of `text` is hex.
bool ReadHex(std::string_view text, std::span<std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = Digit(text[2 * i]);
    const int low = Digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return true;
}

bool IsZero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

std::string Hex(std::span<const std::uint8_t> bytes) {
  return base::ToHex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::optional<TraceContext> ParseTraceparent(std::string_view text) {
  if (text.size() < kLength || text[2] != '-' || text[35] != '-' || text[52] != '-')
    return std::nullopt;
  std::array<std::uint8_t, 1> version{};
  std::array<std::uint8_t, 1> flags{};
  TraceContext context;
  if (!ReadHex(text.substr(0, 2), version) || !ReadHex(text.substr(3, 32), context.trace_id) ||
      !ReadHex(text.substr(36, 16), context.span_id) || !ReadHex(text.substr(53, 2), flags))
    return std::nullopt;
  const bool whole = text.size() == kLength || (version[0] != 0 && text[kLength] == '-');
  if (version[0] == 0xFF || !whole || IsZero(context.trace_id) || IsZero(context.span_id))
    return std::nullopt;
  context.sampled = (flags[0] & 1) != 0;
  return context;
}

std::string_view UsableTracestate(std::string_view text) {
  const bool printable = std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
  return printable && text.size() <= kLongestState ? text : std::string_view();
}

std::string ToHex(const TraceId& id) { return Hex(id); }
std::string ToHex(const SpanId& id) { return Hex(id); }

}  // namespace toolpost::telemetry
