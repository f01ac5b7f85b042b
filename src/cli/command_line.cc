// Parses a command line by tables and prints them as help.
#include "cli/command_line.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::cli {
namespace {

const Flag* Find(std::span<const Flag> flags, std::string_view name) {
  auto found =
      std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.name == name; });
  return found == flags.end() ? nullptr : &*found;
}

std::string ProgramAndName(const Command& command) {
  return base::StrCat("toolpost", command.name.empty() ? "" : " ", command.name);
}

std::string UsageLine(const Command& command) {
  std::string line = ProgramAndName(command);
  if (!command.words.empty()) line += base::StrCat(" ", command.words);
  if (!command.flags.empty() || command.takes_settings) line += " [options]";
  return line;
}

Error Wrong(const Command& command, std::string_view what) {
  return Error::InvalidParams(base::StrCat(what, "\nUsage: ", UsageLine(command), "\nRun `",
                                           ProgramAndName(command), " --help` for all options."));
}

Error UnknownFlag(const Command& command, std::span<const Flag> settings, std::string_view name) {
  std::vector<std::string_view> known{"help"};
  for (const Flag& flag : command.flags) known.push_back(flag.name);
  for (const Flag& flag : settings) known.push_back(flag.name);
  const std::string_view near = base::Nearest(name, known);
  const std::string hint = near.empty() ? "" : base::StrCat(", did you mean --", near, "?");
  return Wrong(command, base::StrCat("Unknown option --", name, hint));
}

void AppendFlags(std::string& out, std::string_view title, std::span<const Flag> flags) {
  if (flags.empty()) return;
  out += base::StrCat("\n", title, ":\n");
  auto label = [](const Flag& flag) {
    return base::StrCat("--", flag.name, flag.value.empty() ? "" : " ", flag.value);
  };
  std::size_t width = 0;
  for (const Flag& flag : flags)
    width = flag.help.empty() ? width : std::max(width, label(flag).size());
  for (const Flag& flag : flags) {
    if (flag.help.empty()) continue;
    std::string left = label(flag);
    left.resize(width, ' ');
    out += base::StrCat("  ", left, "  ", flag.help, "\n");
  }
}

}  // namespace

std::string_view Arguments::Get(std::string_view flag) const {
  auto found = flags.find(flag);
  return found == flags.end() ? std::string_view() : std::string_view(found->second);
}

Result<Arguments> ParseArguments(const Command& command, std::span<const Flag> settings,
                                 std::span<const std::string_view> arguments) {
  if (!command.takes_settings) settings = {};
  Arguments parsed;
  bool only_words = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (only_words || !argument.starts_with("-") || argument == "-") {
      parsed.words.emplace_back(argument);
      continue;
    }
    if (argument == "--") {
      only_words = true;
      continue;
    }
    if (argument == "--help" || argument == "-h") {
      parsed.help = true;
      return parsed;
    }
    const std::size_t equals = argument.find('=');
    const bool attached = equals != std::string_view::npos;
    std::string_view name = argument.substr(0, equals);
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    const Flag* own = Find(command.flags, name);
    const Flag* flag = own != nullptr ? own : Find(settings, name);
    if (flag == nullptr || !argument.starts_with("--")) return UnknownFlag(command, settings, name);

    std::string value;
    if (attached) {
      if (own != nullptr && own->value.empty())
        return Wrong(command, base::StrCat("Option --", name, " takes no value"));
      value = argument.substr(equals + 1);
    } else if (!flag->value.empty()) {
      if (++i == arguments.size())
        return Wrong(command, base::StrCat("Option --", name, " needs a value: ", flag->value));
      value = arguments[i];
    } else if (own == nullptr) {
      value = "true";
    }
    if (own == nullptr) {
      parsed.settings.emplace_back(name, std::move(value));
    } else if (!parsed.flags.emplace(name, std::move(value)).second) {
      return Wrong(command, base::StrCat("Option --", name, " is given twice"));
    }
  }
  if (parsed.words.size() < command.min_words)
    return Wrong(command, base::StrCat("Missing argument: ", command.words));
  if (parsed.words.size() > command.max_words) {
    return Wrong(command, base::StrCat("Unexpected argument: ", parsed.words[command.max_words]));
  }
  return parsed;
}

std::string HelpFor(const Command& command, std::span<const Flag> settings) {
  std::string out = base::StrCat(command.summary, "\n\nUsage: ", UsageLine(command), "\n");
  AppendFlags(out, "Options", command.flags);
  if (command.takes_settings)
    AppendFlags(out, "Settings (also in toolpost.toml and the environment)", settings);
  return out;
}

std::string HelpForAll(std::span<const Command> commands) {
  std::string out =
      "toolpost: tools for language models, over MCP\n\n"
      "Usage: toolpost [COMMAND] [options]\n\nCommands:\n";
  for (const Command& command : commands) {
    std::string left = base::StrCat(command.name, command.words.empty() ? "" : " ", command.words);
    left.resize(std::max<std::size_t>(left.size(), 26), ' ');
    out += base::StrCat("  ", left, "  ", command.summary, "\n");
  }
  out +=
      "\nWithout a command MCP_TRANSPORT decides (stdio or http); if it is unset, a piped standard "
      "input means stdio, anything else\n"
      "serve. `toolpost COMMAND --help` lists the options of a command.\n\n"
      "Exit status: 0 ok, 1 failure, 2 usage, 3 configuration or port taken, 4 not reachable, 5 "
      "the tool returned an error\n";
  return out;
}

}  // namespace toolpost::cli
