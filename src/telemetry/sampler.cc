// Random ids, cheap enough to be drawn for requests that are not recorded.
#include "telemetry/sampler.h"

#include <cmath>
#include <cstring>

#include "base/crypto.h"

namespace toolpost::telemetry {
namespace {

// splitmix64 from a seed nobody knows: ids must not repeat, they need not be unguessable.
std::uint64_t NextRandom() {
  thread_local std::uint64_t state = [] {
    std::uint64_t seed = 0;
    std::memcpy(&seed, base::RandomBytes(sizeof seed).data(), sizeof seed);
    return seed;
  }();
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return z == 0 ? 1 : z;
}

void Store(std::uint64_t value, std::uint8_t* to) {
  for (int i = 7; i >= 0; --i, value >>= 8) to[i] = static_cast<std::uint8_t>(value);
}

}  // namespace

Sampler::Sampler(double share)
    : all_(share >= 1),
      below_(share >= 1 || !(share > 0) ? 0 : static_cast<std::uint64_t>(std::ldexp(share, 64))) {}

std::optional<TraceContext> Sampler::Begin(const std::optional<TraceContext>& parent) const {
  TraceContext context{.trace_id = {}, .span_id = {}, .sampled = true};
  if (parent) {
    if (!parent->sampled) return std::nullopt;
    context.trace_id = parent->trace_id;
  } else {
    const std::uint64_t low = NextRandom();
    if (!all_ && low >= below_) return std::nullopt;
    Store(NextRandom(), context.trace_id.data());
    Store(low, context.trace_id.data() + 8);
  }
  Store(NextRandom(), context.span_id.data());
  return context;
}

}  // namespace toolpost::telemetry
