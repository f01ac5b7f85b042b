#include "telemetry/build_commit.h"

extern "C" {
// Of the program, which alone is linked again when there is a new commit.
[[gnu::weak]] extern const char kToolpostBuildCommit[];
}

namespace toolpost::telemetry {

std::string_view BuildCommit() {
  return kToolpostBuildCommit != nullptr ? kToolpostBuildCommit : std::string_view();
}

}  // namespace toolpost::telemetry
