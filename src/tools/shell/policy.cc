// The table of programs and what each may be given.
#include "tools/shell/policy.h"

#include <algorithm>

#include "base/strings.h"
#include "tools/shell/git_policy.h"
#include "tools/shell/option_rules.h"

namespace toolpost::tools::shell {
namespace {

using base::StrCat;

constexpr std::string_view kDefaultCommands[] = {"ls",  "pwd",  "echo", "cat",  "grep", "find",
                                                 "wc",  "sort", "uniq", "head", "tail", "git",
                                                 "npm", "node", "pnpm", "yarn"};
constexpr std::string_view kFilters[] = {"ls",   "cat",  "grep", "find", "wc",
                                         "sort", "uniq", "head", "tail", "git"};
// PRD FR-013.2. No setting allows them.
constexpr std::string_view kDangerous[] = {"sudo", "chmod", "chown", "kill", "pkill"};

constexpr std::string_view kNeverEnds = "it never ends";
constexpr std::string_view kWrites = "it writes a file";
constexpr std::string_view kRuns = "it starts another program";
constexpr std::string_view kReadsList = "it reads names from a file";

constexpr RefusedOption kTail[] = {{"--follow", kNeverEnds},
                                   {"--retry", kNeverEnds},
                                   {"--pid", kNeverEnds},
                                   {"-f", kNeverEnds},
                                   {"-F", kNeverEnds}};
constexpr RefusedOption kSort[] = {{"--output", kWrites},
                                   {"-o", kWrites},
                                   {"--compress-program", kRuns},
                                   {"--temporary-directory", kWrites},
                                   {"-T", kWrites},
                                   {"--files0-from", kReadsList},
                                   {"--random-source", "it reads any file"}};
constexpr RefusedOption kWc[] = {{"--files0-from", kReadsList}};
constexpr std::string_view kFind[] = {"-exec",   "-execdir", "-ok",      "-okdir", "-delete",
                                      "-fprint", "-fprint0", "-fprintf", "-fls",   "-files0-from"};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Error Refuse(std::string message) { return {Code::kPermissionDenied, std::move(message), {}}; }

Result<void> CheckFind(std::span<const std::string> arguments) {
  for (const std::string& argument : arguments) {
    if (Contains(kFind, argument)) {
      return Refuse(StrCat("find ", argument,
                           " is not allowed: it deletes, writes or starts programs. List the "
                           "files and act on them with other calls."));
    }
  }
  return {};
}

// The second file uniq is given is the one it overwrites.
Result<void> CheckUniq(std::span<const std::string> arguments) {
  constexpr std::string_view kLong[] = {"--skip-fields", "--skip-chars", "--check-chars"};
  std::size_t operands = 0;
  bool options = true;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    if (options && argument == "--") {
      options = false;
    } else if (!options || argument.size() < 2 || argument[0] != '-') {
      ++operands;
    } else if (argument[1] == '-') {
      const bool takes = std::ranges::any_of(
          kLong, [&](std::string_view name) { return name.starts_with(argument); });
      if (takes) ++at;
    } else if (const std::size_t value = argument.find_first_of("fsw"); value != argument.npos) {
      if (value + 1 == argument.size()) ++at;
    }
  }
  if (operands <= 1) return {};
  return Refuse("uniq with a second file is not allowed: it writes that file. Name only one.");
}

// `rm -rf` in any spelling, should an operator allow rm.
bool IsRecursiveForcedRemoval(std::span<const std::string> arguments) {
  bool recursive = false;
  bool forced = false;
  for (const std::string_view argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--")) {
      recursive = recursive ||
                  (argument.size() > 2 && std::string_view("--recursive").starts_with(argument));
      forced = forced || (argument.size() > 2 && std::string_view("--force").starts_with(argument));
    } else if (argument.starts_with('-')) {
      recursive = recursive || argument.find_first_of("rR") != argument.npos;
      forced = forced || argument.find('f') != argument.npos;
    }
  }
  return recursive && forced;
}

Error NotAllowed(const Policy& policy, std::string_view program, std::size_t position) {
  if (program.find('/') != program.npos) {
    return Refuse(StrCat("\"", program, "\" at position ", position,
                         ": programs are named without a folder, such as ls"));
  }
  std::string_view hint;
  if (program.find('=') != program.npos)
    hint = " Variables go into the env argument, not before the command.";
  return Refuse(StrCat("\"", program, "\" at position ", position,
                       " is not an allowed command. Allowed: ", base::Join(policy.allowed, ", "),
                       ".", hint));
}

Result<void> CheckProgram(const Policy& policy, std::span<const std::string> arguments,
                          std::size_t position) {
  const std::string& program = arguments.front();
  const bool removal = program == "rm" && IsRecursiveForcedRemoval(arguments.subspan(1));
  if (removal || Contains(kDangerous, program)) {
    return Refuse(StrCat("Blocked, dangerous command: \"", removal ? "rm -rf" : program,
                         "\" at position ", position, ". It never runs here."));
  }
  if (std::ranges::find(policy.allowed, program) == policy.allowed.end())
    return NotAllowed(policy, program, position);
  return {};
}

}  // namespace

std::span<const std::string_view> DefaultCommands() { return kDefaultCommands; }

CommandClass ClassOf(std::string_view program) {
  if (program == "echo" || program == "pwd") return CommandClass::kBuiltIn;
  return Contains(kFilters, program) ? CommandClass::kFilter : CommandClass::kInterpreter;
}

bool UsesNetwork(const std::vector<std::string>& arguments) {
  if (arguments.front() == "git") return ReachesOthers(arguments);
  return ClassOf(arguments.front()) == CommandClass::kInterpreter;
}

Result<void> CheckCommand(const Policy& policy, const std::vector<std::string>& arguments,
                          std::size_t position, std::size_t* steps) {
  for (const std::string& argument : arguments) {
    if (argument.find('\0') != argument.npos)
      return Error::InvalidParams("An argument has a NUL character");
  }
  RETURN_IF_ERROR(CheckProgram(policy, arguments, position));
  const std::string_view program = arguments.front();
  const auto rest = std::span(arguments).subspan(1);
  if (program == "tail") return CheckOptions(program, rest, {kTail, {}, {}}, steps);
  if (program == "sort") return CheckOptions(program, rest, {kSort, "ktS", {}}, steps);
  if (program == "wc") return CheckOptions(program, rest, {kWc, {}, {}}, steps);
  if (program == "uniq") return CheckUniq(rest);
  if (program == "find") return CheckFind(rest);
  if (program == "git") return CheckGit(arguments, policy.network, steps);
  return {};
}

void AddForcedOptions(std::vector<std::string>& arguments) {
  if (arguments.front() == "git") AddGitOptions(arguments);
}

}  // namespace toolpost::tools::shell
