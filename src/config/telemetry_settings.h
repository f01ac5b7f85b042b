// Settings of metrics and traces that are more than a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolpost/result.h"

namespace toolpost::config {

struct Config;

struct ListenAddress {
  std::string host;
  std::uint16_t port = 0;
};

// "127.0.0.1:9464", "[::1]:9464", "localhost:0". Code::kInvalidArgument says what is allowed.
Result<ListenAddress> ParseListen(std::string_view text);
// "0.01": 0 to 1.
Result<double> ParseShare(std::string_view text);
// "name=value" each; white space around both is dropped and %XX in values is decoded, as W3C
// baggage wants it. Empty entries are skipped. The text of a value is in no message.
Result<std::vector<std::pair<std::string, std::string>>> ParsePairs(
    const std::vector<std::string_view>& entries);

// Complains of `metrics.listen` and `telemetry.*`; `key` is then the one that is wrong.
Result<void> CheckTelemetry(const Config& config, std::string& key);

}  // namespace toolpost::config
