// The background fetch and the table it fills.
#include "auth/jwks.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/strings.h"
#include "net/http_client.h"

namespace toolpost::auth {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kBetweenUnknownKeys{30};
constexpr std::chrono::hours kKeepOnFailure{24};
constexpr milliseconds kFirstRetry{1'000};
constexpr milliseconds kLastRetry{30'000};
constexpr std::size_t kMaxDocumentBytes = std::size_t{1024} * 1024;

// True also when the clock was set back.
bool HasPassed(base::WallTime since, base::WallTime::duration length) {
  const base::WallTime now = base::Now();
  return now < since || now - since >= length;
}

Result<void> CheckUrl(std::string_view text) {
  ASSIGN_OR_RETURN(const net::HttpUrl url, net::HttpUrl::Parse(text));
  const auto address = net::IpAddress::Parse(url.host);
  const bool local = url.host == "localhost" ||
                     (address && net::Classify(*address) == net::AddressClass::kLoopback);
  if (url.scheme == "https" || local) return {};
  return Error::InvalidParams(
      "The URL of an issuer or of its keys must be https, except on this machine.");
}

Result<std::string> Get(const std::string& url, const JwksOptions& options, std::stop_token stop) {
  net::FetchOptions fetch;
  fetch.addresses = options.addresses;
  fetch.require_tls = true;
  fetch.timeout = options.fetch_timeout;
  fetch.max_body_bytes = kMaxDocumentBytes;
  fetch.max_redirects = 0;
  ASSIGN_OR_RETURN(net::HttpResponse response,
                   net::Fetch({.url = url, .headers = {{"Accept", "application/json"}}}, fetch,
                              std::move(stop)));
  if (response.status != 200) {
    return Error::Unavailable(
        base::StrCat("The issuer answered with status ", response.status, "."));
  }
  return std::move(response.body);
}

Result<std::string> Discover(const JwksOptions& options, const std::stop_token& stop) {
  Error last = Error::Unavailable("The issuer has no metadata.");
  for (const std::string& url : MetadataUrlsOf(options.issuer)) {
    auto document = Get(url, options, stop);
    auto uri =
        document ? JwksUriIn(*document, options.issuer) : Result<std::string>(document.error());
    if (uri) return uri;
    last = uri.error();
  }
  return last;
}

}  // namespace

struct Jwks::Impl {
  explicit Impl(JwksOptions its_options) : options(std::move(its_options)) {
    thread = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }

  void Run(const std::stop_token& stop) {
    milliseconds retry = kFirstRetry;
    while (!stop.stop_requested()) {
      auto fetched = Fetch(stop);
      if (stop.stop_requested()) return;
      milliseconds pause = options.refresh_every;
      if (fetched) {
        retry = kFirstRetry;
      } else {
        base::Log(base::Severity::kWarning, "the keys of the issuer could not be fetched",
                  {{"reason", std::string_view(fetched.error().message)}});
        pause = std::exchange(retry, std::min(retry * 2, kLastRetry));
      }
      Finish(std::move(fetched), pause, stop);
    }
  }

  Result<std::vector<VerificationKey>> Fetch(const std::stop_token& stop) {
    std::string url = options.url;
    if (url.empty()) {
      ASSIGN_OR_RETURN(url, Discover(options, stop));
    }
    ASSIGN_OR_RETURN(const std::string document, Get(url, options, stop));
    return ParseJwks(document);
  }

  // Stores the outcome and waits for the next reason to fetch.
  void Finish(Result<std::vector<VerificationKey>> fetched, milliseconds pause,
              const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    if (fetched) {
      keys = *std::move(fetched);
      fetched_at = base::Now();
    }
    wanted = false;
    fetching = false;
    ended_at = base::Now();
    ++fetches;
    changed.notify_all();
    changed.wait_for(lock, stop, pause, [this] { return wanted; });
    fetching = true;
  }

  const JwksOptions options;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::vector<VerificationKey> keys;
  base::WallTime fetched_at{};  // the last success
  base::WallTime ended_at{};    // the last attempt
  std::uint64_t fetches = 0;
  bool fetching = true;
  bool wanted = false;
  std::jthread thread;  // last: it ends before what it uses
};

Jwks::Jwks(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Jwks::~Jwks() = default;

Result<std::shared_ptr<Jwks>> Jwks::Open(JwksOptions options) {
  RETURN_IF_ERROR(CheckUrl(options.url.empty() ? options.issuer : options.url));
  if (options.url.empty() && MetadataUrlsOf(options.issuer).empty()) {
    return Error::InvalidParams("The URL of an issuer has neither query nor fragment.");
  }
  return std::shared_ptr<Jwks>(new Jwks(std::make_unique<Impl>(std::move(options))));
}

Result<std::vector<VerificationKey>> Jwks::Candidates(std::string_view key_id) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->keys.empty() || HasPassed(impl_->fetched_at, kKeepOnFailure)) {
    return Error::Unavailable(
        "The keys of the issuer are not available at the moment. Try again later.");
  }
  std::vector<VerificationKey> fitting;
  const bool single = impl_->keys.size() == 1;
  for (const VerificationKey& key : impl_->keys) {
    if (key.key_id().empty() || key.key_id() == key_id || (key_id.empty() && single)) {
      fitting.push_back(key);
    }
  }
  if (!fitting.empty() || key_id.empty()) return fitting;
  if (!impl_->fetching && !impl_->wanted && HasPassed(impl_->ended_at, kBetweenUnknownKeys)) {
    impl_->wanted = true;
    impl_->changed.notify_all();
  }
  if (!impl_->fetching && !impl_->wanted) return fitting;
  return Error::Unavailable(
      "The token names a new key, which is being fetched from the issuer. Try again in a moment.");
}

bool Jwks::AwaitFetches(std::uint64_t count, milliseconds timeout) {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, timeout, [&] { return impl_->fetches >= count; });
}

}  // namespace toolpost::auth
