// The part of a box's file system that is the same for all: the system's programs, a few devices
// and made-up files.
#pragma once

namespace toolpost::sandbox {

// Replaces the root of the calling process, which must be in a mount namespace of its own with the
// capabilities to mount there; boxes start from copies of that namespace. What is shown of this
// machine is /usr and its like, the loader's cache, /etc/alternatives, five devices, and for the
// time being /proc, all read-only. Null on success, else what failed, with errno; the root may then
// be anything.
const char* EnterTemplate();

}  // namespace toolpost::sandbox
