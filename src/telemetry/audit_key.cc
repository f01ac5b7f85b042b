// Reads, makes and derives the keys of an audit log.
#include "telemetry/audit_key.h"

#include "base/crypto.h"
#include "telemetry/audit_file.h"

namespace toolpost::telemetry {
namespace {

constexpr std::size_t kSecretBytes = 32;

std::string KeyPath(const std::string& directory) { return directory + "/audit.key"; }

std::string DeriveOne(const std::string& secret, std::string_view purpose) {
  const base::Sha256Digest digest = base::HmacSha256(secret, purpose);
  return {digest.begin(), digest.end()};
}

}  // namespace

AuditKeys AuditKeys::Derive(const std::string& secret) {
  return {.chain = DeriveOne(secret, "toolpost audit chain"),
          .sign = DeriveOne(secret, "toolpost audit sign"),
          .index = DeriveOne(secret, "toolpost audit index"),
          .arguments = DeriveOne(secret, "toolpost audit arguments")};
}

Result<std::optional<AuditKeys>> LoadAuditKeys(const std::string& directory) {
  ASSIGN_OR_RETURN(const auto text, ReadWholeFile(KeyPath(directory)));
  if (!text) return std::optional<AuditKeys>();
  std::string_view encoded = *text;
  if (encoded.ends_with('\n')) encoded.remove_suffix(1);
  const std::optional<std::string> secret = base::FromBase64(encoded);
  if (!secret || secret->size() != kSecretBytes) {
    return Error::Unavailable(
        "audit.key is damaged: it must hold 32 bytes in base64. Put the right key back, or move "
        "the whole audit directory away to start a new log");
  }
  return std::optional<AuditKeys>(AuditKeys::Derive(*secret));
}

Result<AuditKeys> LoadOrMakeAuditKeys(const std::string& directory) {
  RETURN_IF_ERROR(MakeAuditDirectory(directory));
  ASSIGN_OR_RETURN(const AuditFile lock, LockDirectory(directory, Sharing::kExclusive));
  ASSIGN_OR_RETURN(auto keys, LoadAuditKeys(directory));
  if (keys) return *std::move(keys);
  const std::string secret = base::RandomBytes(kSecretBytes);
  RETURN_IF_ERROR(ReplaceFile(KeyPath(directory), base::ToBase64(secret) + "\n"));
  return AuditKeys::Derive(secret);
}

}  // namespace toolpost::telemetry
