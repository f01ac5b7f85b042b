// Fixed variables, and the list of those callers may set.
#include "tools/shell/environment.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"
#include "sandbox/box_network.h"

namespace toolpost::tools::shell {
namespace {

using base::StrCat;

constexpr std::size_t kMaxVariables = 64;
constexpr std::size_t kMaxBytes = 32'768;

constexpr std::string_view kAllowed[] = {"LANG", "LC_*", "TZ",      "NO_COLOR", "FORCE_COLOR",
                                         "CI",   "TERM", "COLUMNS", "NODE_ENV"};
constexpr std::string_view kNever[] = {
    "LD_*",         "PATH",      "HOME",    "IFS",    "ENV",     "BASH_ENV", "SHELLOPTS",
    "NODE_OPTIONS", "NODE_PATH", "GIT_*",   "PNPM_*", "YARN_*",  "SSH_*",    "GCONV_PATH",
    "LOCPATH",      "MALLOC_*",  "TMPDIR",  "npm_*",  "NPM_*",   "*_PROXY",  "*_proxy",
    "BASH_FUNC_*",  "PERL5*",    "PYTHON*", "RUBY*",  "GLIBC_*", "PAGER",    "EDITOR"};

bool Matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  return pattern == name;
}

bool IsName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

constexpr std::pair<std::string_view, std::string_view> kFixed[] = {
    {"PATH", "/usr/local/bin:/usr/bin:/bin"},
    {"LANG", "C.UTF-8"},
    {"USER", "command"},
    {"LOGNAME", "command"},
    {"PAGER", "cat"},
    {"EDITOR", "false"},
    {"GIT_PAGER", "cat"},
    {"GIT_EDITOR", "false"},
    {"GIT_SEQUENCE_EDITOR", "false"},
    {"GIT_ASKPASS", "false"},
    {"GIT_TERMINAL_PROMPT", "0"},
    {"GIT_CONFIG_NOSYSTEM", "1"},
    {"GIT_ALLOW_PROTOCOL", "file"},
    // Wins over the repository's own configuration.
    {"GIT_CONFIG_COUNT", "2"},
    {"GIT_CONFIG_KEY_0", "core.fsmonitor"},
    {"GIT_CONFIG_VALUE_0", "false"},
    {"GIT_CONFIG_KEY_1", "core.hooksPath"},
    {"GIT_CONFIG_VALUE_1", "/dev/null"},
    {"npm_config_update_notifier", "false"},
};

void AddProxy(Variables& all) {
  const std::string proxy = StrCat("http://127.0.0.1:", sandbox::kProxyPort);
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy",
                           "npm_config_proxy", "npm_config_https_proxy"}) {
    all[name] = proxy;
  }
  all["NODE_USE_ENV_PROXY"] = "1";
  all["GIT_ALLOW_PROTOCOL"] = "file:http:https";
}

}  // namespace

Result<void> CheckVariables(const Variables& variables, const std::vector<std::string>& extra) {
  if (variables.size() > kMaxVariables)
    return Error::InvalidParams(StrCat("env has more than ", kMaxVariables, " variables"));
  std::size_t bytes = 0;
  for (const auto& [name, value] : variables) {
    bytes += name.size() + value.size() + 2;
    if (!IsName(name)) {
      return Error::InvalidParams(
          "env has a name that is not letters, digits and _ (ASCII) beginning with a letter");
    }
    if (value.find('\0') != value.npos)
      return Error::InvalidParams(StrCat("The value of ", name, " in env has a NUL character"));
    const auto matches = [&name = name](std::string_view pattern) {
      return Matches(pattern, name);
    };
    const bool never = std::ranges::any_of(kNever, matches);
    const bool listed = std::ranges::find(extra, name) != extra.end();
    if (!never && (listed || std::ranges::any_of(kAllowed, matches))) continue;
    return Error{Code::kPermissionDenied,
                 StrCat(name,
                        " may not be set in env. Allowed: LANG, LC_*, TZ, NO_COLOR, "
                        "FORCE_COLOR, CI, TERM, COLUMNS, NODE_ENV",
                        extra.empty() ? "" : ", ", base::Join(extra, ", "), "."),
                 {}};
  }
  if (bytes > kMaxBytes)
    return Error::InvalidParams(StrCat("env has more than ", kMaxBytes, " bytes"));
  return {};
}

std::vector<std::string> MakeEnvironment(const Variables& variables, Surroundings surroundings) {
  Variables all;
  for (const auto& [name, value] : kFixed) all.emplace(name, value);
  const bool home = surroundings.private_home;
  all["HOME"] = home ? "/tmp/home" : "/nonexistent";
  all["GIT_CONFIG_GLOBAL"] = home ? "/etc/gitconfig-box" : "/dev/null";
  if (home) all["TMPDIR"] = "/tmp";
  if (surroundings.proxy) AddProxy(all);
  for (const auto& [name, value] : variables) all[name] = value;
  std::vector<std::string> environment;
  for (const auto& [name, value] : all) environment.push_back(StrCat(name, "=", value));
  return environment;
}

}  // namespace toolpost::tools::shell
