// Options as flags.
#include "cli/settings.h"

#include <deque>
#include <string>

#include "base/strings.h"
#include "config/options.h"

namespace toolpost::cli {
namespace {

constexpr std::string_view kConfigFlag = "config";

std::string_view Placeholder(config::Type type) {
  switch (type) {
    case config::Type::kBoolean:
      return "";
    case config::Type::kInteger:
      return "NUMBER";
    case config::Type::kStrings:
      return "LIST";
    case config::Type::kDuration:
      return "TIME";
    case config::Type::kSize:
      return "SIZE";
    case config::Type::kChoice:
      return "CHOICE";
    case config::Type::kString:
      break;
  }
  return "TEXT";
}

std::string HelpText(const config::Option& option) {
  std::string help(option.help);
  if (option.type == config::Type::kChoice) help += "; " + config::Expected(option);
  const std::string_view value =
      option.default_note.empty() ? option.default_value : option.default_note;
  if (!value.empty() && option.type != config::Type::kBoolean)
    help += base::StrCat(" [", value, "]");
  return help;
}

// `help_of` gives an option's text, which must live as long as the flags.
std::vector<Flag> BuildFlags(std::string_view (*help_of)(const config::Option&)) {
  const auto options = config::Options();
  std::vector<Flag> flags;
  flags.reserve(2 * options.size() + 1);
  flags.push_back(
      {kConfigFlag, "FILE", "Configuration file [toolpost.toml, then the XDG config directory]"});
  for (const config::Option& option : options) {
    const std::string_view help = help_of(option);
    const std::string_view value = Placeholder(option.type);
    // The help shows the short name only; both work.
    if (!option.flag_alias.empty()) flags.push_back({option.flag_alias, value, help});
    flags.push_back({option.flag, value, option.flag_alias.empty() ? help : std::string_view()});
  }
  return flags;
}

base::Severity SeverityOf(std::string_view level) {
  if (level == "debug") return base::Severity::kDebug;
  if (level == "warning") return base::Severity::kWarning;
  if (level == "error") return base::Severity::kError;
  if (level == "off") return base::Severity::kOff;
  return base::Severity::kInfo;
}

base::LogFormat FormatOf(std::string_view format) {
  if (format == "text") return base::LogFormat::kText;
  if (format == "json") return base::LogFormat::kJson;
  return base::LogFormat::kAuto;
}

}  // namespace

std::span<const Flag> SettingFlags() {
  static const std::vector<Flag> kFlags =
      BuildFlags([](const config::Option& option) { return option.help; });
  return kFlags;
}

std::span<const Flag> DocumentedSettingFlags() {
  static std::deque<std::string> texts;
  static const std::vector<Flag> kFlags =
      BuildFlags([](const config::Option& option) -> std::string_view {
        return texts.emplace_back(HelpText(option));
      });
  return kFlags;
}

config::Sources SourcesOf(const Arguments& arguments) {
  config::Sources sources;
  sources.environment = config::ProcessEnvironment();
  for (const auto& [name, value] : arguments.settings) {
    if (name == kConfigFlag) {
      sources.config_file = value;
    } else {
      sources.flags.emplace_back(name, value);
    }
  }
  return sources;
}

Result<config::Config> LoadConfig(const Arguments& arguments) {
  return config::Load(SourcesOf(arguments));
}

void ApplyLog(const config::Config& config, bool quiet) {
  const bool chosen = OriginOf(config, "log.level").layer != config::Layer::kDefault;
  base::ConfigureLog(quiet && !chosen ? base::Severity::kWarning : SeverityOf(config.log.level),
                     FormatOf(config.log.format));
  for (const std::string& warning : config.warnings) base::Log(base::Severity::kWarning, warning);
}

}  // namespace toolpost::cli
