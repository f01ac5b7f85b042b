// Picks the command, parses its arguments, runs it.
#include "cli/cli.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "base/cores.h"
#include "base/log.h"
#include "base/quiet_thread.h"
#include "base/strings.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/settings.h"
#include "sandbox/spawner.h"

namespace toolpost::cli {
namespace {

int UnknownCommand(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) names.push_back(command.name);
  const std::string_view near = base::Nearest(name, names);
  const std::string hint = near.empty() ? "" : base::StrCat(", did you mean ", near, "?");
  return Complain(Error::InvalidParams(base::StrCat("Unknown command ", name, hint,
                                                    "\nRun `toolpost --help` for all commands.")),
                  kUsage);
}

int Run(const Command& command, std::span<const std::string_view> words) {
  Result<Arguments> arguments = ParseArguments(command, SettingFlags(), words);
  if (!arguments) return Complain(arguments.error(), kUsage);
  if (arguments->help) {
    std::cout << HelpFor(command, DocumentedSettingFlags());
    return kOk;
  }
  return command.run(*arguments);
}

// Whether the command of the command line can lead to a call of shell/execute.
bool MayRunCommands(std::string_view first) {
  if (first.empty() || first == "serve" || first == "stdio" || first == "call") return true;
  return first.starts_with('-') && first != "--help" && first != "-h" && first != "--version";
}

int Dispatch(std::span<const std::string_view> words) {
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "help")) {
    std::cout << HelpForAll(Commands());
    return kOk;
  }
  if (!words.empty() && words[0] == "--version") return RunVersion({});
  if (words.empty() || words[0].starts_with("-")) {
    return Run({.name = "", .summary = "Serves MCP.", .run = RunDefault}, words);
  }
  const auto commands = Commands();
  auto found = std::find_if(commands.begin(), commands.end(),
                            [&](const Command& command) { return command.name == words[0]; });
  return found == commands.end() ? UnknownCommand(words[0]) : Run(*found, words.subspan(1));
}

void TuneMemory() {
  // Most threads only wait: as many heaps as can be used at once are enough.
  mallopt(M_ARENA_MAX, static_cast<int>(base::UsableCores()));
  // Large texts come one after the other: to fetch their memory anew each time costs more than to
  // write them.
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

}  // namespace

int Main(int argc, char** argv) {
  // Before anything is allocated, opened or started: commands are copies of what is here now.
  if (MayRunCommands(argc > 1 ? argv[1] : "")) sandbox::Spawner::ForkForProcess();
  TuneMemory();
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  const int status = Dispatch(words);
  base::FlushLog();
  std::cout.flush();
  // What was printed but could not be delivered (a full disk, a closed pipe) is a failure too.
  const int result = std::cout.good() || status != kOk ? status : kFailure;
  if (base::EndingElsewhere()) _exit(result);
  return result;
}

}  // namespace toolpost::cli
