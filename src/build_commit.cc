// The one file that knows the commit, so that a new one compiles nothing else.
#include "main/commit.h"

extern "C" {
extern const char toolpost_build_commit[];
const char toolpost_build_commit[] = TOOLPOST_COMMIT;
}
