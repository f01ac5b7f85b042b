// Blocking code on threads that all wait for one descriptor besides their own.
#include "net/forward_proxy.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "base/quiet_thread.h"
#include "net/proxied_exchange.h"

namespace toolpost::net {
namespace {

constexpr std::size_t kMaxConnections = 64;
constexpr int kPauseMs = 50;  // until a descriptor may be free again

bool OutOfResources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

ForwardProxy::ForwardProxy(base::Descriptor listener, FetchOptions rules, Observer observer)
    : listener_(std::move(listener)),
      rules_(std::move(rules)),
      observer_(std::move(observer)),
      ended_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      accepting_(base::StartQuietThread([this] { Accept(); })) {}

ForwardProxy::~ForwardProxy() {
  stop_.request_stop();
  eventfd_write(ended_.get(), 1);
  { const std::lock_guard seen(mutex_); }  // whoever saw no stop waits by now
  changed_.notify_all();
  if (accepting_.joinable()) accepting_.join();
  for (Served& each : served_) {
    if (each.thread.joinable()) each.thread.join();
  }
}

// Also buries the threads that have ended.
bool ForwardProxy::AwaitRoom() {
  std::unique_lock lock(mutex_);
  for (;;) {
    for (auto at = served_.begin(); at != served_.end();) {
      if (!at->ended) {
        ++at;
        continue;
      }
      at->thread.join();
      at = served_.erase(at);
    }
    if (stop_.stop_requested()) return false;
    if (served_.size() < kMaxConnections) return true;
    changed_.wait(lock);
  }
}

void ForwardProxy::Accept() {
  while (AwaitRoom()) {
    pollfd polled[] = {{listener_.get(), POLLIN, 0}, {ended_.get(), POLLIN, 0}};
    (void)poll(polled, 2, -1);
    if (polled[1].revents != 0 || (polled[0].revents & (POLLERR | POLLNVAL)) != 0) return;
    const int accepted = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
      if (OutOfResources(errno)) (void)poll(&polled[1], 1, kPauseMs);
      continue;
    }
    const std::lock_guard lock(mutex_);
    Served& served = served_.emplace_back();
    served.thread = base::StartQuietThread([this, &served, accepted] {
      Serve(base::Descriptor(accepted));
      const std::lock_guard ending(mutex_);
      served.ended = true;
      changed_.notify_all();
    });
    if (served.thread.joinable()) continue;
    close(accepted);
    served_.pop_back();
  }
}

void ForwardProxy::Serve(base::Descriptor client) {
  const ProxiedConnection connection =
      ProxiedExchange(std::move(client), rules_, ended_.get(), stop_.get_token()).Run();
  if (observer_) observer_(connection);
}

}  // namespace toolpost::net
