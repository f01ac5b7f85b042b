// One loop over the request socket and the running boxes.
#include "sandbox/spawner_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <list>
#include <memory>
#include <string>

#include "sandbox/box_report.h"
#include "sandbox/box_start.h"

namespace toolpost::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGrace{500};  // between SIGTERM and SIGKILL

struct Job {
  RunningBox box;
  Clock::time_point deadline;
  bool timed_out = false;
  bool killed = false;
};

class Loop {
 public:
  explicit Loop(Descriptor socket) : socket_(std::move(socket)) {}

  [[noreturn]] void Run() {
    for (;;) {
      Wait();
      if ((polled_[0].revents & (POLLIN | POLLHUP)) != 0) Receive();
      Attend();
    }
  }

 private:
  void Wait() {
    polled_.assign(1, {socket_.get(), POLLIN, 0});
    int timeout = -1;
    const auto now = Clock::now();
    for (const Job& job : jobs_) {
      polled_.push_back({job.box.process.get(), POLLIN, 0});
      polled_.push_back({job.killed ? -1 : job.box.status.get(), POLLIN, 0});
      if (job.killed) continue;
      const auto left = std::chrono::ceil<milliseconds>(job.deadline - now).count();
      const int wait = static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
      timeout = timeout < 0 ? wait : std::min(timeout, wait);
    }
    if (poll(polled_.data(), polled_.size(), timeout) < 0) {
      for (pollfd& each : polled_) each.revents = 0;
    }
  }

  // Jobs that came with this round were not polled yet.
  void Attend() {
    std::size_t at = 1;
    for (auto job = jobs_.begin(); job != jobs_.end() && at + 1 < polled_.size(); at += 2) {
      if (polled_[at].revents != 0) {
        End(*job);
        starter_.Bury(std::move(job->box));
        job = jobs_.erase(job);
        continue;
      }
      // Anything the server says, and its going away, means the same.
      if (polled_[at + 1].revents != 0) {
        // An unread request would turn our last report into a connection reset.
        char request = 0;
        (void)recv(job->box.status.get(), &request, 1, MSG_DONTWAIT);
        Kill(*job);
      }
      if (!job->killed && Clock::now() >= job->deadline) Expire(*job);
      ++job;
    }
  }

  static void Kill(Job& job) {
    if (job.killed) return;
    job.killed = true;
    SignalBox(job.box, BoxSignal::kKill);
  }

  static void Expire(Job& job) {
    if (job.timed_out) return Kill(job);
    job.timed_out = true;
    job.deadline = Clock::now() + kGrace;
    SendReport(job.box.status.get(), {.kind = BoxReport::kTimedOut});
    SignalBox(job.box, BoxSignal::kTerminate);
  }

  static void End(const Job& job) { SendReport(job.box.status.get(), {.kind = BoxReport::kEnded}); }

  void Receive() {
    alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))];
    iovec data = {buffer_.get(), kMaxBoxMessage};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t length = recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (length < 0) return;
    if (length == 0) Leave();
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header == nullptr || header->cmsg_len != CMSG_LEN(3 * sizeof(int))) return;
    int received[3];
    std::memcpy(received, CMSG_DATA(header), sizeof received);
    BoxPipes pipes{Descriptor(received[0]), Descriptor(received[1]), Descriptor(received[2]), {}};
    Start(std::string_view(buffer_.get(), static_cast<std::size_t>(length)), std::move(pipes));
  }

  void Start(std::string_view message, BoxPipes pipes) {
    const auto command = DecodeBoxCommand(message);
    if (!command) return SendSetupFailure(pipes.status.get(), "read the request", EINVAL);
    std::vector<int> foreign = {socket_.get()};
    for (const Job& job : jobs_) {
      foreign.push_back(job.box.process.get());
      foreign.push_back(job.box.status.get());
    }
    RunningBox box = starter_.Start(*command, std::move(pipes), foreign);
    if (!box.process) return;
    jobs_.push_back({std::move(box), Clock::now() + command->timeout});
  }

  [[noreturn]] void Leave() {
    for (Job& job : jobs_) Kill(job);
    for (Job& job : jobs_) {
      pollfd gone = {job.box.process.get(), POLLIN, 0};
      while (poll(&gone, 1, -1) < 0) {
      }
    }
    _exit(0);
  }

  Descriptor socket_;
  BoxStarter starter_;
  std::list<Job> jobs_;
  std::vector<pollfd> polled_;
  // Untouched, so that it costs no memory before the first command.
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kMaxBoxMessage);
};

}  // namespace

void RunSpawner(Descriptor socket) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "toolpost-spawn");
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1}) signal(number, SIG_IGN);
  // Nobody waits for boxes: taking one down must not keep the next from starting.
  signal(SIGCHLD, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Loop(std::move(socket)).Run();
}

}  // namespace toolpost::sandbox
