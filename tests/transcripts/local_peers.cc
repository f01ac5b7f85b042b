// Peers on this machine: in memory, and a child on its standard streams.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "peer.h"

extern char** environ;

namespace toolpost::transcripts {
namespace {

class MemoryPeer : public Peer {
 public:
  explicit MemoryPeer(Server& server) {
    auto [client, served] = MakeMemoryTransport();
    client_ = client;
    server_ = std::thread([&server, end = served] { server.Serve(end); });
    reader_ = std::thread([this] {
      while (auto message = client_->Read()) inbox_.Push(*std::move(message));
      inbox_.Close();
    });
  }
  ~MemoryPeer() override {
    client_->Close();
    server_.join();
    reader_.join();
  }

  Result<void> Send(std::string_view text) override {
    client_->Write(text);
    return {};
  }
  std::optional<std::string> Receive() override { return inbox_.Pop(); }
  Result<void> Close() override {
    client_->Close();
    if (!inbox_.Ended()) return Error::Internal("the server did not end, or said more");
    return {};
  }

 private:
  std::shared_ptr<Transport> client_;
  Mailbox inbox_;
  std::thread server_;
  std::thread reader_;
};

class StdioPeer : public Peer {
 public:
  StdioPeer(pid_t child, int input, int output) : child_(child), input_(input), output_(output) {
    reader_ = std::thread([this] { ReadLines(); });
  }
  ~StdioPeer() override {
    CloseInput();
    if (!reaped_) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    reader_.join();
    close(output_);
  }

  Result<void> Send(std::string_view text) override {
    const std::string line = std::string(text) + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
      const ssize_t count = write(input_, line.data() + sent, line.size() - sent);
      if (count < 0) return Error::Internal("the server does not read its input");
      sent += static_cast<std::size_t>(count);
    }
    return {};
  }
  std::optional<std::string> Receive() override { return inbox_.Pop(); }
  Result<void> Close() override {
    CloseInput();
    if (!inbox_.Ended())
      return Error::Internal("the server did not end with its input, or said more");
    int status = 0;
    waitpid(child_, &status, 0);
    reaped_ = true;
    if (status != 0)
      return Error::Internal("the server ended with status " + std::to_string(status));
    return {};
  }

 private:
  void CloseInput() {
    if (input_ >= 0) close(input_);
    input_ = -1;
  }
  void ReadLines() {
    std::string rest;
    char buffer[4096];
    for (ssize_t count; (count = read(output_, buffer, sizeof buffer)) > 0;) {
      rest.append(buffer, static_cast<std::size_t>(count));
      for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
        inbox_.Push(rest.substr(0, end));
      }
    }
    if (!rest.empty()) inbox_.Push(rest);
    inbox_.Close();
  }

  pid_t child_;
  int input_;
  int output_;
  bool reaped_ = false;
  Mailbox inbox_;
  std::thread reader_;
};

}  // namespace

std::unique_ptr<Peer> ConnectInMemory(Server& server) {
  return std::make_unique<MemoryPeer>(server);
}

Result<std::unique_ptr<Peer>> ConnectStdio(const std::string& program, std::size_t page_size) {
  signal(SIGPIPE, SIG_IGN);
  int input[2];
  int output[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
    return Error::Internal("no pipe");
  setenv("MCP_PAGE_SIZE", std::to_string(page_size).c_str(), 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::string name = program;
  std::string mode = "stdio";
  char* const arguments[] = {name.data(), mode.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  if (failure != 0) return Error::Internal("the fixture server does not start");
  return std::unique_ptr<Peer>(std::make_unique<StdioPeer>(child, input[1], output[0]));
}

}  // namespace toolpost::transcripts
