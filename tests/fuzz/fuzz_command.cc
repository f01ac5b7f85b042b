// Any bytes as a command: what parser and policy let through keeps their promises.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "tools/shell/built_in.h"
#include "tools/shell/parse_command.h"
#include "tools/shell/policy.h"

namespace {

using namespace toolpost::tools::shell;

const Policy& ThePolicy() {
  static const Policy* policy = [] {
    auto* made = new Policy;
    for (const std::string_view name : DefaultCommands()) made->allowed.emplace_back(name);
    return made;
  }();
  return *policy;
}

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckStage(const ParsedStage& stage) {
  Require(!stage.words.empty() && stage.words.size() <= kMaxArguments);
  std::vector<std::string> arguments;
  for (const Word& word : stage.words) {
    arguments.push_back(word.text);
    Require(word.text.find('\0') == std::string::npos && word.text.find('\r') == std::string::npos);
    for (const std::uint32_t at : word.wildcards) Require(at < word.text.size());
    if (!word.wildcards.empty() && word.text.size() <= toolpost::base::Glob::kMaxLength)
      (void)toolpost::base::Glob::ForNames(word.text, word.wildcards).Matches(word.text);
  }
  if (!CheckCommand(ThePolicy(), arguments, stage.words.front().position)) return;
  bool listed = false;
  for (const std::string_view name : DefaultCommands())
    listed = listed || name == arguments.front();
  Require(listed);
  if (ClassOf(arguments.front()) == CommandClass::kBuiltIn) (void)BuiltInOutput(arguments, "/");
  AddForcedOptions(arguments);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view command(reinterpret_cast<const char*>(data), size);
  std::size_t steps = 0;
  const auto parsed = ParseCommand(command, &steps);
  Require(steps <= size);
  if (!parsed) return 0;
  Require(!parsed->empty() && parsed->size() <= kMaxStages);
  for (const ParsedStage& stage : *parsed) CheckStage(stage);
  return 0;
}
