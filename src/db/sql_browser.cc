// One datagram of MC-SQLR there, one back.
#include "db/sql_browser.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "db/odbc_error.h"

namespace toolpost::db {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr char kAskInstance = 0x04, kAnswer = 0x05;
constexpr std::size_t kLargestAnswer = 1024 + 3;
constexpr std::size_t kMostAddresses = 8;
constexpr milliseconds kAskAgain{500};

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

// Connected sockets, so that only who was asked can answer.
class Sockets {
 public:
  explicit Sockets(const addrinfo* address) {
    for (; address != nullptr && open_.size() < kMostAddresses; address = address->ai_next) {
      const int descriptor =
          socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      if (descriptor < 0) continue;
      open_.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
      if (connect(descriptor, address->ai_addr, address->ai_addrlen) != 0) Close(open_.back());
    }
    DropClosed();
  }
  ~Sockets() {
    for (pollfd& one : open_) Close(one);
  }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  bool none() const { return open_.empty(); }

  // Those whose host says that nobody listens are left out from then on.
  void Send(std::string_view request) {
    for (pollfd& one : open_) {
      if (send(one.fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) Close(one);
    }
    DropClosed();
  }

  // Datagrams that have arrived by `until`; none when there are none.
  std::vector<std::string> Receive(Steady::time_point until) {
    const auto left = std::chrono::ceil<milliseconds>(until - Steady::now()).count();
    std::vector<std::string> out;
    if (poll(open_.data(), open_.size(), static_cast<int>(std::max<std::int64_t>(left, 0))) <= 0) {
      return out;
    }
    for (pollfd& one : open_) {
      if (one.revents == 0) continue;
      char answer[kLargestAnswer];
      const ssize_t size = recv(one.fd, answer, sizeof answer, 0);
      if (size < 0) {
        Close(one);
      } else {
        out.emplace_back(answer, static_cast<std::size_t>(size));
      }
    }
    DropClosed();
    return out;
  }

 private:
  static void Close(pollfd& one) {
    if (one.fd >= 0) close(one.fd);
    one.fd = -1;
  }
  void DropClosed() {
    std::erase_if(open_, [](const pollfd& one) { return one.fd < 0; });
  }

  std::vector<pollfd> open_;
};

// `ServerName;A;InstanceName;B;…;tcp;1433;;` after three bytes. 0: the instance takes no TCP.
std::optional<int> PortIn(std::string_view answer, std::string_view instance) {
  if (answer.size() < 3 || answer[0] != kAnswer) return std::nullopt;
  const auto words = base::Split(answer.substr(3), ';');
  bool ours = false;
  int port = 0;
  for (std::size_t at = 0; at + 1 < words.size() && !words[at].empty(); at += 2) {
    const std::string_view value = words[at + 1];
    if (base::EqualIgnoringCase(words[at], "InstanceName")) {
      ours = base::EqualIgnoringCase(value, instance);
    } else if (base::EqualIgnoringCase(words[at], "tcp")) {
      std::from_chars(value.data(), value.data() + value.size(), port);
    }
  }
  if (!ours) return std::nullopt;
  return port > 0 && port <= 65'535 ? port : 0;
}

Error NoAnswer() {
  return Error::Unavailable(
      "The instance of the SQL Server was not found: no SQL Server Browser told its port. Check "
      "the name of the instance, start the browser service and open UDP port 1434; or give the "
      "port in place of the instance (Server=host,port)");
}

}  // namespace

Result<int> FindInstancePort(const std::string& host, const std::string& instance,
                             Steady::time_point deadline) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), "1434", &wanted, &found) != 0) return SqlServerHostUnknown();
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(found);
  Sockets sockets(found);
  const std::string request =
      base::StrCat(std::string_view(&kAskInstance, 1), instance, std::string_view("\0", 1));
  while (!sockets.none() && Steady::now() < deadline) {
    sockets.Send(request);
    const auto round = std::min(deadline, Steady::now() + kAskAgain);
    while (!sockets.none() && Steady::now() < round) {
      for (const std::string& answer : sockets.Receive(round)) {
        const std::optional<int> port = PortIn(answer, instance);
        if (port && *port > 0) return *port;
        if (port) {
          return Error::Unavailable(
              "The instance of the SQL Server takes no TCP connections: enable TCP/IP in SQL "
              "Server Configuration Manager");
        }
      }
    }
  }
  return NoAnswer();
}

}  // namespace toolpost::db
