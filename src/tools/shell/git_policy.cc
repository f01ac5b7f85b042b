// Sub-commands and options of git.
#include "tools/shell/git_policy.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/strings.h"
#include "tools/shell/option_rules.h"

namespace toolpost::tools::shell {
namespace {

using base::StrCat;

constexpr std::string_view kGlobalOptions[] = {"--no-pager",
                                               "-P",
                                               "--no-optional-locks",
                                               "--literal-pathspecs",
                                               "--glob-pathspecs",
                                               "--noglob-pathspecs",
                                               "--icase-pathspecs",
                                               "--no-replace-objects",
                                               "--no-lazy-fetch",
                                               "--version",
                                               "-v"};
constexpr std::string_view kLocal[] = {
    "status",   "log",      "diff",     "show",       "blame",        "branch",   "tag",
    "ls-files", "ls-tree",  "cat-file", "rev-parse",  "describe",     "shortlog", "grep",
    "add",      "commit",   "checkout", "switch",     "restore",      "stash",    "merge",
    "mv",       "rm",       "reset",    "init",       "remote",       "config",   "rev-list",
    "show-ref", "name-rev", "version",  "merge-base", "for-each-ref", "reflog"};
constexpr std::string_view kRemote[] = {"clone", "fetch", "pull", "push", "ls-remote"};

constexpr std::string_view kRuns = "it starts another program";
constexpr std::string_view kElsewhere = "it works on files outside the repository";
constexpr RefusedOption kRefused[] = {
    {"--upload-pack", kRuns},
    {"--receive-pack", kRuns},
    {"--exec", kRuns},
    {"--extcmd", kRuns},
    {"--ext-diff", kRuns},
    {"--textconv", kRuns},
    {"--open-files-in-pager", kRuns},
    {"--gpg-sign", kRuns},
    {"--output", "it writes a file; the result is returned anyway"},
    {"--output-directory", "it writes files"},
    {"--no-index", kElsewhere},
    {"--contents", kElsewhere},
    {"--template", "it copies hooks"},
    {"--separate-git-dir", kElsewhere},
    {"--unsafe-paths", kElsewhere},
    {"--git-dir", kElsewhere},
    {"--work-tree", kElsewhere},
    {"--exec-path", kRuns},
    {"--config-env", "it replaces the configuration"},
    {"--recurse-submodules", "it runs what a submodule configures"},
};
// Shorter options that exist in their own right.
constexpr std::string_view kAllowedLong[] = {"--text"};

constexpr RefusedOption kPager[] = {{"-O", kRuns}};
constexpr RefusedOption kUploadPack[] = {{"-u", kRuns}, {"-c", "it replaces the configuration"}};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Error Refuse(std::string message) { return {Code::kPermissionDenied, std::move(message), {}}; }

// The first argument that is no global option.
Result<std::size_t> FindSubcommand(const std::vector<std::string>& arguments) {
  std::size_t at = 1;
  while (at < arguments.size() && arguments[at].starts_with('-')) {
    if (!Contains(kGlobalOptions, arguments[at])) {
      return Refuse(StrCat("git ", arguments[at].substr(0, arguments[at].find('=')),
                           " is not allowed before the sub-command: it changes which repository, "
                           "configuration or programs git uses. Set cwd instead."));
    }
    ++at;
  }
  return at;
}

// `git remote` and `git config` only to look.
Result<void> CheckReading(std::string_view name, std::span<const std::string> rest) {
  constexpr std::string_view kConfigReads[] = {"--get", "--get-all", "--get-regexp", "--list",
                                               "-l",    "get",       "list"};
  constexpr std::string_view kConfigMore[] = {"--local",       "--name-only", "-z",
                                              "--show-origin", "--null",      "--show-scope"};
  if (name == "remote") {
    const bool reads =
        rest.empty() || rest[0] == "-v" || rest[0] == "--verbose" || rest[0] == "get-url";
    if (reads && (rest.size() < 2 || rest[0] == "get-url")) return {};
    return Refuse("git remote may only list: use git remote -v or git remote get-url NAME.");
  }
  std::size_t at = 0;
  while (at < rest.size() && Contains(kConfigMore, rest[at])) ++at;
  bool reads = at < rest.size() && Contains(kConfigReads, rest[at]);
  for (++at; at < rest.size(); ++at)
    reads = reads && (!rest[at].starts_with('-') || Contains(kConfigMore, rest[at]));
  if (reads) return {};
  return Refuse("git config may only read: use git config --get NAME or git config --list.");
}

Result<void> CheckShortOptions(std::string_view name, std::span<const std::string> rest,
                               std::size_t* steps) {
  const std::string program = StrCat("git ", name);
  if (name == "grep") return CheckOptions(program, rest, {kPager, "ABCmef", {}}, steps);
  if (name == "diff" || name == "log" || name == "show")
    return CheckOptions(program, rest, {kPager, "SGLnlUMCBX", {}}, steps);
  if (Contains(kRemote, name) && name != "push")
    return CheckOptions(program, rest, {kUploadPack, "bjo", {}}, steps);
  return {};
}

// The value of -m is text, whatever it looks like.
std::vector<std::string> WithoutMessages(std::span<const std::string> rest) {
  std::vector<std::string> left;
  for (std::size_t at = 0; at < rest.size(); ++at) {
    left.push_back(rest[at]);
    if (rest[at] == "-m" || rest[at] == "--message" || rest[at] == "-am") ++at;
  }
  return left;
}

}  // namespace

Result<void> CheckGit(const std::vector<std::string>& arguments, bool network, std::size_t* steps) {
  ASSIGN_OR_RETURN(const std::size_t at, FindSubcommand(arguments));
  if (at == arguments.size()) return {};
  const std::string& name = arguments[at];
  if (Contains(kRemote, name)) {
    if (!network) {
      return Refuse(StrCat("git ", name,
                           " needs the network, which this command does not get. The operator "
                           "grants hosts with shell.network_hosts, to callers with the scope "
                           "write; confinement must be by namespaces."));
    }
  } else if (!Contains(kLocal, name)) {
    std::string allowed;
    for (const std::string_view each : kLocal)
      allowed.append(allowed.empty() ? "" : ", ").append(each);
    return Refuse(StrCat("git ", name, " is not allowed. Allowed: ", allowed, "."));
  }
  const auto all = std::span(arguments).subspan(at + 1);
  if (name == "remote" || name == "config") RETURN_IF_ERROR(CheckReading(name, all));
  const std::vector<std::string> rest =
      name == "commit" || name == "tag" || name == "stash" || name == "merge"
          ? WithoutMessages(all)
          : std::vector<std::string>(all.begin(), all.end());
  RETURN_IF_ERROR(CheckShortOptions(name, rest, steps));
  return CheckOptions(StrCat("git ", name), rest, {kRefused, {}, kAllowedLong}, steps);
}

bool ReachesOthers(const std::vector<std::string>& arguments) {
  const Result<std::size_t> at = FindSubcommand(arguments);
  return at && *at < arguments.size() && Contains(kRemote, arguments[*at]);
}

void AddGitOptions(std::vector<std::string>& arguments) {
  const Result<std::size_t> at = FindSubcommand(arguments);
  if (!at || *at >= arguments.size()) return;
  const std::string_view name = arguments[*at];
  if (name != "diff" && name != "log" && name != "show") return;
  const auto after = arguments.begin() + static_cast<std::ptrdiff_t>(*at) + 1;
  arguments.insert(after, {"--no-ext-diff", "--no-textconv"});
}

}  // namespace toolpost::tools::shell
