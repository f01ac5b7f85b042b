// Buckets and a counter.
#include "auth/call_limits.h"

namespace toolpost::auth {
namespace {

// A bucket lets two seconds' worth through at once.
constexpr double kBurstSeconds = 2;
constexpr std::chrono::milliseconds kBusy{1000};
constexpr std::size_t kMostNames = 100;

std::string_view NameOf(const Principal& principal) {
  if (!principal.credential) return "local";
  const Credential& credential = *principal.credential;
  return credential.key_id.empty() ? credential.kind : credential.key_id;
}

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
      return Refused(principal, "Too many calls with this credential", *wait);
  }
  if (const auto wait = all_.Take("", now))
    return Refused(principal, "The server takes no more calls now", *wait);
  const std::uint64_t limit = concurrent_.load(std::memory_order_relaxed);
  if (running_.fetch_add(1, std::memory_order_relaxed) >= limit && limit != 0) {
    Leave();
    return Refused(principal, "Too many calls are running", kBusy);
  }
  return std::nullopt;
}

Error CallLimits::Refused(const Principal& principal, std::string_view what,
                          std::chrono::milliseconds wait) {
  const std::string_view name = NameOf(principal);
  const std::lock_guard lock(mutex_);
  auto found = refused_.find(name);
  if (found == refused_.end()) {
    const bool full = refused_.size() >= kMostNames;
    found = refused_.try_emplace(full ? "_other" : std::string(name), 0).first;
  }
  ++found->second;
  return RateLimited(what, wait);
}

std::map<std::string, std::uint64_t, std::less<>> CallLimits::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace toolpost::auth
