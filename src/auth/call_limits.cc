// Buckets and a counter.
#include "auth/call_limits.h"

namespace toolpost::auth {
namespace {

// A bucket lets two seconds' worth through at once.
constexpr double kBurstSeconds = 2;
constexpr std::chrono::milliseconds kBusy{1000};

}  // namespace

CallLimits::CallLimits(const Options& options)
    : all_(options.per_second, options.per_second * kBurstSeconds),
      credentials_(options.per_second_per_credential,
                   options.per_second_per_credential * kBurstSeconds),
      concurrent_(options.concurrent) {}

void CallLimits::Configure(const Options& options) {
  all_.Configure(options.per_second, options.per_second * kBurstSeconds);
  credentials_.Configure(options.per_second_per_credential,
                         options.per_second_per_credential * kBurstSeconds);
  concurrent_.store(options.concurrent, std::memory_order_relaxed);
}

std::optional<Error> CallLimits::Enter(const Principal& principal) {
  const RateLimiter::Clock::time_point now = RateLimiter::Clock::now();
  if (principal.credential && principal.credential->kind != "master") {
    if (const auto wait = credentials_.Take(principal.id, now))
      return RateLimited("Too many calls with this credential", *wait);
  }
  if (const auto wait = all_.Take("", now))
    return RateLimited("The server takes no more calls now", *wait);
  const std::uint64_t limit = concurrent_.load(std::memory_order_relaxed);
  if (running_.fetch_add(1, std::memory_order_relaxed) >= limit && limit != 0) {
    Leave();
    return RateLimited("Too many calls are running", kBusy);
  }
  return std::nullopt;
}

}  // namespace toolpost::auth
