// The process that starts commands.
#pragma once

#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

// Serves requests from `socket` until its other end is closed, then kills what still runs; never
// returns. A request is an encoded BoxCommand with three descriptors: status socket, standard
// output, standard error. Namespaces are made with the first request. The caller has just forked
// and has no other thread.
[[noreturn]] void RunSpawner(Descriptor socket);

}  // namespace toolpost::sandbox
