// Keeps open replies alive: whoever has one open is told the time every ten seconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace toolpost::api {

class Ticker;

class Ticking {
 public:
  Ticking() = default;
  virtual ~Ticking();  // no longer watched, and nothing is left of it: most replies are brief
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;

  // A reply still open: send a comment, or turn a slow reply into a stream. False: nothing to keep
  // alive any more.
  virtual bool Tick() = 0;

 private:
  friend class Ticker;
  struct Watched;

  std::weak_ptr<Ticking> self_;
  std::shared_ptr<Watched> watched_;  // of the ticker, which may go first; null: never watched
  std::size_t place_ = 0;             // among them, from 1 on; 0: not watched now
};

// Thread-safe.
class Ticker {
 public:
  static constexpr std::chrono::seconds kInterval{10};

  explicit Ticker(std::chrono::seconds interval = kInterval);

  void Watch(const std::shared_ptr<Ticking>& open);
  // Called about once a second by every loop; acts once per interval.
  void Tick();

 private:
  const std::chrono::seconds interval_;
  std::atomic<std::int64_t> next_{0};
  const std::shared_ptr<Ticking::Watched> watched_;
};

}  // namespace toolpost::api
