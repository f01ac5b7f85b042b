// The settings of the process: one typed struct, filled from defaults < file < environment < flags.
//
// Load() reads and checks everything and returns either a complete Config or the first error, which
// names file and line, variable or flag, the key, and what to write instead. Nothing here is
// global; a Config is a value and may be copied between threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/json.h"
#include "toolpost/result.h"
#include "toolpost/server.h"

namespace toolpost::config {

enum class Layer { kDefault, kFile, kEnvironment, kFlag };

// Where the value of a key comes from.
struct Origin {
  Layer layer = Layer::kDefault;
  std::string
      name;  // for people: "default", "toolpost.toml:3", "environment MCP_PORT", "flag --port"

  bool operator==(const Origin&) const = default;
};

// One member per key of the option table (options.h), in groups as in the file. Meaning, range and
// default of each stand there.
struct Config {
  using Strings = std::vector<std::string>;
  using Duration = std::chrono::milliseconds;

  struct Http {
    Strings host;
    std::uint64_t port = 0;
    Strings allowed_hosts;
    Strings allowed_origins;
    std::uint64_t threads = 0;
    std::uint64_t max_connections = 0;
    std::uint64_t max_body = 0;
    Duration header_timeout{};
    Duration body_timeout{};
    Duration idle_timeout{};
    Duration drain_timeout{};
    bool tls = false;
    std::string tls_cert;
    std::string tls_key;
  } http;
  struct Auth {
    bool required = false;
    std::string method;
    std::string master_key;
    std::string jwt_secret;
    std::string jwt_key_file;
    std::string jwks_url;
    std::string issuer;
    std::string audience;
    Strings authorization_servers;
    std::string resource;
  } auth;
  struct AppSettings {
    std::string file;
  } appsettings;
  struct Store {
    std::string url;
  } store;
  struct Vault {
    std::string key;
    std::string key_file;
  } vault;
  struct Audit {
    bool enabled = false;
    Duration keep{};
    std::uint64_t max_bytes = 0;
  } audit;
  struct Files {
    Strings roots;
    Strings read_only_roots;
    bool follow_links = false;
    bool client_roots = false;
    std::uint64_t max_read = 0;
  } files;
  struct Mcp {
    std::string transport;
    std::string tool_names;
    std::uint64_t page_size = 0;
    std::string instructions;
  } mcp;
  struct Tools {
    Strings toolsets;
    Strings include;
    Strings exclude;
    bool read_only = false;
  } tools;
  struct Limits {
    std::uint64_t result_chars = 0;
    Duration result_keep{};
    std::uint64_t sessions = 0;
    Duration session_idle{};
    std::uint64_t workers = 0;
    std::uint64_t queue = 0;
    Duration call_timeout{};
    std::uint64_t message_bytes = 0;
    bool enabled = false;
    std::uint64_t calls_per_second = 0;
    std::uint64_t concurrent_calls = 0;
    std::uint64_t key_calls_per_second = 0;
    std::uint64_t address_requests_per_second = 0;
  } limits;
  struct Web {
    Strings allow_hosts;
    Strings deny_hosts;
    Strings ports;
    bool allow_loopback = false;
    bool allow_private = false;
    std::string proxy;
    std::string ca_file;
    std::string user_agent;
    std::uint64_t max_body = 0;
  } web;
  struct Shell {
    Strings allowed_commands;
    Strings allowed_env;
    Strings network_hosts;
    std::uint64_t min_confinement = 0;
    Duration max_timeout{};
    std::uint64_t concurrent = 0;
    std::uint64_t concurrent_per_user = 0;
    std::uint64_t queue = 0;
    std::uint64_t max_memory = 0;
    std::uint64_t max_total_memory = 0;
    std::uint64_t max_processes = 0;
  } shell;
  struct Database {
    std::string url;
    std::string url_file;
    std::string description;
    std::uint64_t max_connections = 0;
    bool accept_privileged = false;
    std::uint64_t max_rows = 0;
    std::uint64_t max_cell = 0;
    std::uint64_t max_export = 0;
    Duration timeout{};
  } database;
  struct Mssql {
    std::string connection_string;
    Strings allow_hosts;
    Strings write_connections;
    Strings databases;
    std::uint64_t max_connections = 0;
    std::uint64_t max_bytes = 0;
    Duration login_timeout{};
    Duration timeout{};
    std::string ca_file;
    std::string stub_file;
  } mssql;
  struct Metrics {
    bool enabled = false;
    std::string listen;
  } metrics;
  struct Telemetry {
    std::string endpoint;
    std::string headers;
    std::string service_name;
    Strings resource_attributes;
    std::string sampling;
    std::uint64_t queue = 0;
    Duration interval{};
  } telemetry;
  struct Log {
    std::string level;
    std::string format;
  } log;
  struct State {
    std::string dir;
  } state;

  // `database.NAME` by name, and `default` if database.url is set. URLs are secret.
  struct Connection {
    std::string url;
    std::string url_file;
    std::string description;
    std::uint64_t max_connections = 0;  // 0: database.max_connections
    bool accept_privileged = false;
    std::string where;  // in the file, for messages
  };
  std::map<std::string, Connection, std::less<>> connections;
  // `tool.NAME` by name: a statement that is offered as a tool.
  struct ToolParameter {
    std::string name;
    std::string type;
    std::string description;
    Json default_value;
    Strings choices;
    Json minimum;  // null: none
    Json maximum;
    bool required = true;  // else, without a default, it is null where it is left out
    // `default_value` was written with `${…}` and is not yet of the type.
    bool default_is_text = false;

    bool operator==(const ToolParameter&) const = default;
  };
  struct DeclaredTool {
    std::string title;
    std::string description;
    std::string statement;
    std::string connection;
    std::vector<ToolParameter> parameters;
    std::uint64_t limit = 100;
    bool read_only = true;
    bool idempotent = true;
    bool open_world = false;
    std::string where;

    bool operator==(const DeclaredTool&) const = default;
  };
  std::map<std::string, DeclaredTool, std::less<>> declared_tools;
  // Those settings as they were read, for listings.
  struct Named {
    std::string key;
    std::string value;  // as TOML; of secrets that they are set
    std::string where;
    bool secret = false;
  };
  std::vector<Named> named;

  // ConnectionStrings of appsettings.file by name. Secret.
  std::map<std::string, std::string, std::less<>> appsettings_connections;

  std::map<std::string, Origin, std::less<>> origins;  // by key, of what is not a default
  std::string file;                                    // the file that was read; empty: none
  // Not wrong enough to stop: variables that look like ours but name no key, secrets where others
  // can read them, certificates nobody uses.
  std::vector<std::string> warnings;
};

// Where the value of a key comes from: what nothing has set is a default.
const Origin& OriginOf(const Config& config, std::string_view key);

// Everything Load() looks at, so that tests need no process state.
struct Sources {
  std::string config_file;              // --config; empty: search
  std::string working_directory = ".";  // where toolpost.toml is looked for first
  std::map<std::string, std::string, std::less<>> environment;
  // Flag name (leading dashes optional) and value, in order; the last one for a key wins. An empty
  // value means true for switches.
  std::vector<std::pair<std::string, std::string>> flags;
};

// The environment of this process.
std::map<std::string, std::string, std::less<>> ProcessEnvironment();

// The file: Sources::config_file (must exist), else toolpost.toml in the working directory, else in
// $XDG_CONFIG_HOME/toolpost (default
// ~/.config/toolpost), else none. A name that ends in .json is JSON, everything else TOML. A
// variable that is set to nothing counts as not set; of two names for one key the TOOLPOST_ one
// wins. A JSON file may also use the names of MCPConfig (mcp_config.h). The text of a secret is in
// no message. Code::kInvalidArgument for anything wrong; no file that was asked for:
// Code::kNotFound.
Result<Config> Load(const Sources& sources);

// Whether a caller has to prove who they are: auth.required, or a credential is configured that
// auth.method accepts.
bool AuthenticationConfigured(const Config& config);

// Refuses addresses other machines can reach unless authentication is configured (requirements
// D16). For commands that listen.
Result<void> CheckBind(const Config& config);

ServerOptions ToServerOptions(const Config& config);
// `localhost` becomes both loopback addresses.
HttpOptions ToHttpOptions(const Config& config);

// A key whose value differs between two configurations.
struct Change {
  std::string key;
  std::string before;  // as TOML; of secrets only whether they are set
  std::string after;
  bool live = false;  // takes effect without a restart
};
// In the order of the option table.
std::vector<Change> Diff(const Config& before, const Config& after);

// One `key = value  # from where` per line: a TOML file that gives the same settings again, except
// for secrets, of which a comment says that they are set.
std::string RenderEffective(const Config& config);
// The text of docs/configuration.md.
std::string RenderDocs();

}  // namespace toolpost::config
