// For tests: tests/vectors/jwt.json, keys and tokens made by Node's cryptography.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json_parse.h"
#include "base/source_directory_fixture.h"
#include "toolpost/json.h"

namespace toolpost::auth::testing {

inline const JsonObject& Vectors() {
  static const Json* const kVectors = [] {
    return new Json(base::ParseJson(base::VectorFile("jwt.json")).value());
  }();
  return kVectors->get_object();
}

inline const JsonObject& Accepted(std::string_view algorithm) {
  return Vectors().at("accepted").at(algorithm).get_object();
}

inline std::string Text(const JsonObject& object, std::string_view name) {
  return std::string(object.at(name).get_string());
}

// The public key of a vector as a member of a JWKS.
inline JsonObject Jwk(std::string_view algorithm, std::string_view key_id) {
  JsonObject jwk = Accepted(algorithm).at("jwk").get_object();
  jwk["kid"] = key_id;
  return jwk;
}

constexpr std::int64_t kIssuedAt = 1'800'000'000;

// Freezes the clock for one test.
class FixedClock {
 public:
  explicit FixedClock(std::int64_t seconds = kIssuedAt) { Set(seconds); }
  ~FixedClock() { base::SetNowForTest({}); }
  FixedClock(const FixedClock&) = delete;
  FixedClock& operator=(const FixedClock&) = delete;
  void Set(std::int64_t seconds) {
    base::SetNowForTest(base::WallTime(std::chrono::seconds(seconds)));
  }
};

}  // namespace toolpost::auth::testing
