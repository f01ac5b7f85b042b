// The one file that knows the commit, so that a new one compiles nothing else.
#include "main/commit.h"

extern "C" {
extern const char kToolpostBuildCommit[];
const char kToolpostBuildCommit[] = TOOLPOST_COMMIT;
}
