// What authentication costs, and whether its time tells anything about a key. Prints one JSON line
// for bench/identity.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "auth/api_key.h"
#include "auth/authenticator.h"
#include "auth/call_limits.h"
#include "store/api_keys.h"

namespace {

using toolpost::auth::Authenticator;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 4000;
constexpr int kChecks = 25;

toolpost::auth::Presented Token(std::string_view token) {
  toolpost::auth::Presented presented;
  presented.kind = toolpost::auth::Presented::Kind::kToken;
  presented.token = token;
  return presented;
}

// Nanoseconds of one `work`, averaged over a few.
template <typename Work>
double Time(Work work) {
  const auto begin = Clock::now();
  for (int i = 0; i < kChecks; ++i) work();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / kChecks;
}

struct Sample {
  double mean = 0;
  double variance = 0;
};

// The slowest tenth is noise of the machine.
Sample Summarise(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  times.resize(times.size() * 9 / 10);
  Sample sample;
  for (const double time : times) sample.mean += time / static_cast<double>(times.size());
  for (const double time : times)
    sample.variance +=
        (time - sample.mean) * (time - sample.mean) / static_cast<double>(times.size() - 1);
  return sample;
}

// Welch's t of two guesses, measured in turn, each first in every other round and both at the same
// address: only what they say differs.
template <typename Check>
double Welch(const std::string& first, const std::string& second, Check check) {
  std::string guess;
  const auto time = [&](const std::string& text) {
    guess.assign(text);
    return Time([&] { check(guess); });
  };
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < kRounds; ++i) {
    if (i % 2 == 0) a.push_back(time(first));
    b.push_back(time(second));
    if (i % 2 != 0) a.push_back(time(first));
  }
  const Sample x = Summarise(std::move(a));
  const Sample y = Summarise(std::move(b));
  const double count = kRounds * 0.9;
  return (x.mean - y.mean) / std::sqrt(x.variance / count + y.variance / count);
}

}  // namespace

int main() {
  std::string name = (std::filesystem::temp_directory_path() / "toolpost_bench_XXXXXX").string();
  const std::string directory = mkdtemp(name.data());
  auto store =
      std::make_shared<toolpost::store::Store>(toolpost::store::StoreOptions{{}, directory});
  auto ring = std::make_shared<toolpost::auth::KeyRing>(store);
  const toolpost::auth::NewApiKey made = toolpost::auth::MakeApiKey();
  toolpost::store::ApiKey key;
  key.id = made.id;
  key.digest = made.digest;
  key.key_type = "user";
  if (!toolpost::store::ApiKeys(*store).Add(key) || !ring->Start()) return 1;

  const std::string master(64, 'k');
  Authenticator authenticator({.master_key = master, .ring = ring});
  const std::string early = "x" + master.substr(1);
  const std::string late = master.substr(0, 63) + "x";
  const auto check = [&](const std::string& token) { return authenticator.Check(Token(token)); };
  const double master_t = Welch(early, late, check);
  // Wrong in the same place: what the machine alone makes of it.
  const double control_t = Welch(early, "y" + master.substr(1), check);
  const double key_ns = Time([&] { check(made.text); });
  const double master_ns = Time([&] { check(master); });

  toolpost::auth::CallLimits limits(
      {.per_second = 1e9, .concurrent = 1000, .per_second_per_credential = 1e9});
  const toolpost::Principal principal = authenticator.Check(Token(made.text)).principal;
  double limit_ns = 1e9;
  for (int i = 0; i < 1000; ++i) {
    limit_ns = std::min(limit_ns, Time([&] {
                          if (!limits.Enter(principal)) limits.Leave();
                        }));
  }
  std::printf(
      R"({"master_prefix_t":%.2f,"control_t":%.2f,"key_ns":%.0f,"master_ns":%.0f,"limit_ns":%.0f})"
      "\n",
      master_t, control_t, key_ns, master_ns, limit_ns);
  ring.reset();
  store.reset();
  std::filesystem::remove_all(directory);
  return 0;
}
