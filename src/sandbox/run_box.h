// Runs a command and collects what it writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/spawner.h"

namespace toolpost::sandbox {

struct BoxResult {
  std::string output;  // what was kept
  std::string error;
  std::uint64_t output_bytes = 0;  // what was written until then
  std::uint64_t error_bytes = 0;
  bool truncated = false;  // the limit was reached and the command ended for it
  bool timed_out = false;
  // Of the stages, as of wait(); none for those that were killed with the box.
  std::vector<std::optional<int>> statuses;
  std::chrono::nanoseconds duration{};
};

struct RunOptions {
  std::uint64_t max_output = 10ULL << 20;  // both streams together, bytes
  std::stop_token stop;
  bool probing = false;  // a box that cannot be built is no news for the log
  // Called on this thread as output comes in, at most every 100 ms: new text of either stream and
  // all bytes so far.
  std::function<void(std::string_view text, std::uint64_t bytes)> on_output;
  // Called on this thread, once, for a command with a network: what its programs connect to
  // (box_network.h).
  std::function<void(Descriptor listener)> on_listening;
};

// Blocks until nothing of the command is left. Code::kCancelled when stopped, Code::kNotFound when
// a program is not there, Code::kUnavailable when the box could not be built (`data` says at what,
// for the log and the ladder of confinement.h) or the spawner is gone.
Result<BoxResult> RunInBox(const Spawner& spawner, const BoxCommand& command,
                           const RunOptions& options);

}  // namespace toolpost::sandbox
