// offset and HMAC of subject and offset, in base64url.
#include "tools/query_cursor.h"

#include <charconv>
#include <optional>

#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::tools {
namespace {

constexpr std::size_t kSignatureBytes = 16;

std::string Sign(std::string_view key, const CursorSubject& subject, std::uint64_t offset) {
  std::string text;
  const std::string parameters =
      subject.parameters == nullptr ? std::string("null") : base::ToJson(*subject.parameters);
  // Lengths keep the parts apart.
  for (const std::string_view part :
       {subject.principal, subject.connection, subject.statement, std::string_view(parameters)})
    text.append(base::StrCat(part.size(), ":", part));
  text.append(base::StrCat(offset));
  const base::Sha256Digest digest = base::HmacSha256(key, text);
  return std::string(reinterpret_cast<const char*>(digest.data()), kSignatureBytes);
}

}  // namespace

std::string MakeCursor(std::string_view key, const CursorSubject& subject, std::uint64_t offset) {
  return base::ToBase64Url(base::StrCat(Sign(key, subject, offset), offset));
}

Result<std::uint64_t> ReadCursor(std::string_view key, const CursorSubject& subject,
                                 std::string_view cursor) {
  const Error wrong = Error::InvalidParams(
      "The cursor does not belong to this query, its params and connection, or is too old: repeat "
      "them unchanged, or start again without cursor");
  const std::optional<std::string> bytes = base::FromBase64Url(cursor);
  if (!bytes || bytes->size() <= kSignatureBytes) return wrong;
  const std::string_view digits = std::string_view(*bytes).substr(kSignatureBytes);
  std::uint64_t offset = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), offset);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return wrong;
  if (!base::EqualConstantTime(std::string_view(*bytes).substr(0, kSignatureBytes),
                               Sign(key, subject, offset)))
    return wrong;
  return offset;
}

}  // namespace toolpost::tools
