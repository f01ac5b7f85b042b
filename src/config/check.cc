// Checks of the whole configuration.
#include "config/check.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "config/bind.h"
#include "config/telemetry_settings.h"
#include "config/value.h"

namespace toolpost::config {
namespace {

constexpr std::size_t kMinMasterKey = 16;  // characters
constexpr std::size_t kMinJwtSecret = 32;  // bytes: RFC 7518, 3.2
constexpr std::size_t kMaxInstructions = 1'500;

// A setting of `config` under discussion.
class Complaint {
 public:
  explicit Complaint(const Config& config) : config_(config) {}
  Error operator()(std::string_view key, std::string_view text) const {
    return Error::InvalidParams(base::StrCat(OriginOf(config_, key).name, ": ", key, " ", text));
  }

 private:
  const Config& config_;
};

bool IsOrigin(std::string_view text) {
  const std::size_t scheme = text.find("://");
  return (text.starts_with("http://") || text.starts_with("https://")) &&
         text.size() > scheme + 3 &&
         text.find_first_of("/?#@* \t", scheme + 3) == std::string_view::npos;
}

// http: or https: with a host, and neither user information nor fragment.
bool IsUrl(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (!text.starts_with("http://") && !text.starts_with("https://")) return false;
  const std::string_view rest = text.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  return !authority.empty() && authority.find('@') == std::string_view::npos &&
         std::none_of(rest.begin(), rest.end(), [](char c) {
           return c == '#' || static_cast<unsigned char>(c) <= 0x20 || c == 0x7F;
         });
}

// https:, or http: to this machine.
bool IsTrustworthyUrl(std::string_view text) {
  if (!IsUrl(text)) return false;
  if (text.starts_with("https://")) return true;
  std::string_view host = text.substr(7);
  host = host.substr(0, host.find_first_of("/?"));
  if (host.starts_with('[')) {
    host = host.substr(1, std::min(host.find(']'), host.size()) - 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  return IsLoopback(host);
}

Result<void> CheckHttp(const Config& config, const Complaint& wrong) {
  if (config.http.host.empty())
    return wrong("http.host", "must name at least one address, such as 127.0.0.1");
  for (const std::string& host : config.http.host) {
    if (!IsAddress(host)) {
      return wrong("http.host",
                   base::StrCat("must be IP addresses or localhost, not ", QuoteToml(host)));
    }
  }
  for (const std::string& origin : config.http.allowed_origins) {
    if (!IsOrigin(origin)) {
      return wrong(
          "http.allowed_origins",
          base::StrCat("must be origins such as \"https://app.example:8443\" (no path), not ",
                       QuoteToml(origin)));
    }
  }
  if (config.http.tls && (config.http.tls_cert.empty() || config.http.tls_key.empty())) {
    return wrong(
        "http.tls",
        base::StrCat("needs a certificate and its private key: set ",
                     config.http.tls_cert.empty() ? "http.tls_cert" : "",
                     config.http.tls_cert.empty() && config.http.tls_key.empty() ? " and " : "",
                     config.http.tls_key.empty() ? "http.tls_key" : "", " to PEM files"));
  }
  return {};
}

Result<void> CheckWeb(const Config& config, const Complaint& wrong) {
  const Config::Web& web = config.web;
  if (!web.proxy.empty() && (!IsUrl(web.proxy) || !web.proxy.starts_with("http://")))
    return wrong("web.proxy", "must be an http:// URL without user name, such as http://host:3128");
  const bool printable = std::all_of(web.user_agent.begin(), web.user_agent.end(),
                                     [](char c) { return c >= 0x20 && c < 0x7F; });
  if (!printable) return wrong("web.user_agent", "must be printable ASCII");
  return {};
}

Result<void> CheckPaths(const Config& config, const Complaint& wrong) {
  const std::array<std::pair<std::string_view, const std::string*>, 9> paths = {{
      {"state.dir", &config.state.dir},
      {"http.tls_cert", &config.http.tls_cert},
      {"http.tls_key", &config.http.tls_key},
      {"auth.jwt_key_file", &config.auth.jwt_key_file},
      {"appsettings.file", &config.appsettings.file},
      {"vault.key_file", &config.vault.key_file},
      {"web.ca_file", &config.web.ca_file},
      {"mssql.ca_file", &config.mssql.ca_file},
      {"mssql.stub_file", &config.mssql.stub_file},
  }};
  for (const auto& [key, path] : paths) {
    if (path->starts_with("~"))
      return wrong(key, "must not start with \"~\"; write \"${HOME}/…\" or the whole path");
  }
  return {};
}

Result<void> CheckSecrets(const Config& config, const Complaint& wrong) {
  const auto check = [&](std::string_view key, const std::string& secret,
                         std::size_t minimum) -> Result<void> {
    if (secret.empty()) return {};
    const std::string weakness = WeaknessOf(secret, minimum);
    if (weakness.empty()) return {};
    return wrong(key, base::StrCat(weakness, "; make one with: openssl rand -base64 32"));
  };
  RETURN_IF_ERROR(check("auth.master_key", config.auth.master_key, kMinMasterKey));
  RETURN_IF_ERROR(check("auth.jwt_secret", config.auth.jwt_secret, kMinJwtSecret));
  // How long a passphrase must be is for the vault to say.
  RETURN_IF_ERROR(check("vault.key", config.vault.key, 1));
  if (!config.vault.key.empty() && !config.vault.key_file.empty())
    return wrong("vault.key_file", "and vault.key are both set; set one of them");
  const std::string& url = config.store.url;
  if (!url.empty() && !url.starts_with("postgresql://") && !url.starts_with("postgres://"))
    return wrong("store.url", "must start with postgresql://");
  const std::string& connection = config.mssql.connection_string;
  if (!connection.empty() && connection.find('=') == std::string::npos) {
    return wrong("mssql.connection_string",
                 "must be a connection string such as Server=…;Database=…;User Id=…;Password=…");
  }
  return {};
}

bool CanVerifySignedTokens(const Config::Auth& auth) {
  return !auth.jwt_secret.empty() || !auth.jwt_key_file.empty() || !auth.jwks_url.empty();
}

bool Accepts(const Config::Auth& auth, bool signed_tokens) {
  return auth.method.empty() || auth.method == "any" || (auth.method != "token") == signed_tokens;
}

Result<void> CheckUrls(const Config& config, const Complaint& wrong) {
  const Config::Auth& auth = config.auth;
  // The value is not shown: it may hold a password.
  constexpr std::string_view kHttps =
      "must be an https:// URL (http:// only for this machine) without user name and fragment";
  if (!auth.jwks_url.empty()) {
    if (!IsTrustworthyUrl(auth.jwks_url)) return wrong("auth.jwks_url", kHttps);
    // RFC 8707: the keys of an authorization server sign tokens for other servers too.
    if (auth.issuer.empty() || auth.audience.empty()) {
      return wrong("auth.jwks_url",
                   "needs auth.issuer and auth.audience, else tokens meant for other servers "
                   "would be accepted; set both");
    }
  }
  for (const std::string& server : auth.authorization_servers) {
    if (!IsTrustworthyUrl(server)) return wrong("auth.authorization_servers", kHttps);
  }
  if (!auth.resource.empty() && !IsUrl(auth.resource)) {
    return wrong(
        "auth.resource",
        "must be the URL of this server, such as \"https://mcp.example/mcp\", without user "
        "name and fragment");
  }
  return {};
}

// API keys may be in the store, so `token` always leaves a way in.
Result<void> CheckMethod(const Config& config, const Complaint& wrong) {
  const Config::Auth& auth = config.auth;
  const bool verifies = CanVerifySignedTokens(auth);
  if (!auth.required && auth.master_key.empty() && !verifies) return {};
  if (Accepts(auth, false)) return {};
  if (!verifies) {
    return wrong("auth.method",
                 base::StrCat("is ", auth.method,
                              ", and there is no key to verify signed tokens with: set "
                              "auth.jwt_secret, auth.jwt_key_file or auth.jwks_url"));
  }
  return {};
}

Result<void> CheckExport(const Config& config, const Complaint& wrong) {
  // The value is not shown: it may hold a password.
  if (!config.telemetry.endpoint.empty() && !IsUrl(config.telemetry.endpoint)) {
    return wrong("telemetry.endpoint",
                 "must be an http:// or https:// URL without user name and fragment");
  }
  std::string key;
  const Result<void> checked = CheckTelemetry(config, key);
  if (!checked) return wrong(key, checked.error().message);
  return {};
}

void Warn(Config& config) {
  const auto warn = [&](std::string_view key, std::string_view text) {
    config.warnings.push_back(base::StrCat(key, " ", text));
  };
  if (config.http.allowed_hosts.empty() &&
      !std::ranges::all_of(config.http.host, [](const auto& host) { return IsLoopback(host); }))
    warn("http.allowed_hosts",
         "is empty: requests under any other name than localhost are refused (403); list the "
         "names and addresses by which clients reach this server");
  if (!config.http.tls && !config.http.tls_cert.empty())
    warn("http.tls_cert", "is set, but http.tls is false: connections are not encrypted");
  if (config.auth.method == "oauth" && config.auth.issuer.empty() &&
      config.auth.authorization_servers.empty() && AuthenticationConfigured(config))
    warn("auth.method",
         "is oauth, but clients are not told where to get a token: set auth.issuer or "
         "auth.authorization_servers");
  if (config.auth.method == "token" && CanVerifySignedTokens(config.auth))
    warn("auth.method", "is token: signed tokens are not accepted, though a key for them is set");
  if (!Accepts(config.auth, false) && !config.auth.master_key.empty())
    warn("auth.master_key", base::StrCat("is not accepted: auth.method is ", config.auth.method));
}

}  // namespace

std::string WeaknessOf(std::string_view secret, std::size_t minimum) {
  // Letters and digits only, so that "Your-API-key_here" is found as well.
  constexpr std::array<std::string_view, 20> kPlaceholders = {
      "changeme",    "changethis", "changeit",    "replaceme",  "replacethis",
      "placeholder", "insertyour", "enteryour",   "yourapikey", "yoursecret",
      "yourkey",     "yourmaster", "yourtoken",   "yourstrong", "yoursuper",
      "keyhere",     "secrethere", "supersecret", "password",   "notsecure"};
  constexpr std::array<std::string_view, 4> kSequences = {"0123456789abcdef", "1234567890123456",
                                                          "abcdefghijklmnop", "qwertyuiopasdfgh"};
  constexpr std::size_t kMinDifferent = 5;
  std::string plain;
  for (const char c : base::ToLower(secret)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain.push_back(c);
  }
  for (const std::string_view placeholder : kPlaceholders) {
    if (plain.find(placeholder) != std::string::npos)
      return "is a well-known placeholder that others would try";
  }
  for (const std::string_view sequence : kSequences) {
    if (plain.starts_with(sequence)) return "is a sequence that others would try";
  }
  std::string different(secret);
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() == 1) return "is one character repeated";
  if (secret.size() < minimum) {
    return base::StrCat("has ", secret.size(), " bytes; at least ", minimum, " are needed");
  }
  if (different.size() < kMinDifferent) return "repeats a few characters";
  return {};
}

bool AuthenticationConfigured(const Config& config) {
  const Config::Auth& auth = config.auth;
  return auth.required || (!auth.master_key.empty() && Accepts(auth, false)) ||
         (CanVerifySignedTokens(auth) && Accepts(auth, true));
}

Result<void> CheckMeaning(Config& config) {
  const Complaint wrong(config);
  RETURN_IF_ERROR(CheckHttp(config, wrong));
  if (const std::size_t bytes = config.mcp.instructions.size(); bytes > kMaxInstructions)
    return wrong("mcp.instructions", base::StrCat("has ", bytes, " bytes; at most ",
                                                  kMaxInstructions, " reach every model"));
  RETURN_IF_ERROR(CheckWeb(config, wrong));
  RETURN_IF_ERROR(CheckPaths(config, wrong));
  RETURN_IF_ERROR(CheckSecrets(config, wrong));
  RETURN_IF_ERROR(CheckUrls(config, wrong));
  RETURN_IF_ERROR(CheckMethod(config, wrong));
  RETURN_IF_ERROR(CheckExport(config, wrong));
  Warn(config);
  return {};
}

}  // namespace toolpost::config
