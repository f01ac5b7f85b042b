// Keeps open replies alive: whoever has one open is told the time every ten seconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace toolpost::api {

class Ticking {
 public:
  virtual ~Ticking() = default;
  // A reply still open: send a comment, or turn a slow reply into a stream. False: nothing to keep
  // alive any more.
  virtual bool Tick() = 0;
};

// Thread-safe.
class Ticker {
 public:
  static constexpr std::chrono::seconds kInterval{10};

  explicit Ticker(std::chrono::seconds interval = kInterval) : interval_(interval) {}

  void Watch(std::weak_ptr<Ticking> open);
  // Called about once a second by every loop; acts once per interval.
  void Tick();

 private:
  const std::chrono::seconds interval_;
  std::atomic<std::int64_t> next_{0};
  std::mutex mutex_;
  std::vector<std::weak_ptr<Ticking>> open_;
};

}  // namespace toolpost::api
