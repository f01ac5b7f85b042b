#include "telemetry/build_commit.h"

extern "C" {
// Of the program, which alone is linked again when there is a new commit.
[[gnu::weak]] extern const char toolpost_build_commit[];
}

namespace toolpost::telemetry {

std::string_view BuildCommit() {
  return toolpost_build_commit != nullptr ? toolpost_build_commit : std::string_view();
}

}  // namespace toolpost::telemetry
