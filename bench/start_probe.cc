// Measures the time from fork to the first answer, over stdio or HTTP, run after run. Prints one
// JSON line.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "child.h"

namespace {

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})";

constexpr std::uint64_t kGiveUp = 10'000'000'000;  // ns

void AwaitStdio(bench::Child& server) {
  server.Write(std::string(kInitialize) + "\n");
  std::string reply;
  while (reply.find('\n') == std::string::npos) server.Read(reply);
  if (reply.find("\"result\"") == std::string::npos) bench::Fail("initialize failed: " + reply);
}

int ConnectWhenOpen(std::uint16_t port, std::uint64_t give_up_at) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  while (bench::Now() < give_up_at) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
    close(fd);
    usleep(50);
  }
  bench::Fail("the server did not listen within 10 s");
}

void AwaitHttp(std::uint16_t port) {
  const int fd = ConnectWhenOpen(port, bench::Now() + kGiveUp);
  const std::string request =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
      "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
      "Content-Length: " +
      std::to_string(kInitialize.size()) + "\r\n\r\n" + std::string(kInitialize);
  if (write(fd, request.data(), request.size()) < 0) bench::Fail("write failed");
  std::string reply;
  while (reply.find("\"result\"") == std::string::npos) {
    char chunk[4096];
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got <= 0) bench::Fail("initialize failed: " + reply);
    reply.append(chunk, static_cast<std::size_t>(got));
  }
  close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || std::strcmp(argv[4], "--") != 0) {
    bench::Fail("usage: start_probe stdio|PORT RUNS CORE -- SERVER [ARGUMENT…]");
  }
  const bool stdio = std::strcmp(argv[1], "stdio") == 0;
  const auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  std::vector<double> times;
  std::uint64_t rss = 0;
  for (int run = std::atoi(argv[2]); run > 0; --run) {
    const std::uint64_t begin = bench::Now();
    bench::Child server(argv + 5, std::atoi(argv[3]));
    if (stdio) {
      AwaitStdio(server);
    } else {
      AwaitHttp(port);
    }
    times.push_back(static_cast<double>(bench::Now() - begin) / 1e6);
    rss = server.RssKib();
    if (!stdio) server.Terminate();
  }
  std::sort(times.begin(), times.end());
  std::printf(R"({"median_ms":%.3f,"min_ms":%.3f,"max_ms":%.3f,"rss_kib":%lu})"
              "\n",
              times[times.size() / 2], times.front(), times.back(), rss);
}
