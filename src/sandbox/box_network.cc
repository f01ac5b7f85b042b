// A listening socket that crosses the border of its network namespace.
#include "sandbox/box_network.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "sandbox/box_report.h"
#include "sandbox/descriptor.h"

namespace toolpost::sandbox {
namespace {

constexpr int kWaiting = 128;  // connections the proxy has not taken yet

bool RaiseLoopback(int any_socket) {
  ifreq loopback{};
  loopback.ifr_name[0] = 'l';
  loopback.ifr_name[1] = 'o';
  loopback.ifr_flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING;
  return ioctl(any_socket, SIOCSIFFLAGS, &loopback) == 0;
}

}  // namespace

const char* OfferProxy(int status_socket) {
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener) return "make a socket";
  if (!RaiseLoopback(listener.get())) return "raise the loopback";
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kProxyPort);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return "name the proxy";
  if (listen(listener.get(), kWaiting) != 0) return "listen for the proxy";
  return SendListener(status_socket, listener.get()) ? nullptr : "hand over the proxy";
}

}  // namespace toolpost::sandbox
