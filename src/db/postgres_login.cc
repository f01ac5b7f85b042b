// Connection parameters, and what may be said when they do not work.
#include "db/postgres_login.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/strings.h"

namespace toolpost::db {
namespace {

Error BadUrl() {
  return Error::InvalidParams(
      "The PostgreSQL URL cannot be read. It must look like "
      "postgresql://user:password@host:5432/database, with special characters in user and "
      "password percent-encoded (@ is %40, / is %2F, : is %3A)");
}

using Secrets = std::vector<std::string>;

// libpq quotes what it cannot use, which may be part of a password: an unencoded "@" or "/" in it
// moves the rest into host, port or database.
Result<Secrets> ReadUrl(const Libpq& pq, const std::string& url) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) return BadUrl();
  char* detail = nullptr;
  const auto free_options = [&](PQconninfoOption* o) { pq.conninfo_free(o); };
  const std::unique_ptr<PQconninfoOption, decltype(free_options)> options(
      pq.conninfo_parse(url.c_str(), &detail), free_options);
  if (detail != nullptr) pq.freemem(detail);
  if (options == nullptr) return BadUrl();
  Secrets secrets;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr || *option->val == '\0') continue;
    const std::string_view keyword = option->keyword, value = option->val;
    const bool at_sign = value.find('@') != std::string_view::npos;
    if (keyword == "host" && at_sign) return BadUrl();
    if (keyword == "port" && value.find_first_not_of("0123456789,") != std::string_view::npos) {
      return BadUrl();
    }
    if (keyword.find("password") != std::string_view::npos || (keyword == "dbname" && at_sign)) {
      secrets.emplace_back(value);
    }
  }
  return secrets;
}

std::string WithoutSecrets(std::string text, const Secrets& secrets) {
  for (const std::string& word : secrets) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += 3) {
      text.replace(at, word.size(), "***");
    }
  }
  return text;
}

// What libpq and the server say, and what that means for who wrote the URL. The first that fits.
constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
    {"authentication failed", "PostgreSQL refused the login: check user and password of its URL"},
    {"no password supplied", "PostgreSQL refused the login: check user and password of its URL"},
    {"root certificate file",
     "The certificate authorities to check PostgreSQL with cannot be read: name their file with "
     "sslrootcert in its URL"},
    {"does not match host name",
     "The certificate of PostgreSQL was made for another host: use the name it was made for in "
     "its URL"},
    {"certificate verify failed",
     "The certificate of PostgreSQL is not from an authority that is trusted here, or has "
     "expired: name the file of its authority with sslrootcert in its URL"},
    {"server does not support SSL",
     "PostgreSQL offers no TLS, without which other machines are not connected to: turn ssl on "
     "there, or say sslmode=disable in its URL to send all in clear text"},
    {"does not exist", "PostgreSQL has no such database or role: check its URL, or create them"},
};

Error NotConnected(std::string_view detail) {
  base::Log(base::Severity::kWarning, "postgresql login failed", {{"detail", detail}});
  for (const auto& [words, meaning] : kReasons) {
    if (detail.find(words) != std::string_view::npos)
      return Error::Unavailable(std::string(meaning));
  }
  return Error::Unavailable(
      "PostgreSQL cannot be reached: check that it runs and that its URL is right; the log has the "
      "reason");
}

// As libpq takes it when the URL does not have it: from the environment.
std::string_view Effective(const PQconninfoOption& option) {
  const char* value = option.val;
  if (value == nullptr && option.envvar != nullptr) value = std::getenv(option.envvar);
  return value != nullptr ? value : "";
}

bool IsThisMachine(std::string_view host) {
  if (host.empty() || host[0] == '/' || host[0] == '@') return true;  // a socket
  if (host == "localhost" || host == "::1") return true;
  in_addr address;
  return host.starts_with("127.") && inet_pton(AF_INET, std::string(host).c_str(), &address) == 1;
}

}  // namespace

Result<void> CheckPostgresUrl(const Libpq& pq, const std::string& url) {
  RETURN_IF_ERROR(ReadUrl(pq, url));
  return {};
}

bool ConnectsToOthers(const Libpq& pq, const std::string& url) {
  const auto free_options = [&](PQconninfoOption* o) { pq.conninfo_free(o); };
  const std::unique_ptr<PQconninfoOption, decltype(free_options)> options(
      pq.conninfo_parse(url.c_str(), nullptr), free_options);
  if (options == nullptr) return false;
  bool others = false, service = false, address = false;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    if (keyword == "service") service = !Effective(*option).empty();
    if (keyword != "host" && keyword != "hostaddr") continue;
    address = address || (keyword == "hostaddr" && option->val != nullptr);
    const auto hosts = base::Split(Effective(*option), ',');
    others = others || !std::all_of(hosts.begin(), hosts.end(), IsThisMachine);
  }
  // What a service says is not known here. Its address would win over a host.
  return others || (service && !address);
}

Result<PGconn*> LogIn(const Libpq& pq, const PostgresOptions& options) {
  ASSIGN_OR_RETURN(const Secrets secrets, ReadUrl(pq, options.url));
  const std::string timeout = std::to_string(options.connect_timeout.count());
  // What stands before the URL is overridden by it, what stands after overrides it.
  const std::pair<const char*, const char*> settings[] = {{"connect_timeout", timeout.c_str()},
                                                          {"fallback_application_name", "toolpost"},
                                                          {"keepalives_idle", "15"},
                                                          {"keepalives_interval", "5"},
                                                          {"keepalives_count", "3"},
                                                          {"tcp_user_timeout", "30000"},
                                                          {"dbname", options.url.c_str()},
                                                          {"client_encoding", "UTF8"},
                                                          {nullptr, nullptr}};
  std::vector<const char*> names, values;
  for (const auto& [name, value] : options.defaults) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  for (const auto& [name, value] : settings) {
    names.push_back(name);
    values.push_back(value);
  }
  PGconn* connection = pq.connectdb_params(names.data(), values.data(), 1);
  if (connection != nullptr && pq.status(connection) == CONNECTION_OK) return connection;
  Error error =
      NotConnected(connection == nullptr ? "out of memory"
                                         : WithoutSecrets(pq.error_message(connection), secrets));
  if (connection != nullptr) pq.finish(connection);
  return error;
}

}  // namespace toolpost::db
