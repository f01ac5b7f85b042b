// Limits for a command as a whole, by control groups of version 2.
//
// Usable where the group this process was started in belongs to us alone and its controllers for
// memory and process counts may be handed on: a service with delegation, a container with a
// writable group file system. Version 1 is not used: moving a process between its groups takes
// longer than most commands do.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/box_command.h"
#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

// The group of one command. Its processes are born in it.
struct BoxGroup {
  Descriptor directory;  // none: the command has no group
  std::string name;
};

// Used by the spawner only, which has one thread.
class ControlGroups {
 public:
  // Looks for the group of this process, before it enters namespaces of its own.
  void Find();
  // As Find(), with the group given; `needed` are the controllers. For tests.
  void Use(Descriptor group, std::vector<std::string> needed);

  // Moves the processes of the group one level down, so that it can have groups for commands beside
  // them, and removes what dead spawners left. Returns what failed, with errno, or null; only the
  // first call does anything.
  const char* Enable();
  // An empty group with the limits; one without directory, with errno, when there can be none.
  BoxGroup Make(const BoxLimits& limits);
  // Kills what is in it. It goes when that is dead, with a later call at the latest.
  void End(BoxGroup group);

 private:
  const char* HandOnControllers();
  bool IsOursAlone() const;
  bool MoveDown();
  void RemoveStale();
  void RemoveEmpty();

  Descriptor own_;
  std::vector<std::string> needed_ = {"memory", "pids"};
  bool tried_ = false;
  const char* failed_ = nullptr;
  int error_ = 0;
  std::uint64_t made_ = 0;
  std::vector<std::string> ending_;
};

}  // namespace toolpost::sandbox
