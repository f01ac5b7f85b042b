// The first process of a command: builds its box, starts the programs in it and waits for them.
#pragma once

#include <vector>

#include "sandbox/box_command.h"
#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

// Descriptors the spawner hands to a box.
struct BoxPipes {
  Descriptor status;  // see box_report.h
  Descriptor output;
  Descriptor error;
  Descriptor go;  // readable when the user namespace is ready
};

// Runs in a new process, in the namespaces `command.layers` asks for, and never returns. SIGTERM is
// passed on to everything in the box. When the programs of the pipeline have ended, so does this
// process, and with it all that they left behind.
[[noreturn]] void RunBox(const BoxCommand& command, BoxPipes pipes, std::vector<Descriptor> trees);

}  // namespace toolpost::sandbox
