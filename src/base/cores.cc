// The affinity mask.
#include "base/cores.h"

#include <sched.h>

#include <algorithm>

namespace toolpost::base {

std::size_t UsableCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&cores), 1));
}

}  // namespace toolpost::base
