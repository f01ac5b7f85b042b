// Blocking loopback sockets.
#include "socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace toolpost::transcripts {

Socket::Socket(std::uint16_t port) : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ended_ = connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
}

Socket::~Socket() { close(descriptor_); }

bool Socket::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Socket::Fill() {
  char chunk[4096];
  const ssize_t count = ended_ ? 0 : recv(descriptor_, chunk, sizeof chunk, 0);
  if (count <= 0) {
    ended_ = true;
    return false;
  }
  buffer_.append(chunk, static_cast<std::size_t>(count));
  return true;
}

std::string Socket::Read(std::size_t count) {
  while (buffer_.size() < count && Fill()) {
  }
  std::string bytes = buffer_.substr(0, count);
  buffer_.erase(0, bytes.size());
  return bytes;
}

std::string Socket::ReadLine() {
  std::size_t end;
  while ((end = buffer_.find("\r\n")) == std::string::npos) {
    if (!Fill()) return std::exchange(buffer_, {});
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return line;
}

void Socket::Shutdown() { shutdown(descriptor_, SHUT_RDWR); }

}  // namespace toolpost::transcripts
