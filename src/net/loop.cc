// The event loop of one thread.
#include "net/loop.h"

#include <exception>

#include "base/log.h"
#include "net/listener.h"
#include "net/response_head.h"
#include "net/tls.h"

namespace toolpost::net {

thread_local Loop* Loop::current = nullptr;

ServerContext::ServerContext() = default;
ServerContext::~ServerContext() = default;

Loop::Loop(std::shared_ptr<ServerContext> context)
    : context_(std::move(context)), started_(std::chrono::steady_clock::now()) {}

Loop::~Loop() = default;

void Loop::AddListener(Acceptor acceptor) {
  listeners_.push_back(std::make_unique<Listener>(*this, std::move(acceptor)));
}

void Loop::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Loop::Run() {
  current = this;
  boost::asio::post(io_, [this] {
    Tick();
    for (auto& listener : listeners_) listener->Accept();
  });
  mailbox_.Open();
  RunUntilStopped();
  mailbox_.Close();
  // Completions and posts that were still queued hold connections; run them so that nothing is kept
  // alive in a circle.
  do {
    io_.restart();
  } while (io_.poll() != 0);
  current = nullptr;
}

void Loop::RunUntilStopped() {
  for (;;) {
    try {
      io_.run();
      return;
    } catch (const std::exception& failure) {  // a callback of the handler's side threw
      base::Log(base::Severity::kError, "callback failed", {{"reason", failure.what()}});
    }
  }
}

void Loop::ScheduleTick() {
  tick_timer_.expires_after(std::chrono::seconds(1));
  tick_timer_.async_wait([this](ErrorCode ec) {
    if (!ec) Tick();
  });
}

void Loop::Tick() {
  auto elapsed = std::chrono::steady_clock::now() - started_;
  now_ = 1 + static_cast<std::uint32_t>(
                 std::chrono::duration_cast<std::chrono::seconds>(elapsed).count());
  date_ = HttpDate(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  if (!draining_) {
    for (auto& listener : listeners_) listener->Resume();
  }
  std::vector<std::shared_ptr<Peer>> expired;  // closing changes the list
  for (const auto& peer : peers_) {
    if (peer->deadline_ != 0 && now_ >= peer->deadline_) expired.push_back(peer);
  }
  for (const auto& peer : expired) peer->OnDeadline();
  if (context_->tls) context_->tls->Refresh();
  ScheduleTick();
  std::unique_lock lock(context_->tick_mutex);
  auto work = context_->tick_work;
  lock.unlock();
  for (const auto& call : work) call();
}

void Loop::Add(std::shared_ptr<Peer> peer) {
  peer->slot_ = peers_.size();
  peers_.push_back(std::move(peer));
  context_->connections.fetch_add(1, std::memory_order_relaxed);
}

void Loop::Remove(Peer& peer) {
  std::size_t slot = peer.slot_;
  auto removed = std::move(peers_[slot]);
  if (slot + 1 != peers_.size()) {
    peers_[slot] = std::move(peers_.back());
    peers_[slot]->slot_ = slot;
  }
  peers_.pop_back();
  context_->connections.fetch_sub(1, std::memory_order_relaxed);
  if (draining_ && peers_.empty()) Post([this] { EndIfEmpty(); });
}

void Loop::BeginDrain(std::chrono::milliseconds drain) {
  Post([this, drain] { Drain(drain); });
}

void Loop::Drain(std::chrono::milliseconds drain) {
  if (draining_) return;
  draining_ = true;
  for (auto& listener : listeners_) listener->Close();
  drain_timer_.expires_after(drain);
  drain_timer_.async_wait([this](ErrorCode ec) {
    if (ec) return;
    auto peers = peers_;
    for (const auto& peer : peers) peer->Kill();
    EndIfEmpty();
  });
  auto peers = peers_;
  for (const auto& peer : peers) peer->OnDrain();
  EndIfEmpty();
}

void Loop::EndIfEmpty() {
  if (!peers_.empty()) return;
  tick_timer_.cancel();
  drain_timer_.cancel();
  boost::asio::post(io_, [this] { io_.stop(); });
}

void Loop::Join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace toolpost::net
