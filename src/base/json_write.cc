// Append-only JSON writing.
#include "base/json_write.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/strings.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace toolpost::base {
namespace {

// Signed, so that bytes from 0x80 on count as below 0x20.
bool NeedsCare(char byte) {
  return static_cast<signed char>(byte) < 0x20 || byte == '"' || byte == '\\';
}

// True if any of the eight bytes needs care. The subtractions may borrow into higher bytes, but
// only when a lower byte matched.
bool AnyNeedsCare(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  const std::uint64_t quotes = bytes ^ (kOnes * '"');
  const std::uint64_t backslashes = bytes ^ (kOnes * '\\');
  const std::uint64_t matches =
      bytes | (bytes - kOnes * 0x20) | (quotes - kOnes) | (backslashes - kOnes);
  return (matches & kHighBits) != 0;
}

// The first byte at or after `at` that is not plain ASCII text.
const char* SkipPlain(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i space = _mm_set1_epi8(0x20);
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i special =
        _mm_or_si128(_mm_cmplt_epi8(bytes, space),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#endif
  for (std::uint64_t bytes = 0; end - at >= 8; at += 8) {
    std::memcpy(&bytes, at, 8);
    if (AnyNeedsCare(bytes)) break;
  }
  while (at != end && !NeedsCare(*at)) ++at;
  return at;
}

constexpr std::size_t kShort = 62;
constexpr std::size_t kLong = 4096;  // from here on, room is made once

// One append instead of three, for the many short names and values.
void AppendQuoted(std::string& out, std::string_view text) {
  char quoted[kShort + 2];
  quoted[0] = '"';
  std::memcpy(quoted + 1, text.data(), text.size());
  quoted[text.size() + 1] = '"';
  out.append(quoted, text.size() + 2);
}

// Writes into `out` by way of a buffer: where every other word needs an escape, as in JSON within
// JSON, an append for each piece costs more than the piece.
class Pieces {
 public:
  explicit Pieces(std::string& out) : out_(out) {}

  void Add(const char* bytes, std::size_t size) {
    if (size > kRoom - size_) Flush();
    if (size > kRoom) {
      out_.append(bytes, size);
      return;
    }
    std::memcpy(buffer_ + size_, bytes, size);
    size_ += size;
  }
  void AddEscape(char byte) {
    if (kRoom - size_ < 6) Flush();
    buffer_[size_++] = '\\';
    const char letter = LetterOf(byte);
    if (letter != 0) {
      buffer_[size_++] = letter;
      return;
    }
    constexpr char kHex[] = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(byte);
    for (const char digit : {'u', '0', '0', kHex[code >> 4], kHex[code & 15]}) {
      buffer_[size_++] = digit;
    }
  }
  void Flush() {
    out_.append(buffer_, size_);
    size_ = 0;
  }

 private:
  static constexpr std::size_t kRoom = 512;

  // 0: none stands for this byte.
  static char LetterOf(char byte) {
    switch (byte) {
      case '"':
      case '\\':
        return byte;
      case '\n':
        return 'n';
      case '\t':
        return 't';
      case '\r':
        return 'r';
      case '\b':
        return 'b';
      case '\f':
        return 'f';
      default:
        return 0;
    }
  }

  std::string& out_;
  std::size_t size_ = 0;
  char buffer_[kRoom];
};

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const char* run = at;  // start of what is copied as it is
  at = SkipPlain(at, end);
  if (at == end && text.size() <= kShort) return AppendQuoted(out, text);
  if (text.size() >= kLong) out.reserve(out.size() + text.size() + text.size() / 16);
  Pieces pieces(out);
  pieces.Add("\"", 1);
  for (; at != end; at = SkipPlain(at, end)) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte >= 0x80) {
      const std::size_t length = Utf8SequenceLength(at, end);
      if (length != 0) {
        at += length;
        continue;
      }
    }
    pieces.Add(run, static_cast<std::size_t>(at - run));
    if (byte >= 0x80) {
      pieces.Add("\xEF\xBF\xBD", 3);
    } else {
      pieces.AddEscape(*at);
    }
    run = ++at;
  }
  pieces.Add(run, static_cast<std::size_t>(end - run));
  pieces.Add("\"", 1);
  pieces.Flush();
}

void AppendJsonInt(std::string& out, std::int64_t value) { AppendPiece(out, value); }

void AppendJsonUint(std::string& out, std::uint64_t value) { AppendPiece(out, value); }

void AppendJsonDouble(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out.append("null");
    return;
  }
  char digits[32];
  const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  const std::string_view text(digits, static_cast<std::size_t>(end - digits));
  out.append(text);
  if (text.find_first_of(".e") == std::string_view::npos) out.append(".0");
}

void AppendJsonMilliseconds(std::string& out, std::chrono::nanoseconds duration) {
  const std::int64_t micros =
      std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  const std::int64_t part = micros % 1000;
  AppendPiece(out, micros / 1000);
  out.append({'.', static_cast<char>('0' + part / 100), static_cast<char>('0' + part / 10 % 10),
              static_cast<char>('0' + part % 10)});
}

void AppendJson(std::string& out, const JsonObject& value) {
  out.push_back('{');
  bool first = true;
  for (const auto& member : value) {
    if (!first) out.push_back(',');
    first = false;
    AppendJsonString(out, member.key());
    out.push_back(':');
    AppendJson(out, member.value());
  }
  out.push_back('}');
}

void AppendJson(std::string& out, const JsonArray& value) {
  out.push_back('[');
  bool first = true;
  for (const auto& element : value) {
    if (!first) out.push_back(',');
    first = false;
    AppendJson(out, element);
  }
  out.push_back(']');
}

void AppendJson(std::string& out, const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      out.append("null");
      return;
    case boost::json::kind::bool_:
      out.append(value.get_bool() ? "true" : "false");
      return;
    case boost::json::kind::int64:
      AppendJsonInt(out, value.get_int64());
      return;
    case boost::json::kind::uint64:
      AppendJsonUint(out, value.get_uint64());
      return;
    case boost::json::kind::double_:
      AppendJsonDouble(out, value.get_double());
      return;
    case boost::json::kind::string:
      AppendJsonString(out, value.get_string());
      return;
    case boost::json::kind::array:
      AppendJson(out, value.get_array());
      return;
    case boost::json::kind::object:
      AppendJson(out, value.get_object());
      return;
  }
}

std::string ToJson(const Json& value) {
  std::string out;
  AppendJson(out, value);
  return out;
}

}  // namespace toolpost::base
