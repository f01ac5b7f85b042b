// What all clients sent, in the order it arrived.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tds_server/received.h"

namespace toolpost::tds_server {

// Thread-safe.
class Record {
 public:
  // With `file`, each entry is also appended there as a line of JSON.
  explicit Record(std::string file = {}) : file_(std::move(file)) {}

  void Add(Received received);
  std::vector<Received> All() const;
  // Waits until something that `wanted` likes is there, or `patience` is over. Says whether.
  bool WaitFor(const std::function<bool(const Received&)>& wanted,
               std::chrono::milliseconds patience = std::chrono::seconds(30)) const;
  void Clear();

 private:
  const std::string file_;
  mutable std::mutex mutex_;
  mutable std::condition_variable added_;
  std::vector<Received> entries_;
};

}  // namespace toolpost::tds_server
