// The commands of `toolpost`. Each prints its results to standard output, its complaints to
// standard error, and returns an ExitCode.
#pragma once

#include <span>

#include "cli/command_line.h"
#include "toolpost/result.h"

namespace toolpost::cli {

// In the order of the help.
std::span<const Command> Commands();

// Serves HTTP until SIGTERM or SIGINT; SIGHUP or a changed configuration file reloads the
// configuration.
int RunServe(const Arguments& arguments);
// Serves standard input and output until end of input; ends with its parent process.
int RunStdio(const Arguments& arguments);
// Serve or stdio, as MCP_TRANSPORT or the kind of standard input says.
int RunDefault(const Arguments& arguments);
int RunCall(const Arguments& arguments);
int RunTools(const Arguments& arguments);
int RunConfig(const Arguments& arguments);
int RunKeys(const Arguments& arguments);
int RunAudit(const Arguments& arguments);
int RunDatabase(const Arguments& arguments);
int RunMssql(const Arguments& arguments);
int RunVersion(const Arguments& arguments);

// Writes `toolpost: message` to standard error and returns `status`.
int Complain(const Error& error, int status);
// The same for a start that failed: with the status of a wrong configuration if that was it.
int ComplainOfStart(const Error& error);

}  // namespace toolpost::cli
