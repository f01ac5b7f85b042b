// The server's side of a running command.
#include "sandbox/run_box.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/log.h"
#include "base/strings.h"
#include "sandbox/box_report.h"

namespace toolpost::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kReportEvery{100};

class Run {
 public:
  Run(const BoxCommand& command, const RunOptions& options, StartedBox box)
      : command_(command), options_(options), box_(std::move(box)) {
    result_.statuses.resize(command.stages.size());
  }

  Result<BoxResult> Finish() {
    const Descriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const std::stop_callback on_stop(options_.stop, [&] { eventfd_write(wake.get(), 1); });
    const Clock::time_point started = Clock::now();
    while (!ended_ && !failure_) {
      pollfd polled[] = {{box_.status.get(), POLLIN, 0},
                         {result_.truncated ? -1 : box_.output.get(), POLLIN, 0},
                         {result_.truncated ? -1 : box_.error.get(), POLLIN, 0},
                         {wake.get(), POLLIN, 0}};
      if (poll(polled, std::size(polled), UntilReport()) < 0 && errno != EINTR) break;
      // Closing the status socket, as we do on return, kills the command.
      if (options_.stop.stop_requested()) return Error::Cancelled();
      if (polled[1].revents != 0) Read(box_.output, result_.output, result_.output_bytes, false);
      if (polled[2].revents != 0) Read(box_.error, result_.error, result_.error_bytes, false);
      if (polled[0].revents != 0) ReadReport();
      Tell(false);
    }
    if (failure_) return *std::move(failure_);
    Read(box_.output, result_.output, result_.output_bytes, true);
    Read(box_.error, result_.error, result_.error_bytes, true);
    Tell(true);
    result_.duration = Clock::now() - started;
    return std::move(result_);
  }

 private:
  // One buffer, or everything that is left.
  void Read(Descriptor& from, std::string& into, std::uint64_t& bytes, bool all) {
    char buffer[65536];
    while (from && !result_.truncated) {
      const ssize_t length = read(from.get(), buffer, sizeof buffer);
      if (length < 0 && errno == EINTR) continue;
      if (length < 0 && errno == EAGAIN) return;
      if (length <= 0) {
        from = {};
        return;
      }
      const auto count = static_cast<std::uint64_t>(length);
      bytes += count;
      const std::uint64_t kept = result_.output.size() + result_.error.size();
      const std::uint64_t room = options_.max_output - std::min(options_.max_output, kept);
      into.append(buffer, std::min(count, room));
      if (count > room) return Truncate();
      fresh_ = into.substr(into.size() - std::min<std::size_t>(into.size(), kShown));
      if (!all) return;
    }
  }

  void Truncate() {
    // The pipes stay open, unread: the command must not end by itself, for want of a reader.
    result_.truncated = true;
    (void)send(box_.status.get(), &kKillRequest, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  void ReadReport() {
    BoxReport report;
    Descriptor listener;
    const ssize_t length = ReceiveReport(box_.status.get(), report, listener);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (length != sizeof report) {
      failure_ =
          Error::Unavailable("The process that starts commands has ended; restart the server");
      return;
    }
    const auto index = static_cast<std::size_t>(report.index);
    if (report.kind == BoxReport::kStageEnded && index < result_.statuses.size())
      result_.statuses[index] = report.status;
    if (report.kind == BoxReport::kNotExecuted) failure_ = NotExecuted(index, report.status);
    if (report.kind == BoxReport::kSetupFailed) failure_ = SetupFailed(report);
    if (report.kind == BoxReport::kListening && options_.on_listening)
      options_.on_listening(std::move(listener));
    if (report.kind == BoxReport::kTimedOut) result_.timed_out = true;
    if (report.kind == BoxReport::kEnded) ended_ = true;
  }

  Error NotExecuted(std::size_t index, int error) const {
    const std::string name =
        index < command_.stages.size() && !command_.stages[index].arguments.empty()
            ? command_.stages[index].arguments.front()
            : "the program";
    return {
        Code::kNotFound, base::StrCat(name, " could not be started: ", strerrordesc_np(error)), {}};
  }

  Error SetupFailed(const BoxReport& report) const {
    const std::string_view what(report.what, strnlen(report.what, sizeof report.what));
    const std::string_view why = strerrordesc_np(report.status);
    const auto severity = options_.probing ? base::Severity::kDebug : base::Severity::kWarning;
    base::Log(severity, "sandbox failed", {{"step", what}, {"detail", why}});
    return {Code::kUnavailable,
            base::StrCat("The sandbox for the command could not be built (", what, ": ", why, ")"),
            Json{{"step", what}, {"reason", why}}};
  }

  // Milliseconds until output that came too soon after the last report is due; −1: there is none.
  int UntilReport() const {
    if (!options_.on_output || fresh_.empty()) return -1;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(told_ + kReportEvery - Clock::now());
    return std::max(0, static_cast<int>(left.count()));
  }

  void Tell(bool last) {
    if (!options_.on_output || fresh_.empty()) return;
    const Clock::time_point now = Clock::now();
    if (!last && now - told_ < kReportEvery) return;
    told_ = now;
    options_.on_output(fresh_, result_.output_bytes + result_.error_bytes);
    fresh_.clear();
  }

  static constexpr std::size_t kShown = 1000;  // bytes of a progress message

  const BoxCommand& command_;
  const RunOptions& options_;
  StartedBox box_;
  BoxResult result_;
  std::optional<Error> failure_;
  bool ended_ = false;
  std::string fresh_;
  Clock::time_point told_ = Clock::now();
};

}  // namespace

Result<BoxResult> RunInBox(const Spawner& spawner, const BoxCommand& command,
                           const RunOptions& options) {
  ASSIGN_OR_RETURN(StartedBox box, spawner.Start(command));
  return Run(command, options, std::move(box)).Finish();
}

}  // namespace toolpost::sandbox
