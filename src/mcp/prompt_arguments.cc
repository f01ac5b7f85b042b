// Checks of prompt arguments.
#include "mcp/prompt_arguments.h"

#include <algorithm>

#include "base/strings.h"
#include "mcp/catalog_entry.h"

namespace toolpost::mcp {
namespace {

std::string ArgumentNames(const PromptInfo& info) {
  if (info.arguments.empty()) return "it takes none";
  std::string names = "it takes ";
  for (const PromptArgument& argument : info.arguments) {
    if (&argument != &info.arguments.front()) names.append(", ");
    names.append(argument.name);
  }
  return names;
}

}  // namespace

Result<void> CheckPromptArgument(const PromptInfo& info, std::string_view name) {
  const bool declared =
      std::any_of(info.arguments.begin(), info.arguments.end(),
                  [&](const PromptArgument& argument) { return argument.name == name; });
  if (declared) return {};
  return Error::InvalidParams(base::StrCat("Unknown argument of the prompt ", info.name, ": ",
                                           Echo(name), "; ", ArgumentNames(info)));
}

Result<PromptArguments> CheckPromptArguments(const PromptInfo& info, const JsonObject& arguments) {
  PromptArguments checked;
  for (const auto& [name, value] : arguments) {
    RETURN_IF_ERROR(CheckPromptArgument(info, name));
    if (!value.is_string()) {
      return Error::InvalidParams(base::StrCat("The argument ", std::string_view(name),
                                               " of the prompt ", info.name, " must be a string"));
    }
    checked.emplace(std::string_view(name), std::string_view(value.get_string()));
  }
  for (const PromptArgument& argument : info.arguments) {
    if (argument.required && !checked.contains(argument.name)) {
      return Error::InvalidParams(
          base::StrCat("The prompt ", info.name, " needs the argument ", argument.name));
    }
  }
  return checked;
}

}  // namespace toolpost::mcp
