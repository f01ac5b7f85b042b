// Append-only JSON writing: the reply path. Compact, no white space, shortest round-trip doubles.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "toolpost/json.h"

namespace toolpost::base {

// Appends `text` as a JSON string with quotes. `text` must be UTF-8; invalid bytes become U+FFFD,
// so that what we send is always valid. Scans 16 bytes at a time.
void AppendJsonString(std::string& out, std::string_view text);
void AppendJsonInt(std::string& out, std::int64_t value);
void AppendJsonUint(std::string& out, std::uint64_t value);
// Not finite: appends null. Integral doubles keep a fraction or exponent ("1.0"), so that the type
// survives.
void AppendJsonDouble(std::string& out, double value);
// As milliseconds with three decimals: `12.345`.
void AppendJsonMilliseconds(std::string& out, std::chrono::nanoseconds duration);
void AppendJson(std::string& out, const Json& value);
void AppendJson(std::string& out, const JsonObject& value);
void AppendJson(std::string& out, const JsonArray& value);

std::string ToJson(const Json& value);

}  // namespace toolpost::base
