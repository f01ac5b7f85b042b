// One event loop on one thread: its connections, its one-second tick and its end.
//
// All functions but Post, OnThisThread, BeginDrain and Join belong to the loop's thread. A Loop
// lives as long as anything that refers to one of its sockets, so an Exchange may outlive the
// server.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "net/http_server.h"
#include "net/mailbox.h"
#include "net/socket.h"

namespace toolpost::net {

class Listener;
class TlsCredentials;

// What all loops of a server share. `handler` is emptied when the server has stopped.
struct ServerContext {
  ServerContext();
  ~ServerContext();

  ServerOptions options;
  HttpServer::Handler handler;
  std::unique_ptr<TlsCredentials> tls;  // null: plain HTTP. Set before the loops start
  std::atomic<std::size_t> connections{0};
  std::mutex tick_mutex;
  std::vector<std::function<void()>> tick_work;  // guarded by tick_mutex
};

// A connection of any kind, owned by the loop's list from Add to Remove.
class Peer {
 public:
  virtual ~Peer() = default;
  // The deadline has passed.
  virtual void OnDeadline() = 0;
  // The server stops: leave when idle, finish what is in flight otherwise.
  virtual void OnDrain() = 0;
  // Close at once.
  virtual void Kill() = 0;

 protected:
  // 0: none. In seconds of Loop::now().
  std::uint32_t deadline_ = 0;

 private:
  friend class Loop;
  std::size_t slot_ = 0;
};

class Loop : public std::enable_shared_from_this<Loop> {
 public:
  explicit Loop(std::shared_ptr<ServerContext> context);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  ServerContext& context() { return *context_; }
  boost::asio::io_context& io() { return io_; }
  void AddListener(Acceptor acceptor);
  void Start();
  // Any thread. Ends once the last connection has gone, at the latest after `drain`.
  void BeginDrain(std::chrono::milliseconds drain);
  void Join();

  void Add(std::shared_ptr<Peer> peer);
  void Remove(Peer& peer);
  bool draining() const { return draining_; }
  std::uint32_t now() const { return now_; }
  std::uint32_t DeadlineIn(std::chrono::seconds timeout) const {
    return now_ + static_cast<std::uint32_t>(timeout.count()) + 1;
  }
  std::string_view date() const { return date_; }

  bool OnThisThread() const { return current == this; }
  // Any thread. Runs `work` later on the loop's thread; false, without running it, when the loop
  // has ended.
  template <typename Work>
  bool Post(Work&& work) {
    if (!OnThisThread()) return mailbox_.Post(std::forward<Work>(work));
    if (mailbox_.closed()) return false;
    boost::asio::post(io_, std::forward<Work>(work));
    return true;
  }

 private:
  void Run();
  void RunUntilStopped();
  void Tick();
  void ScheduleTick();
  void Drain(std::chrono::milliseconds drain);
  void EndIfEmpty();

  static thread_local Loop* current;

  std::shared_ptr<ServerContext> context_;
  boost::asio::io_context io_{1};
  Mailbox mailbox_{io_};
  boost::asio::steady_timer tick_timer_{io_};
  boost::asio::steady_timer drain_timer_{io_};
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::shared_ptr<Peer>> peers_;
  std::string date_;
  std::chrono::steady_clock::time_point started_;
  std::uint32_t now_ = 1;
  bool draining_ = false;
  std::thread thread_;
};

}  // namespace toolpost::net
