// poll(), and cancel requests on threads of their own (PQcancel blocks).
#include "db/postgres_database_wire.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "base/thread_pool.h"

namespace toolpost::db {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

// The server has the same deadline, and ends the statement with less effort.
constexpr milliseconds kServersTurn{200};
// A cancel costs the server a process: a result that is about to end had better end.
constexpr milliseconds kToFinish{20};
constexpr milliseconds kToCancel{2000};
// After the deadline, when its own timeouts (idle_in_transaction_session_timeout is the longest)
// have ended the session whatever the network does.
constexpr std::chrono::seconds kServerGivesUp{90};
// Who still sends rows notices best that nobody takes them.
constexpr std::size_t kMostIgnored = 1 << 20;
constexpr milliseconds kWaitingEvery{1000};
constexpr milliseconds kLongestPoll{60'000};
// A row of the largest size with its surroundings: notices, TLS.
constexpr std::size_t kMostBuffered = kLargestPostgresRow + (4 << 20);

int Poll(std::span<pollfd> descriptors, int timeout) {
  const base::ThreadPool::Waiting waiting;
  return poll(descriptors.data(), descriptors.size(), timeout);
}

// Bytes in the socket that nobody has read.
std::size_t Unread(int socket) {
  int bytes = 0;
  return ioctl(socket, FIONREAD, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

// Bytes that were ever read from a TCP socket.
std::optional<std::size_t> ReadFromTcp(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      size < offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) {
    return std::nullopt;
  }
  const std::size_t received = info.tcpi_bytes_received, unread = Unread(socket);
  return received - std::min(received, unread);
}

}  // namespace

// How much libpq has read since this was made. TCP counts. Of other sockets it is what was there
// before each reading: less than all, as libpq reads on while more comes, and never more.
class PostgresWire::Meter {
 public:
  explicit Meter(int socket) : socket_(socket), first_(ReadFromTcp(socket)) {}
  void BeforeReading() {
    if (!first_) seen_ += Unread(socket_);
  }
  std::size_t bytes() const {
    if (!first_) return seen_;
    const std::size_t now = ReadFromTcp(socket_).value_or(0);
    return now - std::min(now, *first_);
  }

 private:
  const int socket_;
  const std::optional<std::size_t> first_;
  std::size_t seen_ = 0;
};

struct PostgresWire::Cancel {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

PostgresWire::PostgresWire(const Libpq& pq, PGconn* connection)
    : pq_(pq), connection_(connection), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  lost_ = wake_ < 0 || pq_.setnonblocking(connection_, 1) != 0;
}

PostgresWire::~PostgresWire() {
  on_stop_.reset();
  pq_.finish(connection_);
  if (wake_ >= 0) close(wake_);
}

void PostgresWire::Start(Time deadline, std::stop_token stop, std::function<void()> waiting) {
  if (on_stop_) {
    on_stop_.reset();
    eventfd_t value = 0;
    eventfd_read(wake_, &value);
  }
  deadline_ = deadline;
  waiting_ = std::move(waiting);
  end_ = PostgresEnd::kNone;
  cancel_.reset();
  if (stop.stop_possible()) {
    on_stop_.emplace(std::move(stop), [this] { eventfd_write(wake_, 1); });
  }
}

PostgresWire::Time PostgresWire::Limit() const {
  return end_ == PostgresEnd::kNone ? deadline_ + kServersTurn : patience_;
}

void PostgresWire::PastLimit() {
  if (end_ == PostgresEnd::kNone) {
    End(PostgresEnd::kTimeout);
  } else if (cancel_ == nullptr) {
    SendCancel();
  } else {
    GiveUp();
  }
}

bool PostgresWire::Gone() {
  if (!given_up_ || Steady::now() > deadline_ + kServerGivesUp) return true;
  char bytes[16384];
  ssize_t size = 0;
  while ((size = recv(pq_.socket(connection_), bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
    ignored_ += static_cast<std::size_t>(size);
    if (ignored_ > kMostIgnored) return true;
  }
  return size == 0 || (errno != EAGAIN && errno != EINTR);
}

bool PostgresWire::AwaitInput(bool sending, Meter* meter) {
  while (!lost_) {
    const auto left = std::chrono::ceil<milliseconds>(Limit() - Steady::now());
    if (left.count() <= 0) {
      PastLimit();
      continue;
    }
    pollfd ready[] = {{pq_.socket(connection_), POLLIN, 0}, {wake_, POLLIN, 0}};
    if (sending) ready[0].events |= POLLOUT;
    const milliseconds timeout = std::min(left, waiting_ ? kWaitingEvery : kLongestPoll);
    const int count = Poll(ready, static_cast<int>(timeout.count()));
    if (count == 0 && waiting_) waiting_();
    if (count <= 0) continue;
    if (ready[1].revents != 0) {
      eventfd_t value = 0;
      eventfd_read(wake_, &value);
      End(PostgresEnd::kStopped);
    }
    if (ready[0].revents == 0) continue;
    if (meter != nullptr) meter->BeforeReading();
    if (pq_.consume_input(connection_) == 0) lost_ = true;
    return !lost_;
  }
  return false;
}

bool PostgresWire::Flush() {
  while (!lost_) {
    const int left = pq_.flush(connection_);
    if (left == 0) return true;
    if (left < 0) lost_ = true;
    if (!lost_) AwaitInput(true, nullptr);
  }
  return false;
}

// Most results are there after one reading, and measuring asks the kernel.
PostgresResult PostgresWire::Next() {
  if (!lost_ && pq_.is_busy(connection_) != 0) AwaitInput(false, nullptr);
  std::optional<Meter> meter;
  while (!lost_ && pq_.is_busy(connection_) != 0) {
    if (!meter) meter.emplace(pq_.socket(connection_));
    AwaitInput(false, &*meter);
    if (meter->bytes() > kMostBuffered) lost_ = too_large_ = true;
  }
  return {lost_ ? nullptr : pq_.get_result(connection_), ClearPostgresResult{&pq_}};
}

void PostgresWire::End(PostgresEnd why) {
  if (end_ != PostgresEnd::kNone) return;
  end_ = why;
  if (why == PostgresEnd::kEnough) {
    patience_ = Steady::now() + kToFinish;
  } else {
    SendCancel();
  }
}

void PostgresWire::GiveUp() {
  lost_ = given_up_ = true;
  shutdown(pq_.socket(connection_), SHUT_WR);
}

// The thread outlives this object when the network swallows its packets; it owns all it touches.
void PostgresWire::SendCancel() {
  patience_ = Steady::now() + kToCancel;
  const std::shared_ptr<PGcancel> handle(pq_.get_cancel(connection_),
                                         [pq = &pq_](PGcancel* last) { pq->free_cancel(last); });
  if (handle == nullptr) {
    lost_ = true;
    return;
  }
  cancel_ = std::make_shared<Cancel>();
  try {
    std::thread([pq = &pq_, handle, state = cancel_] {
      char reason[256];
      pq->cancel(handle.get(), reason, sizeof reason);
      const std::lock_guard lock(state->mutex);
      state->done = true;
      state->changed.notify_all();
    }).detach();
  } catch (const std::system_error&) {  // no thread is left
    GiveUp();
  }
}

bool PostgresWire::Settle() {
  if (cancel_ == nullptr) return !lost_;
  std::unique_lock lock(cancel_->mutex);
  return cancel_->changed.wait_for(lock, kToCancel, [&] { return cancel_->done; }) && !lost_;
}

}  // namespace toolpost::db
