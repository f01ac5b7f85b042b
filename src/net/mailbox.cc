// An eventfd as the bell of a queue.
#include "net/mailbox.h"

#include <sys/eventfd.h>

#include <boost/asio/buffer.hpp>
#include <cerrno>
#include <exception>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace toolpost::net {
namespace {

int OpenBell() {
  const int bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (bell < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return bell;
}

}  // namespace

Mailbox::Mailbox(boost::asio::io_context& io) : bell_(io, OpenBell()) {}

bool Mailbox::Post(Work work) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    first = posted_.empty();
    posted_.push_back(std::move(work));
  }
  if (first) Ring();
  return true;
}

void Mailbox::Open() { Listen(); }

void Mailbox::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  for (bool more = true; more;) {
    try {
      Deliver();
      more = false;
    } catch (const std::exception& failure) {
      base::Log(base::Severity::kError, "callback failed", {{"reason", failure.what()}});
    }
  }
}

// Cannot fail: the counter never comes near its limit, because it is read with each ring.
void Mailbox::Ring() { (void)eventfd_write(bell_.native_handle(), 1); }

void Mailbox::Listen() {
  bell_.async_read_some(boost::asio::buffer(&rings_, sizeof rings_),
                        [this](ErrorCode ec, std::size_t) {
                          if (ec) return;
                          Listen();
                          Deliver();
                        });
}

// What throws is reported by whoever runs the loop; the rest then waits for another ring.
void Mailbox::Deliver() {
  {
    const std::lock_guard lock(mutex_);
    delivered_.insert(delivered_.end(), std::make_move_iterator(posted_.begin()),
                      std::make_move_iterator(posted_.end()));
    posted_.clear();
  }
  while (!delivered_.empty()) {
    const Work work = std::move(delivered_.front());
    delivered_.pop_front();
    try {
      work();
    } catch (...) {
      if (!closed_) Ring();
      throw;
    }
  }
}

}  // namespace toolpost::net
