// The processors this process has.
#pragma once

#include <cstddef>

namespace toolpost::base {

// Of those this process may run on, which a container or `taskset` can make fewer; at least one.
// Thread-safe.
std::size_t UsableCores();

}  // namespace toolpost::base
