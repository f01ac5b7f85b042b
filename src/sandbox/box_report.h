// What the spawner and a box say about a command, one message each on its status socket.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "sandbox/descriptor.h"

namespace toolpost::sandbox {

struct BoxReport {
  enum Kind : std::int32_t {
    kStageEnded,   // index, status as of wait()
    kNotExecuted,  // index, errno of the program that did not start
    kSetupFailed,  // errno and what failed; nothing ran
    kTimedOut,     // its time is up; it is being ended
    kListening,    // comes with the socket of box_network.h
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
// A report of kListening and `listener` with it; false, with errno, when nobody takes it.
bool SendListener(int status_socket, int listener);
// Without waiting. What recv() says: sizeof(BoxReport) when there was one, whose socket, if any,
// is in `listener`.
ssize_t ReceiveReport(int status_socket, BoxReport& report, Descriptor& listener);

}  // namespace toolpost::sandbox
