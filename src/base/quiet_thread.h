// Threads that signals pass by.
#pragma once

#include <functional>
#include <thread>

namespace toolpost::base {

// Runs `run` with all signals blocked, so that handlers run on threads that expect them and a
// closed pipe is an error code. An empty thread if the system has none to give.
std::thread StartQuietThread(std::function<void()> run);

}  // namespace toolpost::base
