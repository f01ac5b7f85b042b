// Which programs run, and with which arguments.
//
// This is the second line: what a program can do is decided by the sandbox it runs in. The policy
// gives clear answers early and protects the workspace from the programs that may change it.
// Arguments are checked after wildcards were expanded. Long options count in every abbreviation the
// programs take, short ones also inside bundles; what follows `--` is no option. Pure functions,
// safe on any thread, linear in the arguments.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::tools::shell {

// PRD FR-013.1, in its order.
std::span<const std::string_view> DefaultCommands();

struct Policy {
  std::vector<std::string> allowed;  // programs by name
  bool network = false;              // commands reach the network
};

// How much a program must be confined.
enum class CommandClass {
  kBuiltIn,      // done here, without a process: echo and pwd
  kFilter,       // does what its arguments say
  kInterpreter,  // runs whatever the workspace holds, and every program we know nothing about
};
CommandClass ClassOf(std::string_view program);

// Whether the program, so called, has any use for the network.
bool UsesNetwork(const std::vector<std::string>& arguments);

// `arguments` begin with the program; `position` is where that stands in the command.
// Code::kPermissionDenied names the rule and what to do instead. `steps`, when given, counts the
// characters compared.
Result<void> CheckCommand(const Policy& policy, const std::vector<std::string>& arguments,
                          std::size_t position, std::size_t* steps = nullptr);

// What is put behind the program before it runs: the options that keep git from starting programs a
// repository names.
void AddForcedOptions(std::vector<std::string>& arguments);

}  // namespace toolpost::tools::shell
