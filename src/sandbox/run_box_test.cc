#include "sandbox/run_box.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <thread>

#include "sandbox/box_fixture.h"

namespace toolpost::sandbox {
namespace {

using namespace std::chrono_literals;

class RunBoxTest : public BoxFixture {
 protected:
  Result<BoxResult> Run(const BoxCommand& command, const RunOptions& options = {}) {
    return RunInBox(*spawner_, command, options);
  }
  std::string Output(const BoxCommand& command) {
    const auto run = Run(command);
    return run ? run->output : run.error().message;
  }
  BoxCommand Tree(int count, const std::string& mark) {
    BoxCommand command = Command({InstallProbe(), "tree", std::to_string(count), mark});
    command.limits.processes = static_cast<std::uint64_t>(count) + 50;
    return command;
  }
  std::string Mark() const { return "mark-" + base_.filename().string(); }

  const std::shared_ptr<Spawner> spawner_ = Spawner::Fork();
};

BoxCommand WithoutNamespaces(BoxCommand command) {
  command.layers.namespaces = false;
  return command;
}

TEST_F(RunBoxTest, PRD_FR_012_5_BothStreamsAndTheExitCode) {
  const auto run = Run(Shell("echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output, "out\n");
  EXPECT_EQ(run->error, "err\n");
  ASSERT_TRUE(run->statuses[0]);
  EXPECT_EQ(WEXITSTATUS(*run->statuses[0]), 7);
  EXPECT_FALSE(run->timed_out);
}

TEST_F(RunBoxTest, StagesShareOneBox) {
  BoxCommand command = Shell("seq 1 100000; echo $$");
  command.stages.push_back({"/usr/bin/tail", {"tail", "-n", "2"}, {}});
  command.stages.push_back({"/usr/bin/sort", {"sort", "-n"}, {}});
  const auto run = Run(command);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output, "2\n100000\n");
  EXPECT_EQ(run->statuses.size(), 3u);
}

TEST_F(RunBoxTest, TextIsAStage) {
  BoxCommand command = Command({"/usr/bin/wc", "-c"});
  command.stages.insert(command.stages.begin(), BoxStage{.text = std::string(100'000, 'x')});
  EXPECT_EQ(Output(command), "100000\n");
}

TEST_F(RunBoxTest, ABrokenPipeEndsTheWriter) {
  BoxCommand command = Command({"/usr/bin/yes"});
  command.stages.push_back({"/usr/bin/head", {"head", "-n1"}, {}});
  const auto run = Run(command);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output, "y\n");
  ASSERT_TRUE(run->statuses[0] && WIFSIGNALED(*run->statuses[0]));
  EXPECT_EQ(WTERMSIG(*run->statuses[0]), SIGPIPE);
}

TEST_F(RunBoxTest, TheWorkspaceIsThereAndWritable) {
  EXPECT_EQ(Output(Shell("cat ../notes.txt ../../library/book; echo new > made; cat made; pwd")),
            "originaloriginalnew\n" + (base_ / "root/sub").string() + "\n");
  EXPECT_EQ(Read("root/sub/made"), "new\n");
  struct stat made {};
  struct stat root {};
  ASSERT_EQ(stat((base_ / "root/sub/made").c_str(), &made), 0);
  ASSERT_EQ(stat((base_ / "root").c_str(), &root), 0);
  EXPECT_EQ(made.st_uid, root.st_uid);
  EXPECT_EQ(made.st_gid, root.st_gid);
}

TEST_F(RunBoxTest, NothingButWhatWasGivenIsPassedOn) {
  setenv("TOOLPOST_TEST_SECRET", "x", 1);
  const int leaked = open((base_ / "outside/secret").c_str(), O_RDONLY);
  const auto other = Spawner::Fork();
  BoxCommand command = Command({"/usr/bin/env"});
  EXPECT_EQ(RunInBox(*other, command, {})->output, "PATH=/usr/bin:/bin\nHOME=/tmp/home\n");
  command = Shell("ls /proc/self/fd | wc -l; cat; tty; ps 2>/dev/null | wc -l; hostname");
  const auto run = RunInBox(*other, command, {});
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->output.starts_with("4\nnot a tty\n")) << run->output;
  close(leaked);
  unsetenv("TOOLPOST_TEST_SECRET");
}

TEST_F(RunBoxTest, TemporaryFilesArePrivate) {
  EXPECT_EQ(Output(Shell("echo x > /tmp/t && cat /tmp/t && touch $HOME/h && ls $HOME")), "x\nh\n");
  EXPECT_EQ(Output(Shell("cat /tmp/t 2>&1 | wc -l; ls $HOME")), "1\n");
}

TEST_F(RunBoxTest, PRD_AC_005_3_ATimeoutEndsTheCommand) {
  BoxCommand command = Command({"/usr/bin/sleep", "1000"});
  command.timeout = 100ms;
  const auto run = Run(command);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->timed_out);
  EXPECT_GE(run->duration, 100ms);
  command = Shell("trap '' TERM; while :; do :; done");
  command.timeout = 100ms;
  const auto stubborn = Run(command);
  ASSERT_TRUE(stubborn) << stubborn.error().message;
  EXPECT_TRUE(stubborn->timed_out);
  EXPECT_FALSE(stubborn->statuses[0].has_value());
}

TEST_F(RunBoxTest, ATimeoutLeavesNoneOfFiveHundredDaemons) {
  BoxCommand command = Tree(500, Mark());
  command.timeout = 20s;
  std::stop_source stop;
  RunOptions options;
  options.stop = stop.get_token();
  int alive = 0;
  options.on_output = [&](std::string_view, std::uint64_t) {
    alive = CountMarked(Mark());
    stop.request_stop();
  };
  const auto cancelled = Run(command, options);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, Code::kCancelled);
  EXPECT_GE(alive, 500);
  // A cancelled call does not wait for the kernel to bury them.
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (CountMarked(Mark()) > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_EQ(CountMarked(Mark()), 0);
  command.timeout = 3s;
  const auto run = Run(command);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(CountMarked(Mark()), 0);
}

TEST_F(RunBoxTest, WhatIsLeftBehindEndsWithTheCommand) {
  const std::string mark = Mark();
  const auto run =
      Run(Command({"/bin/sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo done", mark}));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output, "done\n");
  EXPECT_EQ(CountMarked(mark), 0);
}

TEST_F(RunBoxTest, KillingTheServerEndsItsCommands) {
  if (kThreadSanitizer) GTEST_SKIP() << "signals of forked processes are held back";
  BoxCommand command = Tree(20, Mark());
  for (const bool namespaces : {true, false}) {
    command.layers.namespaces = namespaces;
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t server = fork();
    if (server == 0) {
      const auto own = Spawner::Fork();
      RunOptions options;
      options.on_output = [&](std::string_view, std::uint64_t) { (void)!write(ready[1], "r", 1); };
      (void)RunInBox(*own, command, options);
      _exit(0);
    }
    close(ready[1]);
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    EXPECT_GE(CountMarked(Mark()), 20);
    kill(server, SIGKILL);
    waitpid(server, nullptr, 0);
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (CountMarked(Mark()) > 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    EXPECT_EQ(CountMarked(Mark()), 0) << (namespaces ? "with" : "without") << " namespaces";
  }
}

TEST_F(RunBoxTest, OutputBeforeALongSilenceIsReported) {
  std::stop_source stop;
  RunOptions options;
  options.stop = stop.get_token();
  std::string seen;
  options.on_output = [&](std::string_view output, std::uint64_t) {
    seen = output;
    stop.request_stop();
  };
  const auto run = Run(Shell("echo early; sleep 1000"), options);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Code::kCancelled);
  EXPECT_EQ(seen, "early\n");
}

TEST_F(RunBoxTest, PRD_NFR_005_TheOutputLimitEndsTheCommand) {
  RunOptions options;
  options.max_output = 100'000;
  const auto run = Run(Command({"/usr/bin/yes"}), options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->truncated);
  EXPECT_EQ(run->output.size(), 100'000u);
  EXPECT_GT(run->output_bytes, 100'000u);
  const auto exact = Run(Shell("head -c 100000 /dev/zero"), options);
  ASSERT_TRUE(exact) << exact.error().message;
  EXPECT_FALSE(exact->truncated);
}

TEST_F(RunBoxTest, AProgramThatIsMissingIsNamed) {
  const auto run = Run(Command({"/usr/bin/no-such-program"}));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Code::kNotFound);
}

TEST_F(RunBoxTest, AFolderPutInPlaceOfAnotherIsNotShown) {
  BoxCommand command = Shell("ls");
  std::filesystem::rename(base_ / "root", base_ / "moved");
  std::filesystem::create_directory_symlink("/etc", base_ / "root");
  EXPECT_FALSE(Run(command));
  std::filesystem::remove(base_ / "root");
  std::filesystem::create_directories(base_ / "root/sub");
  EXPECT_FALSE(Run(command));
}

TEST_F(RunBoxTest, FoldersOfTheSystemAreNotShown) {
  for (const char* path : {"/", "/proc", "/sys", "/dev/shm"}) {
    struct stat at {};
    if (stat(path, &at) != 0) continue;
    BoxCommand command = Shell("ls");
    command.folders = {{path, true, at.st_dev, at.st_ino}};
    command.directory = "/";
    EXPECT_FALSE(Run(command)) << path;
  }
}

TEST_F(RunBoxTest, ManyAtOnceDoNotMixUp) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      for (int round = 0; round < 5; ++round) {
        const std::string text = std::to_string(i * 100 + round);
        EXPECT_EQ(Output(Shell("echo " + text)), text + "\n");
      }
    });
  }
}

TEST_F(RunBoxTest, OversizedRequestsAreRefused) {
  BoxCommand command = Shell(std::string(300'000, 'a'));
  const auto run = Run(command);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Code::kTooLarge);
}

TEST_F(RunBoxTest, AGrantedNetworkIsALoopbackOfItsOwnWithOneListener) {
  BoxCommand command = Command({"/usr/bin/perl", "-e", R"(
    use IO::Socket::INET;
    sub try { my ($name, %with) = @_;
      my $s = IO::Socket::INET->new(%with, Timeout => 5);
      print "$name: ", ($s ? "made" : "refused"), "\n"; return $s; }
    try("direct", PeerAddr => "192.0.2.1:80");
    try("own machine", PeerAddr => "127.0.0.1:" . $ARGV[0]);
    try("udp", PeerAddr => "127.0.0.1:3128", Proto => "udp");
    socket(my $u, 1, 1, 0) or print "unix: refused\n";
    socket(my $n, 16, 3, 0) or print "netlink: refused\n";
    socket(my $r, 2, 3, 1) or print "raw: refused\n";
    my $s = try("listener", PeerAddr => "127.0.0.1:3128");
    print $s "hello\n"; print <$s>;)"});
  // Something that listens on the real loopback.
  const Descriptor outside(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(outside.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(outside.get(), 5), 0);
  getsockname(outside.get(), reinterpret_cast<sockaddr*>(&address), &size);
  command.stages[0].arguments.push_back(std::to_string(ntohs(address.sin_port)));

  command.network = true;
  std::jthread answering;
  RunOptions options;
  options.on_listening = [&](Descriptor listener) {
    answering = std::jthread([listener = std::move(listener)] {
      pollfd ready = {listener.get(), POLLIN, 0};
      (void)poll(&ready, 1, 30'000);
      const Descriptor client(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      char word[6] = {};
      EXPECT_EQ(recv(client.get(), word, sizeof word, MSG_WAITALL), 6);
      EXPECT_EQ(std::string_view(word, 6), "hello\n");
      EXPECT_EQ(send(client.get(), "from outside\n", 13, MSG_NOSIGNAL), 13);
    });
  };
  const auto run = Run(command, options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output,
            "direct: refused\nown machine: refused\nudp: refused\nunix: refused\n"
            "netlink: refused\nraw: refused\nlistener: made\nfrom outside\n")
      << run->error;
}

TEST_F(RunBoxTest, BoxesDoNotSeeTheNetworkOfOthers) {
  BoxCommand listening = Command({"/usr/bin/perl", "-e", R"(
    use IO::Socket::INET; $| = 1;
    my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:5000", Listen => 1) or die;
    print "ready\n"; sleep 1000;)"});
  listening.network = true;
  std::stop_source stop;
  RunOptions options;
  options.stop = stop.get_token();
  std::string other;
  options.on_output = [&](std::string_view, std::uint64_t) {
    BoxCommand command =
        Command({"/usr/bin/perl", "-MIO::Socket::INET", "-e",
                 R"(print IO::Socket::INET->new("127.0.0.1:5000") ? "in" : "out")"});
    command.network = true;
    other = Output(command);
    stop.request_stop();
  };
  EXPECT_FALSE(Run(listening, options));
  EXPECT_EQ(other, "out");
}

TEST_F(RunBoxTest, WithoutAGrantThereAreNoSockets) {
  EXPECT_EQ(Output(Command({"/usr/bin/perl", "-e",
                            R"(print socket(my $s, 2, 1, 0) ? "made" : "refused: $!")"})),
            "refused: Operation not permitted");
}

TEST_F(RunBoxTest, WithoutNamespacesThereIsNoNetworkToGrant) {
  BoxCommand command = WithoutNamespaces(Shell("echo x"));
  command.network = true;
  const auto run = Run(command);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("grant the network"), std::string::npos);
}

TEST_F(RunBoxTest, WithoutNamespacesLandlockKeepsFilesAway) {
  BoxCommand command = WithoutNamespaces(Shell(
      "cat ../notes.txt; cat ../../outside/secret; echo x > ../../outside/made; echo y > made"));
  const auto run = Run(command);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output, "original");
  EXPECT_FALSE(std::filesystem::exists(base_ / "outside/made"));
  EXPECT_EQ(Read("root/sub/made"), "y\n");
  command = WithoutNamespaces(Shell("chmod 777 ../../outside/secret 2>&1 | wc -l"));
  EXPECT_EQ(Output(command), "1\n");
}

TEST_F(RunBoxTest, WithoutNamespacesDaemonsEndToo) {
  if (kThreadSanitizer) GTEST_SKIP() << "signals of forked processes are held back";
  BoxCommand command = WithoutNamespaces(Tree(100, Mark()));
  command.limits.processes = 100'000;  // counts everything of this user
  command.timeout = 2s;
  const auto run = Run(command);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(CountMarked(Mark()), 0);
}

TEST(Confinement, TheLadderSaysWhatIsMissing) {
  base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
  const auto spawner = Spawner::Fork();
  const auto level = [&](BoxLayers best) { return ConfinementProbe(spawner, best).Get().level; };
  if (level({}) < 3) GTEST_SKIP() << ConfinementProbe(spawner).Get().description;
  EXPECT_EQ(level({true, true, true, false}), 3);
  EXPECT_EQ(level({false, true, true, false}), 2);
  EXPECT_EQ(level({true, false, true, false}), 2);
  EXPECT_EQ(level({false, false, true, false}), 1);
  EXPECT_EQ(level({false, false, false, false}), 0);
  EXPECT_EQ(ConfinementProbe(nullptr).Get().level, 0);
}

}  // namespace
}  // namespace toolpost::sandbox
