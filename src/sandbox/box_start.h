// Makes the process of a box: namespaces, user ids and the folders it will show.
#pragma once

#include <span>
#include <vector>

#include "sandbox/box.h"
#include "sandbox/box_command.h"
#include "sandbox/box_identity.h"
#include "sandbox/control_groups.h"

namespace toolpost::sandbox {

struct RunningBox {
  Descriptor process;  // pidfd; none: nothing was started
  Descriptor status;
  bool own_processes = false;
  BoxGroup group;
};

// Used by the spawner only, which has one thread. The first box pays for the namespaces that all
// share: an empty network, host name and mounts that are ours.
class BoxStarter {
 public:
  // A failure is reported on the status socket. `foreign` are the spawner's descriptors that the
  // box must not hold.
  RunningBox Start(const BoxCommand& command, BoxPipes pipes, std::span<const int> foreign);
  // For a box whose first process has ended.
  void Bury(RunningBox box) { groups_.End(std::move(box.group)); }

 private:
  const char* Prepare();
  const char* MakeNamespaces();
  static bool Enter(const Descriptor& mounts);
  const char* CopyFolders(const BoxCommand& command, std::vector<Descriptor>& trees,
                          OuterIdentity& outer);

  bool prepared_ = false;
  const char* failed_ = nullptr;  // what Prepare could not do
  int error_ = 0;
  Descriptor machine_;       // mount namespace with everything this machine has
  Descriptor template_;      // the one boxes are copies of
  bool privileged_ = false;  // root with capabilities, outside any user namespace of ours
  OuterIdentity self_;
  IdMaps id_maps_;
  ControlGroups groups_;
};

enum class BoxSignal {
  kTerminate,  // asks every process to end
  kKill,       // ends them
};
void SignalBox(const RunningBox& box, BoxSignal signal);

}  // namespace toolpost::sandbox
