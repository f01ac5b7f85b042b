// The ways escape_probe tries.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>

namespace toolpost::sandbox::escape {

// What is outside; set before any way is tried.
struct Targets {
  std::string folder;
  std::string secret;  // a file in it
  pid_t stranger = 0;  // a process
  int memory_key = 0;  // of a shared memory segment
};
extern Targets targets;

struct Way {
  const char* name;
  bool (*works)();
};

std::span<const Way> FileWays();     // to files outside, and to what git and the kernel read
std::span<const Way> ProcessWays();  // mounts, namespaces, privileges and other processes
std::span<const Way> KernelWays();   // sockets, memory, the kernel itself, limits

inline bool Call(long result) { return result >= 0; }

}  // namespace toolpost::sandbox::escape
