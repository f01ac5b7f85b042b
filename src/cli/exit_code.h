// What the exit status of `toolpost` means; documented in `toolpost --help` and README.md.
#pragma once

namespace toolpost::cli {

enum ExitCode : int {
  kOk = 0,
  kFailure = 1,        // anything not listed below
  kUsage = 2,          // the command line is wrong
  kConfiguration = 3,  // the configuration is wrong, or the port is taken
  kNotReachable = 4,   // the server or something a tool depends on does not answer
  kToolError = 5,      // the tool ran and reported an error
};

}  // namespace toolpost::cli
