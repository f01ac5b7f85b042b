// Token buckets by name: how often a key or an address may come.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "toolpost/result.h"

namespace toolpost::auth {

// Code::kRateLimited: "WHAT; try again in N ms", with `data.retryAfterMs`.
Error RateLimited(std::string_view what, std::chrono::milliseconds wait);

// Thread-safe and cheap: one hash, one short lock on one of 16 shards, no allocation for a name
// seen before. Each bucket holds `burst` tokens and gains `per_second` (generic cell rate
// algorithm: one time stamp a bucket). Names are kept as 64-bit hashes keyed with a secret of this
// process, so nobody can aim at another's bucket. The table is bounded: full buckets are forgotten,
// and a table of only busy ones refuses newcomers rather than resetting anyone.
class RateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  // 0 per second: no limit.
  RateLimiter(double per_second, double burst);

  // May change while in use (config reload).
  void Configure(double per_second, double burst);
  // Takes a token, or says how long to wait for one.
  std::optional<std::chrono::milliseconds> Take(std::string_view name, Clock::time_point now);

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kMaxPerShard = 4096;
  struct alignas(64) Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::int64_t> full_at;  // when the bucket is full again, ns
  };

  std::uint64_t HashOf(std::string_view name) const;

  const std::uint64_t secret_;
  std::atomic<std::int64_t> interval_ns_{0};  // per token; 0: no limit
  std::atomic<std::int64_t> depth_ns_{0};     // burst × interval
  std::array<Shard, kShards> shards_;
};

}  // namespace toolpost::auth
