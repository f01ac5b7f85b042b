// Reports are sent whole or not at all.
#include "sandbox/box_report.h"

#include <sys/socket.h>

#include <algorithm>

namespace toolpost::sandbox {

void SendReport(int status_socket, const BoxReport& report) {
  // Nobody may be listening any more.
  (void)send(status_socket, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void SendSetupFailure(int status_socket, std::string_view what, int error) {
  BoxReport report;
  report.kind = BoxReport::kSetupFailed;
  report.status = error;
  std::ranges::copy(what.substr(0, sizeof report.what - 1), report.what);
  SendReport(status_socket, report);
}

}  // namespace toolpost::sandbox
