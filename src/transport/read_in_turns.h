// Reads the messages of one client with two threads that take turns.
//
// The thread that has read a call which may block does its work itself, while the other one reads
// on: a client that waits for each answer before it asks again waits for one switch between threads
// less. While one of them is at work, further calls go to the pool. The second thread starts with
// the first such call.
#pragma once

#include <functional>
#include <string>

#include "base/thread_pool.h"
#include "toolpost/transport.h"

namespace toolpost::transport {

struct Reading {
  Transport& transport;
  base::ThreadPool& pool;
  // Gets every message, in order, one at a time; or Code::kTooLarge in place of one.
  std::function<void(const Result<std::string>&)> receive;
  // Called once, after the last message, when calls may still run.
  std::function<void()> end;
};

// Returns after `end`, and after the work of both threads.
void ReadInTurns(const Reading& reading);

}  // namespace toolpost::transport
