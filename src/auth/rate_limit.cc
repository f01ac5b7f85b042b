// The generic cell rate algorithm.
#include "auth/rate_limit.h"

#include <algorithm>
#include <cstring>

#include "base/crypto.h"
#include "base/strings.h"

namespace toolpost::auth {
namespace {

constexpr double kNanoseconds = 1e9;

std::uint64_t Secret() {
  std::uint64_t secret = 0;
  const std::string bytes = base::RandomBytes(sizeof secret);
  std::memcpy(&secret, bytes.data(), sizeof secret);
  return secret;
}

std::uint64_t Mix(std::uint64_t value) {
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93ULL;
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93ULL;
  return value ^ (value >> 32);
}

}  // namespace

Error RateLimited(std::string_view what, std::chrono::milliseconds wait) {
  return {Code::kRateLimited, base::StrCat(what, "; try again in ", wait.count(), " ms"),
          JsonObject{{"retryAfterMs", wait.count()}}};
}

RateLimiter::RateLimiter(double per_second, double burst) : secret_(Secret()) {
  Configure(per_second, burst);
}

void RateLimiter::Configure(double per_second, double burst) {
  const double interval = per_second > 0 ? kNanoseconds / per_second : 0;
  interval_ns_.store(static_cast<std::int64_t>(interval), std::memory_order_relaxed);
  depth_ns_.store(static_cast<std::int64_t>(interval * std::max(burst, 1.0)),
                  std::memory_order_relaxed);
}

std::uint64_t RateLimiter::HashOf(std::string_view name) const {
  std::uint64_t hash = Mix(secret_ ^ name.size());
  while (name.size() >= sizeof hash) {
    std::uint64_t part = 0;
    std::memcpy(&part, name.data(), sizeof part);
    hash = Mix(hash ^ part);
    name.remove_prefix(sizeof part);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, name.data(), name.size());
  return Mix(hash ^ Mix(rest ^ secret_));
}

std::optional<std::chrono::milliseconds> RateLimiter::Take(std::string_view name,
                                                           Clock::time_point now) {
  const std::int64_t interval = interval_ns_.load(std::memory_order_relaxed);
  if (interval == 0) return std::nullopt;
  const std::int64_t depth = depth_ns_.load(std::memory_order_relaxed);
  const std::int64_t time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
  const auto waits = [](std::int64_t nanoseconds) {
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(nanoseconds));
  };
  const std::uint64_t hash = HashOf(name);
  Shard& shard = shards_[hash % kShards];
  const std::lock_guard lock(shard.mutex);
  auto bucket = shard.full_at.find(hash);
  if (bucket == shard.full_at.end()) {
    if (shard.full_at.size() >= kMaxPerShard)
      std::erase_if(shard.full_at, [&](const auto& entry) { return entry.second <= time; });
    if (shard.full_at.size() >= kMaxPerShard) return waits(depth);
    bucket = shard.full_at.emplace(hash, time).first;
  }
  const std::int64_t next = std::max(bucket->second, time) + interval;
  if (next - time > depth) return waits(next - time - depth);
  bucket->second = next;
  return std::nullopt;
}

}  // namespace toolpost::auth
