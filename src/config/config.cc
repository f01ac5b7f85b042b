// Layered loading of the configuration.
#include "config/config.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "config/appsettings.h"
#include "config/check.h"
#include "config/expand.h"
#include "config/file.h"
#include "config/mcp_config.h"
#include "config/named.h"
#include "config/options.h"
#include "config/value.h"

namespace toolpost::config {
namespace {

using Environment = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kPrefix = "TOOLPOST_";

const std::string* Find(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? nullptr : &found->second;
}

Error At(std::string_view where, const Error& error) {
  return Error::InvalidParams(base::StrCat(where, ": ", error.message));
}

Result<void> Set(const Option& option, const Value& value, Layer layer, std::string where,
                 Config& config) {
  if (const auto assigned = Assign(option, value, config); !assigned)
    return At(where, assigned.error());
  config.origins[std::string(option.key)] = {layer, std::move(where)};
  return {};
}

// $XDG_STATE_HOME/toolpost or ~/.local/state/toolpost; empty without a home.
std::string DefaultStateDir(const Environment& environment) {
  const std::string* xdg = Find(environment, "XDG_STATE_HOME");
  if (xdg != nullptr && xdg->starts_with('/'))
    return (std::filesystem::path(*xdg) / "toolpost").string();
  const std::string* home = Find(environment, "HOME");
  if (home == nullptr) return {};
  return (std::filesystem::path(*home) / ".local" / "state" / "toolpost").string();
}

Result<void> ApplyDefaults(const Environment& environment, Config& config) {
  for (const Option& option : Options()) {
    RETURN_IF_ERROR(Assign(option, Text{std::string(option.default_value)}, config));
  }
  config.state.dir = DefaultStateDir(environment);
  return {};
}

bool IsSection(std::string_view name) {
  return HasNames(name) ||
         std::any_of(Options().begin(), Options().end(),
                     [&](const Option& option) { return option.section() == name; });
}

Error UnknownKey(std::string_view where, std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Option& option : Options()) keys.push_back(option.key);
  std::string_view nearest = base::Nearest(key, keys);
  if (nearest.empty() && key.find('.') == std::string_view::npos) {
    // Perhaps a key that lost its section.
    const auto option =
        std::find_if(Options().begin(), Options().end(), [&](const Option& candidate) {
          return candidate.key.substr(candidate.section().size() + 1) == key;
        });
    if (option != Options().end()) nearest = option->key;
  }
  return Error::InvalidParams(base::StrCat(
      where, ": unknown key ", key.substr(0, 100), nearest.empty() ? "" : "; did you mean ",
      nearest, nearest.empty() ? "; docs/configuration.md lists all" : "?"));
}

// Strings with variables in them become Text, which any option reads.
Result<Value> ExpandValue(const Value& value, const Environment& environment) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    ASSIGN_OR_RETURN(Expanded expanded, Expand(*text, environment));
    if (expanded.changed) return Value(Text{std::move(expanded.text)});
    return Value(std::move(expanded.text));
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    std::vector<std::string> out;
    for (const std::string& text : *list) {
      ASSIGN_OR_RETURN(Expanded expanded, Expand(text, environment));
      out.push_back(std::move(expanded.text));
    }
    return Value(std::move(out));
  }
  return value;
}

// A value that came out of a variable is Text and not in the file.
void WarnOfReadableSecret(const Option& option, const Value& value, std::string_view where,
                          Config& config) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || text->empty() || !IsReadableByOthers(config.file)) return;
  config.warnings.push_back(base::StrCat(where, ": ", option.key,
                                         " is in a file other users can read; chmod 600 the file, "
                                         "or give the secret in ",
                                         option.environment));
}

Result<void> ApplyFile(const Sources& sources, Config& config) {
  config.file = FindFile(sources);
  if (config.file.empty()) return {};
  ASSIGN_OR_RETURN(const std::string text, ReadText(config.file));
  const bool json = config.file.ends_with(".json");
  ASSIGN_OR_RETURN(auto entries, json ? ReadJson(text, config.file) : ReadToml(text, config.file));
  if (json) {
    ASSIGN_OR_RETURN(entries, FromMcpConfig(std::move(entries), config.file, config.warnings));
  }
  for (const FileEntry& entry : entries) {
    std::string where = config.file;
    if (entry.line != 0) where.append(base::StrCat(":", entry.line));
    if (IsSection(entry.key)) {
      const auto* other = std::get_if<Other>(&entry.value);
      if (other != nullptr && other->what == kEmptySection) continue;
      return Error::InvalidParams(base::StrCat(
          where, ": ", entry.key, " is a section, not a key; write ", entry.key, ".KEY = VALUE"));
    }
    const bool named = IsNamedKey(entry.key);
    const Option* option = named ? nullptr : FindByKey(entry.key);
    if (option == nullptr && !named) return UnknownKey(where, entry.key);
    const auto value = ExpandValue(entry.value, sources.environment);
    if (!value)
      return Error::InvalidParams(base::StrCat(where, ": ", entry.key, " ", value.error().message));
    if (named) {
      RETURN_IF_ERROR(SetNamed(entry.key, *value, where, config));
      continue;
    }
    if (option->secret) WarnOfReadableSecret(*option, *value, where, config);
    RETURN_IF_ERROR(Set(*option, *value, Layer::kFile, std::move(where), config));
  }
  return {};
}

// A misspelt variable would be ignored in silence.
void WarnOfUnknownVariables(const Environment& environment, Config& config) {
  std::vector<std::string_view> names;
  for (const Option& option : Options()) names.push_back(option.environment);
  for (const auto& [name, value] : environment) {
    if (!name.starts_with(kPrefix) || std::find(names.begin(), names.end(), name) != names.end())
      continue;
    const std::string_view nearest = base::Nearest(name, names);
    if (nearest.empty()) continue;
    config.warnings.push_back(
        base::StrCat("environment variable ", name, " is not used; did you mean ", nearest, "?"));
  }
}

Result<void> ApplyEnvironment(const Environment& environment, Config& config) {
  for (const Option& option : Options()) {
    for (const std::string_view name :
         {option.environment_alias, std::string_view(option.environment)}) {
      const std::string* value = name.empty() ? nullptr : Find(environment, name);
      if (value == nullptr) continue;
      RETURN_IF_ERROR(Set(option, Text{*value}, Layer::kEnvironment,
                          base::StrCat("environment ", name), config));
    }
  }
  WarnOfUnknownVariables(environment, config);
  return {};
}

Error UnknownFlag(std::string_view flag) {
  std::vector<std::string_view> flags;
  for (const Option& option : Options()) {
    flags.push_back(option.flag);
    if (!option.flag_alias.empty()) flags.push_back(option.flag_alias);
  }
  const std::string_view nearest = base::Nearest(flag, flags);
  return Error::InvalidParams(base::StrCat("Unknown option --", flag,
                                           nearest.empty() ? "" : "; did you mean --", nearest,
                                           nearest.empty() ? "" : "?"));
}

Result<void> ApplyFlags(const Sources& sources, Config& config) {
  for (const auto& [given, value] : sources.flags) {
    const std::string_view flag =
        std::string_view(given).substr(std::min(given.find_first_not_of('-'), given.size()));
    const Option* option = FindByFlag(flag);
    if (option == nullptr) return UnknownFlag(flag);
    if (option->secret) {
      config.warnings.push_back(base::StrCat("flag --", flag,
                                             " is visible to other users of this machine; give the "
                                             "secret in ",
                                             option->environment));
    }
    const bool bare_switch = option->type == Type::kBoolean && value.empty();
    RETURN_IF_ERROR(Set(*option, Text{bare_switch ? "true" : value}, Layer::kFlag,
                        base::StrCat("flag --", flag), config));
  }
  return {};
}

// After all layers: it only fills in what none of them gave.
Result<void> ApplyAppSettings(const Sources& sources, Config& config) {
  if (config.appsettings.file.empty()) return {};
  const auto path = std::filesystem::path(sources.working_directory) / config.appsettings.file;
  const auto text = ReadText(path.lexically_normal().string(), "file of appsettings.file");
  if (!text) {
    Error error = text.error();
    error.message = base::StrCat(OriginOf(config, "appsettings.file").name, ": ", error.message);
    return error;
  }
  ASSIGN_OR_RETURN(AppSettings settings, ParseAppSettings(*text, config.appsettings.file));
  config.appsettings_connections = std::move(settings.connections);
  if (!config.auth.master_key.empty() || settings.api_key.empty()) return {};
  return Set(*FindByKey("auth.master_key"), Text{std::move(settings.api_key)}, Layer::kFile,
             base::StrCat(config.appsettings.file, ": ApiSecurity.ApiKey"), config);
}

// One change per connection or tool that is not what it was.
void DiffNamed(const Config& before, const Config& after, std::vector<Change>& changes) {
  const auto compare = [&](std::string_view section, const auto& old, const auto& now,
                           const auto& same, bool live) {
    const auto shown = [](bool present) { return std::string(present ? kSecretIsSet : ""); };
    for (const auto& [name, value] : old) {
      const auto found = now.find(name);
      if (found != now.end() && same(value, found->second)) continue;
      changes.push_back(
          {base::StrCat(section, ".", name), shown(true), shown(found != now.end()), live});
    }
    for (const auto& [name, value] : now) {
      if (!old.contains(name))
        changes.push_back({base::StrCat(section, ".", name), shown(false), shown(true), live});
    }
  };
  const auto named = [](const Config& config) {
    auto connections = config.connections;
    // That of database.url has options of its own.
    if (!config.database.url.empty() || !config.database.url_file.empty())
      connections.erase("default");
    return connections;
  };
  compare(
      "database", named(before), named(after),
      [](const Config::Connection& a, const Config::Connection& b) {
        return a.url == b.url && a.description == b.description &&
               a.max_connections == b.max_connections && a.accept_privileged == b.accept_privileged;
      },
      true);
  compare(
      "tool", before.declared_tools, after.declared_tools,
      [](Config::DeclaredTool a, const Config::DeclaredTool& b) {
        a.where = b.where;
        return a == b;
      },
      true);
}

std::chrono::seconds Seconds(Config::Duration duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration);
}

}  // namespace

std::map<std::string, std::string, std::less<>> ProcessEnvironment() {
  Environment environment;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

const Origin& OriginOf(const Config& config, std::string_view key) {
  static const Origin kDefault{Layer::kDefault, "default"};
  const auto origin = config.origins.find(key);
  return origin == config.origins.end() ? kDefault : origin->second;
}

Result<Config> Load(const Sources& sources) {
  Config config;
  RETURN_IF_ERROR(ApplyDefaults(sources.environment, config));
  RETURN_IF_ERROR(ApplyFile(sources, config));
  RETURN_IF_ERROR(ApplyEnvironment(sources.environment, config));
  RETURN_IF_ERROR(ApplyFlags(sources, config));
  RETURN_IF_ERROR(ApplyAppSettings(sources, config));
  RETURN_IF_ERROR(FinishNamed(sources.working_directory, config));
  RETURN_IF_ERROR(CheckMeaning(config));
  return config;
}

ServerOptions ToServerOptions(const Config& config) {
  ServerOptions options;
  options.instructions = config.mcp.instructions;
  options.canonical_names = config.mcp.tool_names == "canonical";
  options.read_only = config.tools.read_only;
  options.toolsets = config.tools.toolsets;
  options.include_tools = config.tools.include;
  options.exclude_tools = config.tools.exclude;
  options.page_size = config.mcp.page_size;
  options.result_chars = config.limits.result_chars;
  options.result_keep = Seconds(config.limits.result_keep);
  options.state_directory = config.state.dir;
  options.max_sessions = config.limits.sessions;
  options.session_idle = Seconds(config.limits.session_idle);
  options.worker_threads = config.limits.workers;
  options.worker_queue = config.limits.queue;
  options.call_timeout = Seconds(config.limits.call_timeout);
  options.max_message_bytes = config.limits.message_bytes;
  options.metrics = config.metrics.enabled;
  if (config.limits.enabled) {
    options.calls_per_second = static_cast<double>(config.limits.calls_per_second);
    options.concurrent_calls = config.limits.concurrent_calls;
    options.calls_per_second_per_credential =
        static_cast<double>(config.limits.key_calls_per_second);
  }
  return options;
}

HttpOptions ToHttpOptions(const Config& config) {
  HttpOptions options;
  options.hosts.clear();
  const auto add = [&](std::string_view host) {
    if (std::find(options.hosts.begin(), options.hosts.end(), host) == options.hosts.end()) {
      options.hosts.emplace_back(host);
    }
  };
  for (const std::string& host : config.http.host) {
    add(host == "localhost" ? "127.0.0.1" : host);
    if (host == "localhost") add("::1");
  }
  options.port = static_cast<std::uint16_t>(config.http.port);
  options.allowed_hosts = config.http.allowed_hosts;
  options.allowed_origins = config.http.allowed_origins;
  options.threads = config.http.threads;
  options.max_connections = config.http.max_connections;
  options.max_body_bytes = config.http.max_body;
  options.header_timeout = Seconds(config.http.header_timeout);
  options.body_timeout = Seconds(config.http.body_timeout);
  options.idle_timeout = Seconds(config.http.idle_timeout);
  options.drain_timeout = Seconds(config.http.drain_timeout);
  if (config.limits.enabled) {
    options.address_requests_per_second =
        static_cast<double>(config.limits.address_requests_per_second);
  }
  if (config.http.tls) {
    options.tls_cert = config.http.tls_cert;
    options.tls_key = config.http.tls_key;
  }
  return options;
}

std::vector<Change> Diff(const Config& before, const Config& after) {
  std::vector<Change> changes;
  for (const Option& option : Options()) {
    if (SameValue(option, before, after)) continue;
    changes.push_back(
        {std::string(option.key), Render(option, before), Render(option, after), option.live});
  }
  DiffNamed(before, after, changes);
  return changes;
}

}  // namespace toolpost::config
