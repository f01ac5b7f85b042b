// What the spawner and a box say about a command, one message each on its status socket.
#pragma once

#include <cstdint>
#include <string_view>

namespace toolpost::sandbox {

struct BoxReport {
  enum Kind : std::int32_t {
    kStageEnded,   // index, status as of wait()
    kNotExecuted,  // index, errno of the program that did not start
    kSetupFailed,  // errno and what failed; nothing ran
    kTimedOut,     // its time is up; it is being ended
    kEnded,        // nothing of the command is left but its first process, which ends now
  };
  Kind kind = kEnded;
  std::int32_t index = 0;
  std::int32_t status = 0;
  char what[48] = {};
};

// Sent by the server: end the command at once.
inline constexpr char kKillRequest = 'K';

void SendReport(int status_socket, const BoxReport& report);
void SendSetupFailure(int status_socket, std::string_view what, int error);

}  // namespace toolpost::sandbox
