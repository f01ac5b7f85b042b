#include "auth/rate_limit.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "auth/call_limits.h"

namespace toolpost::auth {
namespace {

using namespace std::chrono_literals;

const RateLimiter::Clock::time_point kStart{1000h};

TEST(RateLimiter, TakesABurstAndThenTheRate) {
  RateLimiter limiter(10, 3);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(limiter.Take("a", kStart)) << i;
  EXPECT_EQ(limiter.Take("a", kStart), 100ms);
  EXPECT_EQ(limiter.Take("a", kStart + 60ms), 40ms);
  EXPECT_FALSE(limiter.Take("a", kStart + 100ms));
  EXPECT_TRUE(limiter.Take("a", kStart + 100ms));
}

TEST(RateLimiter, RefusedAttemptsCostNothing) {
  RateLimiter limiter(1, 1);
  EXPECT_FALSE(limiter.Take("a", kStart));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limiter.Take("a", kStart + 500ms));
  EXPECT_FALSE(limiter.Take("a", kStart + 1s));
}

TEST(RateLimiter, NamesDoNotShareBuckets) {
  RateLimiter limiter(1, 1);
  EXPECT_FALSE(limiter.Take("10.0.0.1", kStart));
  EXPECT_FALSE(limiter.Take("10.0.0.2", kStart));
  EXPECT_FALSE(limiter.Take("", kStart));
  EXPECT_TRUE(limiter.Take("10.0.0.1", kStart));
}

TEST(RateLimiter, ZeroIsNoLimitAndMayChange) {
  RateLimiter limiter(0, 0);
  for (int i = 0; i < 1000; ++i) ASSERT_FALSE(limiter.Take("a", kStart));
  limiter.Configure(1, 1);
  EXPECT_FALSE(limiter.Take("a", kStart));
  EXPECT_TRUE(limiter.Take("a", kStart));
}

TEST(RateLimiter, AFullTableNeverResetsABusyBucket) {
  RateLimiter limiter(0.001, 1);
  EXPECT_FALSE(limiter.Take("victim", kStart));
  for (int i = 0; i < 200'000; ++i) limiter.Take("flood" + std::to_string(i), kStart);
  EXPECT_TRUE(limiter.Take("victim", kStart));
  // Buckets that are full again make room.
  EXPECT_FALSE(limiter.Take("late", kStart + 2000s));
}

TEST(RateLimiter, ThreadsTogetherGetNoMoreThanTheBurst) {
  RateLimiter limiter(0.001, 50);
  std::atomic<int> taken{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i)
          if (!limiter.Take("a", kStart)) ++taken;
      });
    }
  }
  EXPECT_EQ(taken, 50);
}

Principal KeyPrincipal(std::string id, std::string kind = "key") {
  auto credential = std::make_shared<Credential>();
  credential->kind = std::move(kind);
  Principal principal;
  principal.id = std::move(id);
  principal.credential = std::move(credential);
  return principal;
}

TEST(CallLimits, PRD_7_4_loadBalancer_maxConcurrentRequests_IsKept) {
  CallLimits limits({.concurrent = 2});
  EXPECT_FALSE(limits.Enter({}));
  EXPECT_FALSE(limits.Enter({}));
  const auto refused = limits.Enter({});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::kRateLimited);
  EXPECT_GT(refused->data.at("retryAfterMs").as_int64(), 0);
  limits.Leave();
  EXPECT_FALSE(limits.Enter({}));
}

TEST(CallLimits, PRD_7_4_loadBalancer_maxRequestsPerSecond_IsShared) {
  CallLimits limits({.per_second = 0.0005});
  EXPECT_FALSE(limits.Enter(KeyPrincipal("key:a")));
  EXPECT_TRUE(limits.Enter(KeyPrincipal("key:b")));
}

TEST(CallLimits, CTRL_SEC_3_EachCredentialHasItsOwnBucketAndTheMasterKeyNone) {
  CallLimits limits({.per_second_per_credential = 0.0005});
  EXPECT_FALSE(limits.Enter(KeyPrincipal("key:a")));
  EXPECT_TRUE(limits.Enter(KeyPrincipal("key:a")));
  EXPECT_FALSE(limits.Enter(KeyPrincipal("key:b")));
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(limits.Enter(KeyPrincipal("master", "master")));
    EXPECT_FALSE(limits.Enter({}));
  }
}

}  // namespace
}  // namespace toolpost::auth
