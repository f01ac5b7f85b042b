// Descriptors, under the name this folder uses.
#pragma once

#include "base/descriptor.h"

namespace toolpost::sandbox {

using base::Descriptor;

}  // namespace toolpost::sandbox
