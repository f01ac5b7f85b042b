// The stand-in for SQL Server Browser, which tells clients the TCP port of an instance (MC-SQLR).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::tds_server {

// Answers on UDP port 1434, which clients take for granted. An address of 127.0.0.0/8 that nobody
// else uses keeps tests out of each other's way. Has a thread of its own.
class Browser {
 public:
  struct Options {
    std::string address = "127.0.0.1";
    // Names and ports; 0: it takes no TCP. For other names there is no answer, as from the real
    // one.
    std::vector<std::pair<std::string, std::uint16_t>> instances;
    int unanswered = 0;              // so many requests are lost first
    std::vector<std::string> noise;  // datagrams that precede each answer
  };

  // Code::kUnavailable when the port is taken.
  static Result<std::unique_ptr<Browser>> Start(Options options);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  int requests() const { return requests_; }

 private:
  Browser(int socket, Options options);
  void Serve();
  std::string AnswerTo(std::string_view request) const;

  const int socket_;
  const Options options_;
  std::atomic<int> requests_ = 0;
  std::thread thread_;
};

// An address of 127.0.0.0/8 for this process and none other.
std::string OwnLoopbackAddress();

}  // namespace toolpost::tds_server
