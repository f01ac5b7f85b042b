// Threads that signals pass by.
#pragma once

#include <functional>
#include <thread>

namespace toolpost::base {

// Runs `run` with all signals blocked, so that handlers run on threads that expect them and a
// closed pipe is an error code. An empty thread if the system has none to give.
std::thread StartQuietThread(std::function<void()> run);

// Runs `end`, which nobody wants to wait for, on such a thread; here if there is none.
void EndElsewhere(std::function<void()> end);
// Whether that is still going on anywhere: the process had better end without exit handlers then,
// which would pull libraries from under it.
bool EndingElsewhere();

}  // namespace toolpost::base
