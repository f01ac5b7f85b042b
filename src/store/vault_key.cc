// Derives and judges master keys, reads the legacy form.
#include "store/vault_key.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::store {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kLegacyPrefix = "ENC:";
constexpr std::string_view kLegacySalt = "mssqlMCP.Salt";
constexpr int kLegacyRounds = 10'000;
constexpr std::size_t kBlock = 16;
constexpr std::size_t kFewestCharacters = 16;
constexpr std::size_t kMostCharacters = 256;
constexpr std::size_t kIdBytes = 8;

// Compared without case and without what is neither letter nor digit.
constexpr std::array<std::string_view, 26> kPlaceholders = {"",
                                                            "password",
                                                            "passphrase",
                                                            "secret",
                                                            "changeme",
                                                            "changethis",
                                                            "default",
                                                            "defaultkey",
                                                            "example",
                                                            "examplekey",
                                                            "key",
                                                            "mykey",
                                                            "yourkey",
                                                            "yourkeyhere",
                                                            "yoursecretkey",
                                                            "yourapikey",
                                                            "yourencryptionkey",
                                                            "yoursecurekey",
                                                            "test",
                                                            "testkey",
                                                            "todo",
                                                            "masterkey",
                                                            "mssqlmcpkey",
                                                            "encryptionkey",
                                                            "placeholder",
                                                            "replaceme"};

std::string_view TrimAll(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) - begin + 1);
}

std::optional<base::SecretKey> DirectKey(std::string_view text) {
  auto bytes = base::FromBase64(text);
  if (!bytes) return {};
  auto key = base::SecretKey::From(*bytes);
  base::Wipe(*bytes);
  return key;
}

std::string Keyed(const base::SecretKey& key, std::string_view purpose, std::size_t bytes) {
  const base::Sha256Digest digest = base::HmacSha256(key.view(), purpose);
  return {reinterpret_cast<const char*>(digest.data()), bytes};
}

// One byte over and over, or bytes that count up or down.
bool HasConstantStep(std::string_view bytes) {
  for (std::size_t i = 2; i < bytes.size(); ++i) {
    const auto step = [&](std::size_t at) {
      return static_cast<unsigned char>(bytes[at] - bytes[at - 1]);
    };
    if (step(i) != step(i - 1)) return false;
  }
  return true;
}

bool IsPlaceholder(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) letters.push_back(c);
    if (c >= 'A' && c <= 'Z') letters.push_back(static_cast<char>(c + ('a' - 'A')));
  }
  const bool listed =
      std::find(kPlaceholders.begin(), kPlaceholders.end(), letters) != kPlaceholders.end();
  const bool non_ascii =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) < 0; });
  return listed && !(letters.empty() && non_ascii);
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0;
}

}  // namespace

MasterKey DeriveMasterKey(const KeyMaterial& material, std::string_view salt) {
  const std::string_view text = TrimAll(material.text);
  const auto direct = DirectKey(text);
  MasterKey key{.key = direct ? *direct : base::Scrypt(text, salt), .origin = material.origin};
  key.id = base::ToHex(Keyed(key.key, "toolpost key id", kIdBytes));
  key.check = Keyed(key.key, "toolpost key check", base::Sha256Digest().size());
  return key;
}

Result<void> CheckNotWeak(const KeyMaterial& material) {
  const std::string_view text = TrimAll(material.text);
  const auto direct = DirectKey(text);
  const bool weak =
      direct ? HasConstantStep(direct->view()) : HasConstantStep(text) || IsPlaceholder(text);
  if (!weak) return {};
  return Error::InvalidParams(base::StrCat(
      "The key of ", material.origin,
      " is a placeholder or a known example, so it protects nothing. Use 32 random bytes in base64 "
      "(GenerateSecureKey makes one) or a passphrase of your own"));
}

Result<void> CheckNewKey(const KeyMaterial& material) {
  const std::string_view text = TrimAll(material.text);
  const bool is_direct = DirectKey(text).has_value();
  const std::size_t length = base::IsValidUtf8(text) ? base::CountCodePoints(text) : 0;
  const bool has_letter = std::any_of(text.begin(), text.end(), IsLetter);
  const bool has_other =
      std::any_of(text.begin(), text.end(), [](char c) { return !IsLetter(c) && c > ' '; });
  const bool is_passphrase = length >= kFewestCharacters && length <= kMostCharacters &&
                             has_letter && has_other && IsPlainText(text);
  if (!is_direct && !is_passphrase) {
    return Error::InvalidParams(base::StrCat(
        "The new key is not good enough: give 32 random bytes in base64 (44 characters), or a "
        "passphrase of ",
        kFewestCharacters, " to ", kMostCharacters,
        " characters with at least one letter and one digit or symbol"));
  }
  return CheckNotWeak(material);
}

Error WrongKey(std::string_view needed_id, std::string_view given_id, std::string_view origin) {
  return {Code::kConflict,
          base::StrCat("The stored secrets are sealed with key ", needed_id, ", but ", origin,
                       " gives key ", given_id, ". Set ", origin, " to key ", needed_id,
                       " (after a rotation that is the new key) and start again"),
          {}};
}

Error NoKey(std::string_view needed_id) {
  return {Code::kConflict,
          base::StrCat("Secrets are stored, but there is no key to open them. Set MSSQL_MCP_KEY or "
                       "vault.key_file to ",
                       needed_id.empty() ? "the key they were sealed with" : "key ", needed_id),
          {}};
}

bool IsLegacyText(std::string_view text) {
  if (!text.starts_with(kLegacyPrefix)) return false;
  const auto bytes = base::FromBase64(text.substr(kLegacyPrefix.size()));
  return bytes && bytes->size() >= 2 * kBlock && bytes->size() % kBlock == 0;
}

Result<std::string> OpenLegacyText(const KeyMaterial& material, std::string_view text) {
  if (!IsLegacyText(text)) return Error::Internal("It is damaged: no ENC: text");
  const std::string bytes = *base::FromBase64(text.substr(kLegacyPrefix.size()));
  const base::SecretKey key =
      base::Pbkdf2Sha256(TrimAll(material.text), kLegacySalt, kLegacyRounds);
  auto secret = base::OpenAes256Cbc(key, std::string_view(bytes).substr(0, kBlock),
                                    std::string_view(bytes).substr(kBlock));
  if (secret && IsPlainText(*secret)) return *std::move(secret);
  if (secret) base::Wipe(*secret);
  return Error{Code::kConflict,
               base::StrCat("The key of ", material.origin,
                            " does not open it: set the key it was encrypted with"),
               {}};
}

bool IsPlainText(std::string_view text) {
  return base::IsValidUtf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
         });
}

}  // namespace toolpost::store
