// Names and ports that may be used.
#include "net/host_policy.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/strings.h"

namespace toolpost::net {
namespace {

using base::StrCat;

constexpr std::string_view kLoopbackNames[] = {"localhost", "localhost.localdomain", "localhost6",
                                               "ip6-localhost", "ip6-loopback"};
constexpr std::string_view kPrivateSuffixes[] = {"local",     "localdomain", "internal", "intranet",
                                                 "home.arpa", "lan",         "corp",     "private"};
// Under these names clouds hand out credentials.
constexpr std::string_view kMetadataNames[] = {"metadata",
                                               "instance-data",
                                               "metadata.google.internal",
                                               "metadata.goog",
                                               "metadata.azure.internal",
                                               "metadata.azure.com",
                                               "metadata.tencentyun.com",
                                               "metadata.platformequinix.com",
                                               "metadata.packet.net",
                                               "instance-data.ec2.internal"};

// Services above 1023 that must not be spoken to in HTTP: databases, queues, control planes, X11,
// IRC, SIP and what browsers refuse.
constexpr std::pair<std::uint16_t, std::uint16_t> kOtherServices[] = {
    {1433, 1434},  {1521, 1521},   {1719, 1720},   {1723, 1723},   {2049, 2049},   {2375, 2377},
    {2379, 2380},  {3268, 3269},   {3306, 3306},   {3389, 3389},   {3659, 3659},   {4045, 4045},
    {4190, 4190},  {4369, 4369},   {5060, 5061},   {5432, 5433},   {5672, 5672},   {5900, 5910},
    {5984, 5986},  {6000, 6063},   {6379, 6380},   {6443, 6443},   {6566, 6566},   {6665, 6669},
    {6697, 6697},  {7000, 7001},   {8500, 8500},   {9042, 9042},   {9092, 9092},   {9200, 9200},
    {9300, 9300},  {10080, 10080}, {10250, 10250}, {10255, 10255}, {11211, 11211}, {27017, 27019},
    {50070, 50070}};

bool Holds(std::span<const std::pair<std::uint16_t, std::uint16_t>> ranges, std::uint16_t port) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
    return port >= range.first && port <= range.second;
  });
}

bool IsBelow(std::string_view host, std::string_view suffix) {
  return host.size() > suffix.size() && host.ends_with(suffix) &&
         host[host.size() - suffix.size() - 1] == '.';
}

bool IsAmong(std::span<const std::string_view> names, std::string_view host) {
  return std::find(names.begin(), names.end(), host) != names.end();
}

bool IsLoopbackName(std::string_view host) {
  return IsAmong(kLoopbackNames, host) || IsBelow(host, "localhost");
}

bool IsPrivateName(std::string_view host) {
  return std::any_of(std::begin(kPrivateSuffixes), std::end(kPrivateSuffixes),
                     [&](std::string_view suffix) { return IsBelow(host, suffix); });
}

bool ReadPort(std::string_view text, std::uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port != 0;
}

}  // namespace

Error Refusal(std::string_view host) {
  return {Code::kPermissionDenied,
          StrCat("This server may not connect to ", host,
                 ": its operator decides which hosts and ports can be reached."),
          {}};
}

Result<HostPolicy::Pattern> HostPolicy::Read(std::string_view text) {
  Pattern pattern;
  pattern.below = text.starts_with("*.");
  pattern.text = base::ToLower(text.substr(pattern.below ? 2 : 0));
  if (pattern.text.ends_with('.')) pattern.text.pop_back();
  const bool plain =
      !pattern.text.empty() && std::all_of(pattern.text.begin(), pattern.text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
      });
  if (const auto address = IpAddress::Parse(pattern.text); address && !pattern.below) {
    pattern.address = address->Plain();
  } else if (!plain) {
    return Error::InvalidParams(StrCat("\"", text,
                                       "\" is no host: write \"example.com\", \"*.example.com\" or "
                                       "an IP address, names in ASCII (xn--…)"));
  }
  return pattern;
}

Result<HostPolicy> HostPolicy::Make(const Rules& rules) {
  HostPolicy policy;
  policy.loopback_ = rules.loopback;
  policy.private_networks_ = rules.private_networks;
  for (const std::string& text : rules.allow) {
    ASSIGN_OR_RETURN(Pattern pattern, Read(text));
    policy.allow_.push_back(std::move(pattern));
  }
  for (const std::string& text : rules.deny) {
    ASSIGN_OR_RETURN(Pattern pattern, Read(text));
    policy.deny_.push_back(std::move(pattern));
  }
  for (const std::string& text : rules.ports) {
    const std::size_t dash = text.find('-');
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    const bool read =
        ReadPort(std::string_view(text).substr(0, dash), first) &&
        ReadPort(dash == text.npos ? text : std::string_view(text).substr(dash + 1), last);
    if (!read || first > last)
      return Error::InvalidParams(
          StrCat("\"", text, "\" is no port: write \"8080\" or \"8000-8999\""));
    policy.ports_.emplace_back(first, last);
  }
  return policy;
}

bool HostPolicy::Matches(const std::vector<Pattern>& patterns, std::string_view host,
                         std::size_t* steps) {
  if (const auto address = IpAddress::Parse(host)) return Matches(patterns, *address);
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    if (steps != nullptr) *steps += std::min(host.size(), pattern.text.size());
    return pattern.below ? IsBelow(host, pattern.text) : host == pattern.text;
  });
}

bool HostPolicy::Matches(const std::vector<Pattern>& patterns, const IpAddress& address) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    return pattern.address && *pattern.address == address.Plain();
  });
}

bool HostPolicy::Denies(const IpAddress& address) const { return Matches(deny_, address); }

bool HostPolicy::AllowsPort(std::uint16_t port) const {
  if (!ports_.empty()) return Holds(ports_, port);
  return port == 80 || port == 443 || (port >= 1024 && !Holds(kOtherServices, port));
}

Result<void> HostPolicy::Check(const HttpUrl& url, std::size_t* steps) const {
  const std::string_view host = url.host;
  const bool refused =
      !AllowsPort(url.port) || IsAmong(kMetadataNames, host) || Matches(deny_, host, steps) ||
      (!allow_.empty() && !Matches(allow_, host, steps)) || (IsLoopbackName(host) && !loopback_) ||
      (IsPrivateName(host) && !private_networks_);
  if (refused) return Refusal(host);
  return {};
}

}  // namespace toolpost::net
