// Long options with abbreviations, short options in bundles.
#include "tools/shell/option_rules.h"

#include <algorithm>

#include "base/strings.h"

namespace toolpost::tools::shell {
namespace {

const RefusedOption* FindLong(std::string_view argument, const OptionRules& rules) {
  const std::string_view name = argument.substr(0, argument.find('='));
  if (std::ranges::find(rules.allowed, name) != rules.allowed.end()) return nullptr;
  for (const RefusedOption& option : rules.refused) {
    if (option.name.starts_with("--") && option.name.starts_with(name)) return &option;
  }
  return nullptr;
}

const RefusedOption* FindShort(std::string_view bundle, const OptionRules& rules,
                               std::size_t* steps) {
  for (const char c : bundle.substr(1)) {
    if (steps != nullptr) ++*steps;
    for (const RefusedOption& option : rules.refused) {
      if (option.name.size() == 2 && option.name[1] == c) return &option;
    }
    if (rules.with_value.find(c) != std::string_view::npos) return nullptr;
  }
  return nullptr;
}

}  // namespace

Result<void> CheckOptions(std::string_view program, std::span<const std::string> arguments,
                          const OptionRules& rules, std::size_t* steps) {
  for (const std::string_view argument : arguments) {
    if (steps != nullptr) ++*steps;
    if (argument == "--") return {};
    if (argument.size() < 2 || argument[0] != '-') continue;
    const RefusedOption* refused =
        argument[1] == '-' ? FindLong(argument, rules) : FindShort(argument, rules, steps);
    if (refused == nullptr) continue;
    return Error{Code::kPermissionDenied,
                 base::StrCat(program, " ", refused->name, " is not allowed: ", refused->reason,
                              ". Leave it out."),
                 {}};
  }
  return {};
}

}  // namespace toolpost::tools::shell
