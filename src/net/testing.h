// For tests only: a raw client that sends exactly the bytes it is given, and a server on a free
// port.
//
// Every wait has a deadline far above what a healthy server needs, so a test fails instead of
// hanging.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "net/http_server.h"

namespace toolpost::net::testing {

constexpr std::chrono::seconds kDeadline{30};

// A flag that one thread raises and another waits for.
class Event {
 public:
  void Raise() {
    std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool Wait(int count = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kDeadline, [&] { return count_ >= count; });
  }
  int count() {
    std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

struct Reply {
  int status = 0;
  std::string head;
  std::string body;
};

class Client {
 public:
  enum class Loopback { kIpv4, kIpv6 };

  explicit Client(std::uint16_t port, int receive_buffer = 0, Loopback loopback = Loopback::kIpv4)
      : fd_(socket(loopback == Loopback::kIpv4 ? AF_INET : AF_INET6, SOCK_STREAM, 0)) {
    timeval limit{kDeadline.count(), 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (receive_buffer > 0) {
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    int on = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connected_ = loopback == Loopback::kIpv4 ? ConnectIpv4(port) : ConnectIpv6(port);
  }
  virtual ~Client() { Close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }
  // Closes with a reset instead of an orderly end.
  void Reset() {
    linger hard{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    Close();
  }
  void HalfClose() { shutdown(fd_, SHUT_WR); }
  virtual bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // Receives more into the buffer; false at the end of the connection.
  virtual bool Fill() {
    char chunk[65536];
    ssize_t size = recv(fd_, chunk, sizeof chunk, 0);
    if (size <= 0) return false;
    buffer_.append(chunk, static_cast<std::size_t>(size));
    return true;
  }
  // Everything up to and including `mark`, or empty if the connection ends before.
  std::string ReadUntil(std::string_view mark) {
    for (;;) {
      auto at = buffer_.find(mark);
      if (at != std::string::npos) return ReadExactly(at + mark.size());
      if (!Fill()) return {};
    }
  }
  std::string ReadExactly(std::size_t size) {
    while (buffer_.size() < size) {
      if (!Fill()) return {};
    }
    std::string out = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return out;
  }
  std::string ReadToEnd() {
    while (Fill()) {
    }
    return std::exchange(buffer_, {});
  }
  bool AtEnd() { return buffer_.empty() && !Fill(); }

  // One reply with its body by Content-Length or chunks; status 0 if the connection ended first.
  Reply ReadReply(bool head_only = false) {
    Reply reply;
    reply.head = ReadUntil("\r\n\r\n");
    if (reply.head.size() < 12) return reply;
    reply.status = std::atoi(reply.head.c_str() + 9);
    if (head_only) return reply;
    if (auto at = reply.head.find("Content-Length: "); at != std::string::npos) {
      reply.body = ReadExactly(std::strtoul(reply.head.c_str() + at + 16, nullptr, 10));
    } else if (reply.head.find("Transfer-Encoding: chunked") != std::string::npos) {
      for (std::string chunk = ReadChunk(); !chunk.empty(); chunk = ReadChunk())
        reply.body += chunk;
    }
    return reply;
  }
  std::string ReadChunk() {
    std::size_t size = std::strtoul(ReadUntil("\r\n").c_str(), nullptr, 16);
    std::string chunk = ReadExactly(size + 2);
    return chunk.size() < 2 ? std::string() : chunk.substr(0, size);
  }

 protected:
  int fd() const { return fd_; }
  void Append(std::string_view received) { buffer_.append(received); }

 private:
  bool ConnectIpv4(std::uint16_t port) const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  bool ConnectIpv6(std::uint16_t port) const {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_loopback;
    return connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  int fd_;
  bool connected_ = false;
  std::string buffer_;
};

inline std::string Get(std::string_view target, std::string_view headers = {}) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "\r\n";
}
inline std::string Post(std::string_view target, std::string_view body,
                        std::string_view headers = {}) {
  return "POST " + std::string(target) +
         " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

inline ServerOptions TestOptions(std::size_t threads = 1) {
  ServerOptions options;
  options.hosts = {"127.0.0.1"};
  options.threads = threads;
  options.too_large_body = R"({"error":"too large"})";
  return options;
}

// A started server; `handler` answers every request.
class TestServer {
 public:
  explicit TestServer(HttpServer::Handler handler, ServerOptions options = TestOptions())
      : server_(std::move(options), std::move(handler)) {
    auto started = server_.Start();
    EXPECT_TRUE(started.has_value()) << started.error().message;
  }
  HttpServer* operator->() { return &server_; }
  std::uint16_t port() const { return server_.port(); }

 private:
  HttpServer server_;
};

// Answers with method, target and body of the request.
inline void Echo(const Request& request, const std::shared_ptr<Exchange>& exchange) {
  exchange->Send(200, "text/plain",
                 std::string(request.method) + " " + std::string(request.target) + " " +
                     std::string(request.body));
}

}  // namespace toolpost::net::testing
