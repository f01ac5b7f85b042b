// The rows of the option table about identity and secrets.
#include "config/option_rows.h"

namespace toolpost::config {
namespace {

using namespace rows;  // the vocabulary of the table

std::vector<Option> AuthRows() {
  return {
      Switch(
          "auth.required", "false", [](Config& c) -> bool& { return c.auth.required; },
          "Every HTTP request needs a credential, also where only stored API keys exist"),
      Choice(
          "auth.method", "any", {"any", "token", "jwt", "oauth"},
          [](Config& c) -> std::string& { return c.auth.method; },
          "Credentials accepted: API keys (`token`), signed tokens (`jwt`), signed tokens of an "
          "authorization server (`oauth`), or all of them"),
      Alias(Secret(
                "auth.master_key", [](Config& c) -> std::string& { return c.auth.master_key; },
                "API key that may do everything; at least 16 characters"),
            "MSSQL_MCP_API_KEY", ""),
      Secret(
          "auth.jwt_secret", [](Config& c) -> std::string& { return c.auth.jwt_secret; },
          "Secret of JSON Web Tokens signed with HS256; at least 32 bytes"),
      String(
          "auth.jwt_key_file", "", [](Config& c) -> std::string& { return c.auth.jwt_key_file; },
          "PEM file with the public key of JSON Web Tokens signed with RS256, ES256 or EdDSA"),
      String(
          "auth.jwks_url", "", [](Config& c) -> std::string& { return c.auth.jwks_url; },
          "Where the keys of an authorization server are published; needs `auth.issuer` and "
          "`auth.audience`"),
      String(
          "auth.issuer", "", [](Config& c) -> std::string& { return c.auth.issuer; },
          "The `iss` a JSON Web Token must have"),
      String(
          "auth.audience", "", [](Config& c) -> std::string& { return c.auth.audience; },
          "The `aud` a JSON Web Token must name"),
      DefaultNote(List(
                      "auth.authorization_servers", "",
                      [](Config& c) -> Strings& { return c.auth.authorization_servers; },
                      "Authorization servers clients are sent to (RFC 9728)"),
                  "`auth.issuer`"),
      DefaultNote(
          String(
              "auth.resource", "", [](Config& c) -> std::string& { return c.auth.resource; },
              "URL clients know this server by, such as `https://mcp.example/mcp` (RFC "
              "9728, RFC 8707)"),
          "`auth.audience` if that is a URL"),
  };
}

std::vector<Option> StorageRows() {
  return {
      String(
          "appsettings.file", "", [](Config& c) -> std::string& { return c.appsettings.file; },
          "An ASP.NET `appsettings.json`: `ApiSecurity.ApiKey` is the master key if no other is "
          "set, `ConnectionStrings` are offered as connections"),
      DefaultNote(Secret(
                      "store.url", [](Config& c) -> std::string& { return c.store.url; },
                      "PostgreSQL database for keys and secrets, `postgresql://…`"),
                  "an SQLite file in `state.dir`"),
      Alias(Secret(
                "vault.key", [](Config& c) -> std::string& { return c.vault.key; },
                "Key that encrypts stored secrets: 32 bytes in base64, or a passphrase"),
            "MSSQL_MCP_KEY", ""),
      String(
          "vault.key_file", "", [](Config& c) -> std::string& { return c.vault.key_file; },
          "File that holds that key instead"),
      Switch(
          "audit.enabled", "true", [](Config& c) -> bool& { return c.audit.enabled; },
          "Record every call and every refusal"),
      Time(
          "audit.keep", "90d", kHour, 3650 * kDay,
          [](Config& c) -> Duration& { return c.audit.keep; }, "Time records are kept"),
      Size(
          "audit.max_bytes", "1GiB", kKiB * kKiB, kKiB * kGiB,
          [](Config& c) -> std::uint64_t& { return c.audit.max_bytes; },
          "Size of all records at which the oldest are removed"),
  };
}

}  // namespace

std::vector<Option> AccessTable() {
  std::vector<Option> table = AuthRows();
  for (Option& option : StorageRows()) table.push_back(std::move(option));
  return table;
}

}  // namespace toolpost::config
