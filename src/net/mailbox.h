// Work that other threads leave for the thread of an event loop.
//
// Not asio::post: that wakes the loop while it holds the lock the loop then needs, which on a busy
// core costs two more switches between threads for every reply of a worker.
#pragma once

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "net/socket.h"

namespace toolpost::net {

class Mailbox {
 public:
  using Work = std::function<void()>;

  // Throws when there are no descriptors left, as `io` itself does.
  explicit Mailbox(boost::asio::io_context& io);

  // Any thread. Work is run in the order of the calls, by the thread that runs `io`; false, and
  // nothing is run, once the box is closed.
  bool Post(Work work);

  // On the thread that runs `io`:
  void Open();   // begins to run what is posted
  void Close();  // runs what is left
  bool closed() const { return closed_; }

 private:
  void Ring();
  void Listen();
  void Deliver();

  boost::asio::posix::basic_stream_descriptor<Executor> bell_;  // an eventfd
  std::uint64_t rings_ = 0;
  std::deque<Work> delivered_;  // taken out, not yet run
  std::mutex mutex_;
  std::vector<Work> posted_;  // guarded by mutex_, as writing closed_ is
  bool closed_ = false;
};

}  // namespace toolpost::net
