// Ends everything a process started where no process namespace does it.
//
// The caller must be a child subreaper, so that orphans become its children. Safe in signal
// handlers.
#pragma once

namespace toolpost::sandbox {

// Sends `number` to every child; false when there is none.
bool SignalChildren(int number);
// Kills and reaps children until none is left.
void EndChildren();

}  // namespace toolpost::sandbox
