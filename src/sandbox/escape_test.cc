// Every way out that escape_probe knows, tried in the kernel: no parser and no policy stands before
// the box here.
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstddef>

#include "base/strings.h"
#include "sandbox/box_fixture.h"

namespace toolpost::sandbox {
namespace {

constexpr uid_t kNobody = 65534;

class Escape : public BoxFixture {
 protected:
  Escape() {
    Listen((base_ / "outside/socket").string(), false);
    Listen("toolpost-escape", true);
    key_ = static_cast<int>(getpid()) | 0x100000;
    memory_ = shmget(key_, 4096, IPC_CREAT | 0666);
  }
  ~Escape() override {
    for (const int each : sockets_) close(each);
    shmctl(memory_, IPC_RMID, nullptr);
  }
  void Listen(const std::string& name, bool abstract) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path + (abstract ? 1 : 0), sizeof address.sun_path - 2);
    sockets_.push_back(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    (void)bind(sockets_.back(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    (void)listen(sockets_.back(), 5);
  }

  std::string Probe(const Spawner& spawner, BoxLayers layers = {}, bool network = false) {
    BoxCommand command = Command({(base_ / "root/sub/probe").string(), (base_ / "outside").string(),
                                  std::to_string(getppid()), std::to_string(key_)});
    command.timeout = std::chrono::seconds(120);
    command.layers = layers;
    command.network = network;
    const auto run = RunInBox(spawner, command, {});
    return run ? run->output : "ESCAPED: nothing ran: " + run.error().message;
  }

  // The same in a server that is the user nobody, who owns all the files.
  std::string ProbeAsNobody(BoxLayers layers, bool network = false) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(base_))
      EXPECT_EQ(chown(entry.path().c_str(), kNobody, kNobody), 0);
    EXPECT_EQ(chown(base_.c_str(), kNobody, kNobody), 0);
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    // One process more than needed: the stranger must be nobody's, too.
    const pid_t child = fork();
    if (child == 0) {
      if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(1);
      if (fork() == 0) {
        const std::string report = Probe(*Spawner::Fork(), layers, network);
        (void)!write(ends[1], report.data(), report.size());
        _exit(0);
      }
      wait(nullptr);
      _exit(0);
    }
    close(ends[1]);
    std::string report;
    char buffer[4096];
    for (ssize_t length; (length = read(ends[0], buffer, sizeof buffer)) > 0;)
      report.append(buffer, static_cast<std::size_t>(length));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return report;
  }

  void ExpectAllDenied(const std::string& report, bool network = false) {
    std::size_t ways = 0;
    for (const std::string_view line : base::Split(report, '\n')) {
      if (line.empty()) continue;
      // Sockets that lead nowhere but to the proxy.
      if (network && (line == "socket IPv4: ESCAPED" || line == "socket IPv6: ESCAPED")) continue;
      ++ways;
      EXPECT_TRUE(line.ends_with(": denied")) << line;
    }
    EXPECT_GE(ways, 60u);
    EXPECT_EQ(Read("outside/secret"), "original");
    EXPECT_EQ(Read("root/.git/config"), "original");
    EXPECT_EQ(Read("root/sub/.git/config"), "original");
    EXPECT_EQ(Read("root/hidden/key"), "original");
    EXPECT_FALSE(std::filesystem::exists(base_ / "outside/made"));
    EXPECT_FALSE(std::filesystem::exists(base_ / "library/made"));
    EXPECT_TRUE(std::filesystem::is_empty(base_ / "root/sub/.git/hooks"));
  }

  int key_ = 0;
  int memory_ = -1;
  std::vector<int> sockets_;
};

TEST_F(Escape, PRD_US_004_NoWayOutOfTheBox) {
  InstallProbe();
  ExpectAllDenied(Probe(*Spawner::Fork()));
}

TEST_F(Escape, PRD_US_004_NoWayOutForAnUnprivilegedServer) {
  if (kThreadSanitizer) GTEST_SKIP() << "a process with two threads gets no user namespace";
  if (geteuid() != 0) GTEST_SKIP() << "the other test ran as an unprivileged user already";
  InstallProbe();
  ExpectAllDenied(ProbeAsNobody({}));
}

TEST_F(Escape, PRD_US_004_AGrantedNetworkIsNoOtherWayOut) {
  InstallProbe();
  ExpectAllDenied(Probe(*Spawner::Fork(), {}, true), true);
}

TEST_F(Escape, PRD_US_004_AGrantedNetworkIsNoOtherWayOutForAnUnprivilegedServer) {
  if (kThreadSanitizer) GTEST_SKIP() << "a process with two threads gets no user namespace";
  if (geteuid() != 0) GTEST_SKIP() << "the other test ran as an unprivileged user already";
  InstallProbe();
  ExpectAllDenied(ProbeAsNobody({}, true), true);
}

// The probe is worth something only if it sees ways that are open.
TEST_F(Escape, WithoutLayersTheProbeGetsOut) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a user whose escape does no harm";
  InstallProbe();
  const std::string report = ProbeAsNobody({false, false, false, false});
  for (const char* way : {"read secret", "create outside", "connect by path", "write git config",
                          "move git folder", "socket IPv4", "signal stranger",
                          "shared memory outside", "be traced", "read hidden file"}) {
    EXPECT_NE(report.find(std::string(way) + ": ESCAPED"), std::string::npos) << way;
  }
}

}  // namespace
}  // namespace toolpost::sandbox
