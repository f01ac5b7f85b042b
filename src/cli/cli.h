// The command line: argv to a command. `main` does nothing else.
#pragma once

namespace toolpost::cli {

// Returns the exit status of the process. Call once, before any thread is started.
int Main(int argc, char** argv);

}  // namespace toolpost::cli
