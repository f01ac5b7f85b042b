// Master keys of the vault: from text to key, which texts are good enough, and the key form of the
// server this one replaces.
#pragma once

#include <string>
#include <string_view>

#include "base/cipher.h"
#include "toolpost/result.h"

namespace toolpost::store {

// The text of MSSQL_MCP_KEY or of a key file: 32 bytes in base64 are the key itself, anything else
// is a passphrase for scrypt.
struct KeyMaterial {
  std::string text;    // empty: no key configured
  std::string origin;  // for messages: "MSSQL_MCP_KEY", "the key file of vault.key_file"
};

struct MasterKey {
  base::SecretKey key;
  std::string id;      // 16 hex digits of a keyed hash: says which key, not what it is
  std::string check;   // 32 bytes only the key's owner can make
  std::string origin;  // where its text came from
};

// White space around the text is ignored. The salt matters for passphrases only.
MasterKey DeriveMasterKey(const KeyMaterial& material, std::string_view salt);

// Refuses texts that stand in documents and examples, and keys without any randomness. Any key.
Result<void> CheckNotWeak(const KeyMaterial& material);
// What a new key must be: 32 bytes in base64, or a passphrase of 16 to 256 characters with a letter
// and a digit or symbol; not weak.
Result<void> CheckNewKey(const KeyMaterial& material);

// Code::kConflict: the store needs one key, the process has another.
Error WrongKey(std::string_view needed_id, std::string_view given_id, std::string_view origin);
// Code::kConflict: there is no key. `needed_id` may be empty.
Error NoKey(std::string_view needed_id);

// True for `ENC:` and the base64 of an initialisation vector and at least one block.
bool IsLegacyText(std::string_view text);
// AES-256-CBC under PBKDF2-HMAC-SHA-256 of the key text, salt `mssqlMCP.Salt`, 10,000 rounds. That
// form is not authenticated: what does not come out as text is taken for a wrong key.
Result<std::string> OpenLegacyText(const KeyMaterial& material, std::string_view text);
// UTF-8 without control characters other than tab and line ends.
bool IsPlainText(std::string_view text);

}  // namespace toolpost::store
