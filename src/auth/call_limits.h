// How many calls the server takes: in a second, at once, and from one credential.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "auth/rate_limit.h"
#include "toolpost/context.h"
#include "toolpost/result.h"

namespace toolpost::auth {

// Thread-safe; costs well below a microsecond a call.
class CallLimits {
 public:
  // 0: no limit.
  struct Options {
    double per_second = 0;         // all callers together (PRD loadBalancer.maxRequestsPerSecond)
    std::uint64_t concurrent = 0;  // calls running at once (PRD maxConcurrentRequests)
    double per_second_per_credential = 0;  // API keys and tokens; the master key is exempt
  };

  explicit CallLimits(const Options& options);

  // May change while calls run (config reload).
  void Configure(const Options& options);
  // Admits a call, which must Leave() when it ends; or says why not: Code::kRateLimited with
  // `data.retryAfterMs`.
  std::optional<Error> Enter(const Principal& principal);
  void Leave() { running_.fetch_sub(1, std::memory_order_relaxed); }
  // How many calls were refused, by the public id of the key or the kind of credential; those
  // beyond the first hundred as `_other`.
  std::map<std::string, std::uint64_t, std::less<>> refused() const;

 private:
  Error Refused(const Principal& principal, std::string_view what, std::chrono::milliseconds wait);

  RateLimiter all_;
  RateLimiter credentials_;
  std::atomic<std::uint64_t> concurrent_;
  std::atomic<std::uint64_t> running_{0};
  mutable std::mutex mutex_;  // of refusals only
  std::map<std::string, std::uint64_t, std::less<>> refused_;
};

}  // namespace toolpost::auth
