// A stdio server must not outlive the client that started it.
#pragma once

namespace toolpost::cli {

// From now on this process ends when its parent process does, even if the pipe stays open in
// someone else's hands. Call once, before any thread is started.
void EndWithParent();

}  // namespace toolpost::cli
