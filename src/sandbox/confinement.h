// How well commands are confined on this machine.
//
// 4: everything below and limits by control group; 3: namespaces, Landlock and seccomp; 2: Landlock
// and seccomp, or namespaces and seccomp without Landlock; 1: seccomp and resource limits; 0:
// nothing but resource limits.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "sandbox/box_command.h"
#include "sandbox/spawner.h"

namespace toolpost::sandbox {

struct Confinement {
  int level = 0;
  std::string description;  // the layers in force, and why not more
  BoxLayers layers;
};

// Finds the level by building boxes, best first, with the first question, and remembers it.
// Thread-safe.
class ConfinementProbe {
 public:
  // `spawner` null: commands cannot run at all. `best` is tried first; tests take layers away.
  explicit ConfinementProbe(std::shared_ptr<Spawner> spawner, BoxLayers best = {.cgroup = true})
      : spawner_(std::move(spawner)), best_(best) {}

  const Confinement& Get();

 private:
  Confinement Find() const;

  const std::shared_ptr<Spawner> spawner_;
  const BoxLayers best_;
  std::once_flag once_;
  Confinement found_;
};

}  // namespace toolpost::sandbox
