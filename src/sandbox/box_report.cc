// Reports are sent whole or not at all.
#include "sandbox/box_report.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

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

bool SendListener(int status_socket, int listener) {
  BoxReport report;
  report.kind = BoxReport::kListening;
  iovec data = {&report, sizeof report};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof listener)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof listener);
  std::memcpy(CMSG_DATA(header), &listener, sizeof listener);
  return sendmsg(status_socket, &message, MSG_NOSIGNAL) == sizeof report;
}

ssize_t ReceiveReport(int status_socket, BoxReport& report, Descriptor& listener) {
  iovec data = {&report, sizeof report};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t length = recvmsg(status_socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  const cmsghdr* header = length > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    int received = -1;
    std::memcpy(&received, CMSG_DATA(header), sizeof received);
    listener = Descriptor(received);
  }
  return length;
}

}  // namespace toolpost::sandbox
