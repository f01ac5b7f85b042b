// The ceiling: one epoll loop that frames HTTP/1.1 requests by Content-Length and answers each with
// the same bytes.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

constexpr std::string_view kBody =
    R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}],"isError":false}})";

std::string MakeReply() {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(kBody.size()) + "\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n" +
         std::string(kBody);
}

// Length of the first complete request in `data`, or 0.
std::size_t FirstRequest(std::string_view data) {
  const std::size_t end = data.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const std::size_t at = data.substr(0, end).find(kLength);
  std::size_t body = 0;
  if (at != std::string_view::npos) {
    std::from_chars(data.data() + at + kLength.size(), data.data() + end, body);
  }
  const std::size_t total = end + 4 + body;
  return total <= data.size() ? total : 0;
}

int Listen(std::uint16_t port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 1024) != 0) {
    std::perror("listen");
    std::exit(3);
  }
  return listener;
}

class Responder {
 public:
  explicit Responder(std::uint16_t port) : listener_(Listen(port)), epoll_(epoll_create1(0)) {
    Watch(listener_);
  }

  [[noreturn]] void Run() {
    epoll_event events[256];
    for (;;) {
      const int count = epoll_wait(epoll_, events, 256, -1);
      for (int i = 0; i < count; ++i) {
        if (events[i].data.fd == listener_) {
          Accept();
        } else {
          Serve(events[i].data.fd);
        }
      }
    }
  }

 private:
  void Watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }

  void Accept() {
    for (int fd; (fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      Watch(fd);
    }
  }

  void Serve(int fd) {
    char chunk[16384];
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      partial_.erase(fd);
      close(fd);
      return;
    }
    std::string_view data(chunk, static_cast<std::size_t>(got));
    std::string joined;
    if (auto found = partial_.find(fd); found != partial_.end()) {
      joined = std::move(found->second);
      joined += data;
      data = joined;
      partial_.erase(found);
    }
    std::string replies;
    std::size_t count = 0;
    for (std::size_t size; (size = FirstRequest(data)) != 0; data.remove_prefix(size)) {
      if (++count > 1) replies += reply_;
    }
    if (!data.empty()) partial_.emplace(fd, data);
    if (count == 0) return;
    if (count > 1) replies += reply_;
    const std::string_view out = count == 1 ? std::string_view(reply_) : replies;
    if (write(fd, out.data(), out.size()) != static_cast<ssize_t>(out.size())) close(fd);
  }

  int listener_;
  int epoll_;
  const std::string reply_ = MakeReply();
  std::unordered_map<int, std::string> partial_;  // the unfinished request of a connection
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: raw_responder PORT\n", stderr);
    return 2;
  }
  Responder(static_cast<std::uint16_t>(std::atoi(argv[1]))).Run();
}
