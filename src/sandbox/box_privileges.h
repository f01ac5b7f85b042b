// What a process of the box gives up, and what it may use up.
#pragma once

#include <chrono>

#include "sandbox/box_command.h"

namespace toolpost::sandbox {

// No capabilities now or ever, and no program gives any (no_new_privs). False with errno.
bool DropPrivileges();

// Limits of this process and those after it; the processor time is `timeout` and a second. Must be
// set inside the user namespace: the kernel counts processes per user and namespace. False with
// errno.
bool ApplyLimits(const BoxLimits& limits, std::chrono::milliseconds timeout);

}  // namespace toolpost::sandbox
