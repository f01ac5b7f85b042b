// The command line as tables: which commands exist, which flags each takes, and the parser and help
// text that follow from them.
//
// Besides its own flags a command may accept every configuration option (`--port 4000`); those are
// collected unchecked, in order, for config to judge, so that one table decides about flags,
// environment and file alike.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::cli {

struct Flag {
  std::string_view name;   // without dashes: "toolset"
  std::string_view value;  // what the help shows for its value; empty: the flag takes none
  std::string_view help;   // empty: accepted but not shown
};

// What a command was given.
struct Arguments {
  std::vector<std::string> words;  // in order, without flags
  std::map<std::string, std::string, std::less<>>
      flags;  // the command's own; value empty if it takes none
  std::vector<std::pair<std::string, std::string>>
      settings;  // configuration options by flag name, in order
  bool help = false;

  bool Has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
  // Empty when the flag was not given.
  std::string_view Get(std::string_view flag) const;
};

struct Command {
  std::string_view name;
  std::string_view words = {};  // positional part of the usage line: "TOOL [key=value…]"
  std::string_view summary = {};
  std::vector<Flag> flags = {};
  bool takes_settings = true;
  std::size_t min_words = 0;
  std::size_t max_words = 0;
  int (*run)(const Arguments&) = nullptr;  // returns an ExitCode
};

// Parses what stands after the command's name. `--name value` and `--name=value` are the same; a
// setting whose `value` is empty is a switch and may also be given as `--name=false`; after `--`
// everything is a word. Unknown flags, a flag's missing value, a repeated own flag and a wrong
// number of words are Code::kInvalidArgument with the nearest name or the usage line in the
// message.
Result<Arguments> ParseArguments(const Command& command, std::span<const Flag> settings,
                                 std::span<const std::string_view> arguments);

// `Usage: toolpost call TOOL …` with summary, flags and settings.
std::string HelpFor(const Command& command, std::span<const Flag> settings);
// The overview of all commands and the exit codes.
std::string HelpForAll(std::span<const Command> commands);

}  // namespace toolpost::cli
