// What the running program was built from.
#pragma once

#include <string_view>

namespace toolpost::telemetry {

// The commit, with "-dirty" when files had been changed. Empty for programs that do not say
// (src/build_commit.cc is linked by toolpost alone) or were built outside a checkout.
std::string_view BuildCommit();

}  // namespace toolpost::telemetry
