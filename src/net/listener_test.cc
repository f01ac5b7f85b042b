// Accepting: both loopback addresses on one port, and a process without descriptors left.
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <string>

#include "base/log.h"
#include "net/testing.h"

namespace {
std::atomic<bool> out_of_descriptors = false;
}

// Stands before the one of the C library in this program. A lowered RLIMIT_NOFILE would do the same
// to the sanitizers, which then report what is not there.
extern "C" int accept(int fd, sockaddr* address, socklen_t* size) {
  if (out_of_descriptors) {
    errno = EMFILE;
    return -1;
  }
  static const auto kNext = reinterpret_cast<decltype(&accept)>(dlsym(RTLD_NEXT, "accept"));
  return kNext(fd, address, size);
}

namespace toolpost::net {
namespace {

using testing::Client;
using testing::Echo;
using testing::Event;
using testing::Get;
using testing::kDeadline;
using testing::TestOptions;
using testing::TestServer;

bool HasIpv6Loopback() {
  const int fd = socket(AF_INET6, SOCK_STREAM, 0);
  if (fd < 0) return false;
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  const bool bound = bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return bound;
}

void AnswerAddress(const Request& request, const std::shared_ptr<Exchange>& exchange) {
  exchange->Send(200, "text/plain", std::string(request.remote_address));
}

TEST(Listener, BothLoopbackAddressesShareOnePort) {
  if (!HasIpv6Loopback()) GTEST_SKIP() << "this machine has no ::1";
  for (const std::size_t threads : {1, 2}) {
    ServerOptions options = TestOptions(threads);
    options.hosts = {"127.0.0.1", "::1"};
    TestServer server(AnswerAddress, options);
    Client old(server.port());
    Client modern(server.port(), 0, Client::Loopback::kIpv6);
    ASSERT_TRUE(modern.connected());
    old.Send(Get("/"));
    modern.Send(Get("/"));
    EXPECT_EQ(old.ReadReply().body, "127.0.0.1");
    EXPECT_EQ(modern.ReadReply().body, "::1");
  }
}

// The process log as lines.
class LogReader {
 public:
  LogReader() {
    if (pipe(pipe_) == 0) base::SetLogDescriptorForTest(pipe_[1]);
  }
  ~LogReader() {
    base::FlushLog();
    base::SetLogDescriptorForTest(STDERR_FILENO);
    close(pipe_[0]);
    close(pipe_[1]);
  }
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  // Reads until `text` was logged `count` times; how often it was, or 0 after the deadline.
  int WaitFor(std::string_view text, int count) {
    std::string seen;
    for (;;) {
      int found = 0;
      for (auto at = seen.find(text); at != seen.npos; at = seen.find(text, at + 1)) ++found;
      if (found >= count) return found;
      pollfd ready{pipe_[0], POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(kDeadline.count() * 1000)) != 1) return 0;
      char chunk[4096];
      const ssize_t size = read(pipe_[0], chunk, sizeof chunk);
      if (size <= 0) return 0;
      seen.append(chunk, static_cast<std::size_t>(size));
    }
  }

 private:
  int pipe_[2] = {-1, -1};
};

TEST(Listener, ServesAgainAfterTheProcessRanOutOfDescriptors) {
  LogReader log;
  Event ticked;
  TestServer server(Echo);
  server->OnTick([&ticked] { ticked.Raise(); });
  Client before(server.port());
  before.Send(Get("/before"));
  ASSERT_EQ(before.ReadReply().status, 200);

  const int ticks = ticked.count();
  out_of_descriptors = true;
  Client waiting(server.port());
  EXPECT_TRUE(waiting.connected());  // by the kernel
  waiting.Send(Get("/waiting"));
  // Tried again, and failed again, but only once per tick.
  const int failures = log.WaitFor("cannot accept connections", 2);
  EXPECT_GE(failures, 2);
  EXPECT_LE(failures, ticked.count() - ticks + 2);
  // Who is connected is served meanwhile.
  before.Send(Get("/meanwhile"));
  EXPECT_EQ(before.ReadReply().body, "GET /meanwhile ");

  out_of_descriptors = false;
  EXPECT_EQ(waiting.ReadReply().body, "GET /waiting ");
  Client after(server.port());
  after.Send(Get("/after"));
  EXPECT_EQ(after.ReadReply().body, "GET /after ");
}

}  // namespace
}  // namespace toolpost::net
