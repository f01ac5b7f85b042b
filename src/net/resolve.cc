// getaddrinfo on a thread that is left behind when nobody waits for it any more.
#include "net/resolve.h"

#include <netdb.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/strings.h"

namespace toolpost::net {
namespace {

constexpr int kMaxQueries = 32;
std::atomic<int> g_queries{0};

struct Query {
  std::mutex mutex;
  std::condition_variable_any answered;
  std::optional<std::vector<IpAddress>> addresses;
};

std::vector<IpAddress> Ask(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
  std::vector<IpAddress> addresses;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const auto address = IpAddress::From(at->ai_addr);
    if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end()) {
      addresses.push_back(*address);
    }
  }
  freeaddrinfo(found);
  return addresses;
}

bool Start(const std::shared_ptr<Query>& query, const std::string& host) {
  if (g_queries.fetch_add(1) >= kMaxQueries) {
    g_queries.fetch_sub(1);
    return false;
  }
  try {
    std::thread([query, host] {
      std::vector<IpAddress> addresses = Ask(host);
      {
        const std::lock_guard lock(query->mutex);
        query->addresses = std::move(addresses);
        query->answered.notify_all();
      }
      g_queries.fetch_sub(1);
    }).detach();
    return true;
  } catch (const std::system_error&) {
    g_queries.fetch_sub(1);
    return false;
  }
}

}  // namespace

Result<std::vector<IpAddress>> Resolve(const std::string& host, base::SteadyTime deadline,
                                       std::stop_token stop) {
  if (const auto address = IpAddress::Parse(host)) return std::vector{*address};
  if (stop.stop_requested()) return Error::Cancelled();
  const auto query = std::make_shared<Query>();
  if (!Start(query, host)) {
    return Error::Unavailable("Too many name lookups are waiting for an answer. Try again later.");
  }
  std::unique_lock lock(query->mutex);
  query->answered.wait_until(lock, stop, deadline, [&] { return query->addresses.has_value(); });
  if (query->addresses) {
    if (!query->addresses->empty()) return std::move(*query->addresses);
    return Error::Unavailable(base::StrCat("The host name ", host, " has no address."));
  }
  if (stop.stop_requested()) return Error::Cancelled();
  return Error{Code::kTimeout, base::StrCat("The lookup of ", host, " took too long."), {}};
}

}  // namespace toolpost::net
