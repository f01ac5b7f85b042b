// Store, keys, tokens, audit: opened in the order a start needs them.
#include "cli/identity.h"

#include <chrono>

#include "auth/jwks.h"
#include "auth/oauth_resource.h"
#include "auth/policy.h"
#include "base/crypto.h"
#include "base/json_write.h"
#include "base/strings.h"
#include "config/file.h"
#include "mcp/call_record.h"
#include "tools/keys/key_file.h"
#include "transport/server_impl.h"

namespace toolpost::cli {
namespace {

constexpr std::string_view kTokenName = "local-token";

std::shared_ptr<telemetry::AuditLog> OpenAudit(const config::Config& config) {
  if (!config.audit.enabled) return nullptr;
  telemetry::AuditOptions options;
  options.directory = config.state.dir + "/audit";
  options.total_bytes = config.audit.max_bytes;
  options.keep = std::chrono::duration_cast<std::chrono::hours>(config.audit.keep);
  return std::make_shared<telemetry::AuditLog>(options);
}

Result<store::KeyMaterial> VaultKey(const config::Config& config) {
  if (!config.vault.key.empty()) return store::KeyMaterial{config.vault.key, "MSSQL_MCP_KEY"};
  if (config.vault.key_file.empty()) return store::KeyMaterial{};
  ASSIGN_OR_RETURN(std::string text,
                   config::ReadText(config.vault.key_file, "file of vault.key_file"));
  return store::KeyMaterial{std::move(text), "the file of vault.key_file"};
}

net::AddressPolicy IssuerAddresses(const config::Config& config) {
  net::AddressPolicy policy;
  // An issuer on this machine or the local network is the operator's own choice: it stands in the
  // configuration.
  policy.loopback = policy.private_networks = !config.auth.jwks_url.empty();
  return policy;
}

// The audience of tokens is the canonical URL of the server (RFC 8707) unless told otherwise.
std::string ResourceOf(const config::Config& config) {
  if (!config.auth.resource.empty()) return config.auth.resource;
  const std::string& audience = config.auth.audience;
  return audience.starts_with("https://") || audience.starts_with("http://") ? audience : "";
}

// Of names, texts and values, without serialising them: a result may be large.
std::uint64_t BytesOf(const Json& value) {
  constexpr std::uint64_t kScalar = 8;
  std::uint64_t bytes = 0;
  if (value.is_string()) return value.get_string().size();
  if (value.is_array()) {
    for (const Json& each : value.get_array()) bytes += BytesOf(each);
    return bytes;
  }
  if (value.is_object()) {
    for (const auto& member : value.get_object())
      bytes += member.key().size() + BytesOf(member.value());
    return bytes;
  }
  return kScalar;
}

std::uint64_t BytesOf(const Output& output) {
  if (output.content.empty())
    return output.structured_text.empty() ? BytesOf(output.structured)
                                          : output.structured_text.size();
  std::uint64_t bytes = 0;
  for (const Json& block : output.content) bytes += BytesOf(block);
  return bytes;
}

}  // namespace

Result<std::unique_ptr<Identity>> Identity::Make(const config::Config& config) {
  ASSIGN_OR_RETURN(store::KeyMaterial key, VaultKey(config));
  return std::unique_ptr<Identity>(new Identity(config, std::move(key)));
}

Identity::Identity(const config::Config& config, store::KeyMaterial vault_key)
    : config_(config),
      store_(std::make_shared<store::Store>(
          store::StoreOptions{.url = config.store.url, .directory = config.state.dir})),
      ring_(std::make_shared<auth::KeyRing>(store_)),
      usage_(std::make_shared<store::UsageLog>(
          store_, std::chrono::duration_cast<std::chrono::seconds>(config.audit.keep))),
      users_(std::make_shared<store::Users>(store_)),
      vault_(std::make_shared<store::Vault>(store_, std::move(vault_key))),
      audit_(OpenAudit(config)),
      resource_(ResourceOf(config)) {}

Identity::~Identity() = default;

Result<void> Identity::OpenKeySources() {
  std::vector<auth::VerificationKey> keys;
  if (!config_.auth.jwt_secret.empty()) {
    ASSIGN_OR_RETURN(auto key, auth::VerificationKey::FromSecret(config_.auth.jwt_secret));
    keys.push_back(std::move(key));
  }
  if (!config_.auth.jwt_key_file.empty()) {
    ASSIGN_OR_RETURN(const std::string pem,
                     config::ReadText(config_.auth.jwt_key_file, "file of auth.jwt_key_file"));
    ASSIGN_OR_RETURN(auto key, auth::VerificationKey::FromPem(pem));
    keys.push_back(std::move(key));
  }
  if (!keys.empty()) {
    jwt_keys_ = auth::FixedKeys(std::move(keys));
  } else if (!config_.auth.jwks_url.empty()) {
    ASSIGN_OR_RETURN(jwt_keys_, auth::Jwks::Open({.url = config_.auth.jwks_url,
                                                  .issuer = config_.auth.issuer,
                                                  .addresses = IssuerAddresses(config_)}));
  }
  return {};
}

Result<std::shared_ptr<auth::Authenticator>> Identity::MakeAuthenticator(bool required) {
  RETURN_IF_ERROR(OpenKeySources());
  const std::string& method = config_.auth.method;
  auth::AuthenticatorOptions options;
  options.required = required;
  options.accept_keys = method == "any" || method == "token";
  options.accept_jwts = method != "token";
  options.master_key = config_.auth.master_key;
  options.local_token = local_token_;
  options.jwt_rules.issuer = config_.auth.issuer;
  options.jwt_rules.audience = config_.auth.audience;
  options.jwt_keys = jwt_keys_;
  options.ring = ring_;
  options.users = users_;
  if (!resource_.empty())
    options.challenge = auth::ChallengeParameters(auth::MetadataUrl(resource_));
  return std::make_shared<auth::Authenticator>(std::move(options));
}

Result<void> Identity::MakeLocalToken() {
  local_token_file_ = base::StrCat(config_.state.dir, "/", kTokenName);
  if (Result<std::string> kept =
          tools::keys::ReadKeyFile(config_.state.dir, std::string(kTokenName));
      kept) {
    local_token_ = *std::move(kept);
    return {};
  }
  local_token_ = base::ToBase64Url(base::RandomBytes(32));
  return tools::keys::WriteKeyFile(config_.state.dir, std::string(kTokenName), local_token_);
}

Result<void> Identity::ForServing(Server& server) {
  RETURN_IF_ERROR(store_->LockForServing());
  if (store_->Exists()) RETURN_IF_ERROR(vault_->CheckKey());
  RETURN_IF_ERROR(ring_->Start());
  if (!config::AuthenticationConfigured(config_)) RETURN_IF_ERROR(MakeLocalToken());
  transport::HttpIdentity& identity = server.impl().http_identity;
  ASSIGN_OR_RETURN(identity.authenticator, MakeAuthenticator(config_.auth.required));
  if (!resource_.empty()) {
    std::vector<std::string> servers = config_.auth.authorization_servers;
    if (servers.empty() && !config_.auth.issuer.empty()) servers.push_back(config_.auth.issuer);
    identity.metadata = auth::MetadataDocument({resource_, servers, auth::AllScopes()});
    identity.metadata_paths = auth::MetadataPaths(resource_);
  }
  if (audit_) {
    identity.on_denial = [audit = audit_](const api::Denial& denial) {
      audit->Append({.kind = "denied",
                     .tool = denial.path,
                     .outcome = denial.reason,
                     .address = denial.address});
    };
    AuditEvents(server);
  }
  Observe(server);
  AddVitals(server.impl().core.vitals);
  return {};
}

Result<void> Identity::ForStdio(Server& server, const std::string& token) {
  Observe(server);
  AddVitals(server.impl().core.vitals);
  if (token.empty()) {
    if (!config::AuthenticationConfigured(config_)) return {};
    return Error{Code::kUnauthenticated,
                 "Authentication is configured: set TOOLPOST_TOKEN to an API key or token",
                 {}};
  }
  RETURN_IF_ERROR(ring_->Start());
  ASSIGN_OR_RETURN(const auto authenticator, MakeAuthenticator(true));
  auth::Presented presented;
  presented.kind = auth::Presented::Kind::kToken;
  presented.token = token;
  auth::Verdict verdict = authenticator->Check(presented);
  if (verdict.kind != auth::Verdict::Kind::kAccepted)
    return Error{
        Code::kUnauthenticated, base::StrCat("TOOLPOST_TOKEN is refused. ", verdict.message), {}};
  server.impl().local_principal = std::move(verdict.principal);
  return {};
}

void Identity::AuditEvents(Server& server) const {
  const auto text = [](const JsonObject& data, std::string_view name) {
    const Json* value = data.if_contains(name);
    return value == nullptr ? std::string_view() : std::string_view(value->as_string());
  };
  // Calls are not among them: their records say more.
  (void)server.Subscribe(
      [audit = audit_, text](const Event& event) {
        const std::string_view reason = text(event.data, "reason");
        audit->Append({.kind = NameOf(event.kind),
                       .principal = event.principal,
                       .tool = text(event.data, "tool"),
                       .outcome = reason.empty() ? "OK" : reason,
                       .session = text(event.data, "session")});
      },
      {EventKind::kToolRegistered, EventKind::kToolUnregistered, EventKind::kSessionOpened,
       EventKind::kSessionClosed});
}

void Identity::Observe(Server& server) {
  server.impl().core.registry.OnCall([audit = audit_, usage = usage_](const mcp::CallRecord& call) {
    const Principal& who = call.context.principal();
    const std::string_view key_id =
        who.credential ? std::string_view(who.credential->key_id) : std::string_view();
    if (!key_id.empty()) {
      usage->Record({.key_id = key_id,
                     .user_id = who.user,
                     .at = base::Now(),
                     .resource = call.tool.name,
                     .method = "tools/call",
                     .address = who.address,
                     .user_agent = who.agent});
    }
    if (!audit) return;
    thread_local std::string arguments;
    arguments.clear();
    base::AppendJson(arguments, call.arguments);
    const std::string digest = audit->ArgumentDigest(arguments);
    audit->Append(
        {.kind = call.denied ? "denied" : "call",
         .principal = who.id,
         .user = who.user,
         .key_id = key_id,
         .tool = call.tool.name,
         .connection = call.connections.empty() ? std::string_view() : call.connections.front(),
         .arguments = digest,
         .outcome = call.outcome,
         .duration = call.duration,
         .bytes = BytesOf(call.output),
         .address = who.address,
         .request_id = call.context.request_id(),
         .contacts = call.context.contacts()});
  });
}

void Identity::AddVitals(mcp::Vitals& vitals) const {
  vitals.AddDependencies([store = store_, audit = audit_] {
    std::vector<mcp::DependencyHealth> found{{"store", store->problem()}};
    if (audit) found.push_back({"audit", audit->problem()});
    return found;
  });
  vitals.AddMetrics([audit = audit_, usage = usage_](telemetry::MetricFamilies& families) {
    const auto count = [&](std::string_view name, std::string_view help, std::uint64_t value) {
      families.push_back({name,
                          telemetry::MetricKind::kCounter,
                          "",
                          help,
                          {{.labels = {}, .value = static_cast<double>(value)}}});
    };
    if (audit)
      count("toolpost.audit.lost", "Audit records that could not be written.", audit->lost());
    count("toolpost.usage.dropped", "Uses of keys that could not be written.", usage->dropped());
  });
}

tools::keys::KeyServices Identity::key_services() const {
  return {store_, ring_, usage_, vault_, config_.state.dir + "/keys"};
}

}  // namespace toolpost::cli
