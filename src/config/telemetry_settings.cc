// Addresses, shares and pairs as people write them.
#include "config/telemetry_settings.h"

#include <charconv>

#include "base/percent.h"
#include "base/strings.h"
#include "config/bind.h"
#include "config/config.h"

namespace toolpost::config {

Result<ListenAddress> ParseListen(std::string_view text) {
  const Error wrong =
      Error::InvalidParams("must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464");
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || !IsAddress(host))
    return wrong;
  return ListenAddress{std::string(host), port};
}

Result<double> ParseShare(std::string_view text) {
  double share = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), share);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !(share >= 0) ||
      !(share <= 1))
    return Error::InvalidParams("must be a number from 0 (none) to 1 (all), such as 0.01");
  return share;
}

Result<std::vector<std::pair<std::string, std::string>>> ParsePairs(
    const std::vector<std::string_view>& entries) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string_view entry : entries) {
    if (base::Trim(entry).empty()) continue;
    const std::size_t equals = entry.find('=');
    const std::string_view name = base::Trim(entry.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
      return Error::InvalidParams("must be name=value, separated by commas");
    pairs.emplace_back(name, base::PercentDecodeLoosely(base::Trim(entry.substr(equals + 1))));
  }
  return pairs;
}

Result<void> CheckTelemetry(const Config& config, std::string& key) {
  key = "metrics.listen";
  if (!config.metrics.listen.empty()) {
    ASSIGN_OR_RETURN(const ListenAddress address, ParseListen(config.metrics.listen));
    if (!IsLoopback(address.host) && !AuthenticationConfigured(config))
      return Error::InvalidParams(
          "names an address other machines can reach, which needs authentication: configure it "
          "(see [auth]), or use 127.0.0.1");
  }
  key = "telemetry.sampling";
  RETURN_IF_ERROR(ParseShare(config.telemetry.sampling));
  key = "telemetry.headers";
  RETURN_IF_ERROR(ParsePairs(base::Split(config.telemetry.headers, ',')));
  key = "telemetry.resource_attributes";
  const auto& attributes = config.telemetry.resource_attributes;
  RETURN_IF_ERROR(ParsePairs({attributes.begin(), attributes.end()}));
  return {};
}

}  // namespace toolpost::config
