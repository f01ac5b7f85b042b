// Readers of values, and the checks both engines share.
#include "db/sql.h"

#include "base/strings.h"

namespace toolpost::db {
namespace {

bool IsPlainText(std::string_view text) {
  return text.find('\0') == std::string_view::npos && base::IsValidUtf8(text);
}

Error NotPlainText() {
  return Error::InvalidParams("Text must be valid UTF-8 without NUL characters");
}

}  // namespace

Result<void> CheckStatement(std::string_view sql, const std::vector<Value>& parameters) {
  if (!IsPlainText(sql)) return NotPlainText();
  for (const Value& value : parameters) {
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && !IsPlainText(*text)) return NotPlainText();
  }
  return {};
}

std::int64_t IntegerOr(const Value& value, std::int64_t fallback) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr ? *integer : fallback;
}

double RealOr(const Value& value, double fallback) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&value);
  return real != nullptr ? *real : fallback;
}

std::string TextOr(const Value& value, std::string_view fallback) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : std::string(fallback);
}

std::string BytesOr(const Value& value, std::string_view fallback) {
  const auto* blob = std::get_if<Blob>(&value);
  return blob != nullptr ? blob->bytes : std::string(fallback);
}

bool IsNull(const Value& value) { return std::holds_alternative<std::monostate>(value); }

}  // namespace toolpost::db
