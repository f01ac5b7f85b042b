// The server's end of the process that starts commands.
//
// That process is forked before the server has threads, memory or secrets, so that starting a
// command costs the same however large the server has grown, and nothing of the server is open or
// mapped in what it starts. It ends with the server, however that ends, and takes every command
// with it.
#pragma once

#include <memory>

#include "sandbox/box_command.h"
#include "sandbox/descriptor.h"
#include "toolpost/result.h"

namespace toolpost::sandbox {

// A command that was asked for. Closing `status` kills it.
struct StartedBox {
  Descriptor status;  // reports (box_report.h) until kEnded
  Descriptor output;  // what its programs write, until they all have ended; non-blocking
  Descriptor error;
};

// Thread-safe.
class Spawner {
 public:
  // Forks. Only for processes that have one thread; null when there can be no other process. The
  // environment of the new process is wiped.
  static std::shared_ptr<Spawner> Fork();

  // Forks for this process, as the first thing it does; later calls do nothing.
  static void ForkForProcess();
  // What ForkForProcess made; null when it was not called.
  static std::shared_ptr<Spawner> OfProcess();

  ~Spawner();

  // Asks for a command; whether it could be started is in its reports. Code::kTooLarge: arguments
  // and environment do not fit in a message. Code::kUnavailable: no descriptors are left, or the
  // process is gone.
  Result<StartedBox> Start(const BoxCommand& command) const;

  int process() const { return process_; }

 private:
  Spawner(int process, Descriptor socket) : process_(process), socket_(std::move(socket)) {}

  const int process_;
  const Descriptor socket_;
};

}  // namespace toolpost::sandbox
