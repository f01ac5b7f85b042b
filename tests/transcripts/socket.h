// A blocking loopback TCP connection for raw clients.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toolpost::transcripts {

// One thread may read while another writes; Shutdown() may come from any thread and ends both.
class Socket {
 public:
  explicit Socket(std::uint16_t port);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool Write(std::string_view bytes);
  // Exactly `count` bytes, or fewer at the end of the stream.
  std::string Read(std::size_t count);
  // Up to and without the next CR LF; empty also at the end of the stream.
  std::string ReadLine();
  bool ended() const { return ended_; }
  void Shutdown();

 private:
  bool Fill();

  int descriptor_;
  bool ended_ = false;
  std::string buffer_;
};

}  // namespace toolpost::transcripts
