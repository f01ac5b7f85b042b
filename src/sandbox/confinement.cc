// The ladder, rung by rung.
#include "sandbox/confinement.h"

#include "base/strings.h"
#include "sandbox/landlock.h"
#include "sandbox/run_box.h"

namespace toolpost::sandbox {
namespace {

struct Rung {
  int level;
  std::string_view description;
  BoxLayers layers;
};

constexpr Rung kRungs[] = {
    {4, "namespaces, Landlock, seccomp and control group limits", {true, true, true, true}},
    {3, "namespaces, Landlock and seccomp", {true, true, true, false}},
    {2, "namespaces and seccomp, without Landlock", {true, false, true, false}},
    {2, "Landlock and seccomp, without namespaces", {false, true, true, false}},
    {1, "seccomp and resource limits only", {false, false, true, false}},
    {0, "resource limits only", {false, false, false, false}},
};

bool Within(const BoxLayers& layers, const BoxLayers& best) {
  return (best.namespaces || !layers.namespaces) && (best.landlock || !layers.landlock) &&
         (best.seccomp || !layers.seccomp) && (best.cgroup || !layers.cgroup);
}

// Empty when such a box can be built, else why not.
std::string Try(const Spawner& spawner, const BoxLayers& layers) {
  if (layers.landlock && LandlockVersion() == 0) return "the kernel has no Landlock";
  BoxCommand command;
  command.layers = layers;
  command.stages.push_back({.text = ""});
  const auto run = RunInBox(spawner, command, {.probing = true});
  return run ? "" : run.error().message;
}

}  // namespace

Confinement ConfinementProbe::Find() const {
  if (spawner_ == nullptr) return {0, "commands cannot run: no process starts them", {}};
  std::string missing;
  for (const Rung& rung : kRungs) {
    if (!Within(rung.layers, best_)) continue;
    const std::string problem = Try(*spawner_, rung.layers);
    if (problem.empty()) {
      return {rung.level,
              missing.empty() ? std::string(rung.description)
                              : base::StrCat(rung.description, ". Not more: ", missing),
              rung.layers};
    }
    if (missing.empty()) missing = problem;
  }
  return {0, base::StrCat("commands cannot run: ", missing), {}};
}

const Confinement& ConfinementProbe::Get() {
  std::call_once(once_, [this] { found_ = Find(); });
  return found_;
}

}  // namespace toolpost::sandbox
