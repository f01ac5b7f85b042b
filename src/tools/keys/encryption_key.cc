// keys/GenerateSecureKey, keys/RotateKey and keys/MigrateConnectionsToEncrypted.
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/crypto.h"
#include "base/strings.h"
#include "tools/keys/key_file.h"
#include "tools/keys/key_view.h"
#include "tools/keys/keys.h"

namespace toolpost::tools::keys {
namespace {

constexpr std::string_view kFileName = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$";

struct GenerateArgs {
  std::int64_t length = 32;
  std::optional<std::string> file;
  static constexpr auto Fields() {
    return std::tuple{
        Opt("length", &GenerateArgs::length, "Bytes.").Range(16, 64).Default(32),
        Opt("file", &GenerateArgs::file, "Write it to this file instead of returning it.")
            .MaxLength(64)
            .Pattern(kFileName)};
  }
};

struct Generated {
  std::optional<std::string> key;
  std::optional<std::string> file;
  std::int64_t length = 0;
  std::string message;
  static constexpr auto Fields() {
    return std::tuple{Opt("key", &Generated::key, "Base64."), Opt("file", &Generated::file),
                      Req("length", &Generated::length), Req("message", &Generated::message)};
  }
};

struct RotateArgs {
  std::optional<std::string> new_key;
  std::optional<std::string> new_key_file;
  static constexpr auto Fields() {
    return std::tuple{
        Opt("newKey", &RotateArgs::new_key, "32 bytes in base64, or a passphrase.")
            .MinLength(16)
            .MaxLength(256),
        Opt("newKeyFile", &RotateArgs::new_key_file, "Or: file that GenerateSecureKey wrote.")
            .MaxLength(64)
            .Pattern(kFileName)};
  }
};

struct Rotated {
  std::int64_t count = 0;
  std::string old_key_id;
  std::string new_key_id;
  std::string message;
  static constexpr auto Fields() {
    return std::tuple{Req("count", &Rotated::count), Req("oldKeyId", &Rotated::old_key_id),
                      Req("newKeyId", &Rotated::new_key_id), Req("message", &Rotated::message)};
  }
};

struct NoArgs {
  static constexpr auto Fields() { return std::tuple{}; }
};

struct Failure {
  std::string name;
  std::string reason;
  static constexpr auto Fields() {
    return std::tuple{Req("name", &Failure::name), Req("reason", &Failure::reason)};
  }
};

struct Migrated {
  std::int64_t count = 0;
  std::int64_t migrated = 0;
  std::int64_t already_encrypted = 0;
  std::vector<Failure> failed;
  std::string message;
  static constexpr auto Fields() {
    return std::tuple{Req("count", &Migrated::count), Req("migrated", &Migrated::migrated),
                      Req("alreadyEncrypted", &Migrated::already_encrypted),
                      Req("failed", &Migrated::failed), Req("message", &Migrated::message)};
  }
};

Result<Generated> Generate(const KeyServices& services, const GenerateArgs& args) {
  const std::string key = base::ToBase64(base::RandomBytes(static_cast<std::size_t>(args.length)));
  Generated made;
  made.length = args.length;
  if (!args.file) {
    made.key = key;
    made.message = "Keep it safe: set it as MSSQL_MCP_KEY, or give it to RotateKey.";
    return made;
  }
  RETURN_IF_ERROR(WriteKeyFile(services.key_directory, *args.file, key));
  made.file = *args.file;
  made.message = "Written to the key directory; give the name to RotateKey as newKeyFile.";
  return made;
}

Result<Rotated> Rotate(const KeyServices& services, const RotateArgs& args) {
  if (args.new_key.has_value() == args.new_key_file.has_value())
    return Error::InvalidParams("Give either newKey or newKeyFile");
  store::KeyMaterial material;
  material.origin = args.new_key ? "newKey" : "newKeyFile";
  if (args.new_key) {
    material.text = *args.new_key;
  } else {
    ASSIGN_OR_RETURN(material.text, ReadKeyFile(services.key_directory, *args.new_key_file));
  }
  ASSIGN_OR_RETURN(const store::Rotation rotation, services.vault->Rotate(material));
  return Rotated{
      rotation.count, rotation.old_key_id, rotation.new_key_id,
      base::StrCat("All secrets are sealed with the new key and this server uses it already. The "
                   "next start needs the key with id ",
                   rotation.new_key_id, ": set MSSQL_MCP_KEY or vault.key_file to it.")};
}

Result<Migrated> Migrate(const KeyServices& services) {
  ASSIGN_OR_RETURN(const store::Migration migration, services.vault->MigrateToEncrypted());
  Migrated result;
  result.count = result.migrated = migration.migrated;
  result.already_encrypted = migration.already_encrypted;
  for (const auto& failure : migration.failed)
    result.failed.push_back({failure.name, failure.reason});
  result.message = base::StrCat(migration.migrated, " migrated, ", migration.already_encrypted,
                                " encrypted already, ", migration.failed.size(), " failed.");
  return result;
}

}  // namespace

Tool GenerateSecureKeyTool(KeyServices services) {
  ToolInfo info = InfoOf("GenerateSecureKey", "mssql_generate_key", "Generate encryption key",
                         "Makes a random encryption key: returned, or written to a file.", true);
  return MakeTool<GenerateArgs, Generated>(
      std::move(info), [services = std::move(services)](const GenerateArgs& args, CallContext&) {
        return Generate(services, args);
      });
}

Tool RotateKeyTool(KeyServices services) {
  ToolInfo info =
      InfoOf("RotateKey", "mssql_rotate_key", "Rotate encryption key",
             "Seals all stored secrets with a new key, in one step, without a restart.", true);
  info.hints.destructive = true;
  return MakeTool<RotateArgs, Rotated>(
      std::move(info), [services = std::move(services)](const RotateArgs& args, CallContext&) {
        return Rotate(services, args);
      });
}

Tool MigrateConnectionsToEncryptedTool(KeyServices services) {
  ToolInfo info = InfoOf(
      "MigrateConnectionsToEncrypted", "mssql_migrate_connections", "Encrypt stored connections",
      "Seals stored connections that are still in plain text or in the old format.", true);
  info.hints.idempotent = true;
  return MakeTool<NoArgs, Migrated>(
      std::move(info),
      [services = std::move(services)](const NoArgs&, CallContext&) { return Migrate(services); });
}

}  // namespace toolpost::tools::keys
