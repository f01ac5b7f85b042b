// Forking, and requests with descriptors.
#include "sandbox/spawner.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "sandbox/spawner_process.h"

namespace toolpost::sandbox {
namespace {

std::shared_ptr<Spawner>& ProcessSpawner() {
  static std::shared_ptr<Spawner> spawner;
  return spawner;
}

// Variables may be secrets of the server, which a command must not find in memory it inherits.
void WipeEnvironment() {
  for (char** variable = environ; *variable != nullptr; ++variable)
    explicit_bzero(*variable, std::strlen(*variable));
}

// The client's pipes must not stay open in a process it does not know of.
[[noreturn]] void BecomeSpawner(int socket) {
  socket = fcntl(socket, F_DUPFD, 10);  // out of the way: standard streams may have been closed
  const int nothing = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; ++standard) dup2(nothing, standard);
  dup2(socket, 3);
  close_range(4, ~0U, 0);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  setsid();
  (void)!chdir("/");
  WipeEnvironment();
  RunSpawner(Descriptor(3));
}

Error OutOfDescriptors() {
  return Error::Unavailable("Too many files are open to start a command; try again");
}

}  // namespace

std::shared_ptr<Spawner> Spawner::Fork() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return nullptr;
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  const int room = 2 * static_cast<int>(kMaxBoxMessage);
  setsockopt(ours.get(), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  const pid_t pid = fork();
  if (pid == 0) BecomeSpawner(theirs.get());
  if (pid < 0) return nullptr;
  return std::shared_ptr<Spawner>(new Spawner(pid, std::move(ours)));
}

void Spawner::ForkForProcess() {
  if (ProcessSpawner() == nullptr) ProcessSpawner() = Fork();
}

std::shared_ptr<Spawner> Spawner::OfProcess() { return ProcessSpawner(); }

Spawner::~Spawner() {
  shutdown(socket_.get(), SHUT_RDWR);
  waitpid(process_, nullptr, 0);
}

Result<StartedBox> Spawner::Start(const BoxCommand& command) const {
  std::string message = EncodeBoxCommand(command);
  if (message.empty())
    return Error{Code::kTooLarge, "The command and its environment are too long", {}};
  int status[2];
  int output[2];
  int error[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, status) != 0) return OutOfDescriptors();
  StartedBox box{Descriptor(status[0]), {}, {}};
  const Descriptor their_status(status[1]);
  if (pipe2(output, O_CLOEXEC) != 0) return OutOfDescriptors();
  box.output = Descriptor(output[0]);
  const Descriptor their_output(output[1]);
  if (pipe2(error, O_CLOEXEC) != 0) return OutOfDescriptors();
  box.error = Descriptor(error[0]);
  const Descriptor their_error(error[1]);
  for (const Descriptor* end : {&box.output, &box.error}) fcntl(end->get(), F_SETFL, O_NONBLOCK);

  const int passed[3] = {their_status.get(), their_output.get(), their_error.get()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof passed)] = {};
  iovec data = {message.data(), message.size()};
  msghdr request{};
  request.msg_iov = &data;
  request.msg_iovlen = 1;
  request.msg_control = control;
  request.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&request);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof passed);
  std::memcpy(CMSG_DATA(header), passed, sizeof passed);
  if (sendmsg(socket_.get(), &request, MSG_NOSIGNAL) >= 0) return box;
  base::Log(base::Severity::kError, "spawner does not answer",
            {{"detail", std::string_view(strerrordesc_np(errno))}});
  return Error::Unavailable("The process that starts commands has ended; restart the server");
}

}  // namespace toolpost::sandbox
