// With the real group file system where this process may write it. Its controllers for memory are
// often elsewhere (version 1), so the limits are only tested where they exist.
#include "sandbox/control_groups.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace toolpost::sandbox {
namespace {

class Groups : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* place : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
      if (!std::filesystem::exists(std::filesystem::path(place) / "cgroup.controllers")) continue;
      const auto own = std::filesystem::path(place) / ("toolpost-test-" + std::to_string(getpid()));
      if (mkdir(own.c_str(), 0755) == 0) folder_ = own;
    }
    if (folder_.empty()) GTEST_SKIP() << "control groups of version 2 cannot be written here";
  }
  ~Groups() override {
    if (folder_.empty()) return;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.is_directory()) rmdir(entry.path().c_str());
    }
    rmdir(folder_.c_str());
  }

  Descriptor Open() const {
    return Descriptor(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  // A process that waits, born in the group.
  static pid_t StartIn(const BoxGroup& group) {
    clone_args arguments{};
    arguments.flags = CLONE_INTO_CGROUP;
    arguments.cgroup = static_cast<std::uint64_t>(group.directory.get());
    arguments.exit_signal = SIGCHLD;
    const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
    if (pid == 0) {
      for (;;) pause();
    }
    return pid;
  }

  std::filesystem::path folder_;
};

TEST_F(Groups, EndingAGroupEndsItsProcesses) {
  ControlGroups groups;
  groups.Use(Open(), {});
  ASSERT_EQ(groups.Enable(), nullptr);
  BoxGroup group = groups.Make({});
  ASSERT_TRUE(group.directory);
  const pid_t child = StartIn(group);
  ASSERT_GT(child, 0);
  EXPECT_EQ(Read(group.name + "/cgroup.procs"), std::to_string(child) + "\n");
  const std::string name = group.name;
  groups.End(std::move(group));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  groups.End(groups.Make({}));  // removes the one before, too
  EXPECT_FALSE(std::filesystem::exists(folder_ / name));
}

TEST_F(Groups, WhatDeadSpawnersLeftIsRemoved) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const auto stale = folder_ / ("toolpost-box-" + std::to_string(gone) + "-1");
  const auto alive = folder_ / ("toolpost-box-" + std::to_string(getppid()) + "-1");
  for (const auto& each : {stale, alive}) ASSERT_EQ(mkdir(each.c_str(), 0755), 0);
  ControlGroups groups;
  groups.Use(Open(), {});
  ASSERT_EQ(groups.Enable(), nullptr);
  EXPECT_FALSE(std::filesystem::exists(stale));
  EXPECT_TRUE(std::filesystem::exists(alive));
}

TEST_F(Groups, WithoutTheControllersThereAreNone) {
  ControlGroups groups;
  groups.Use(Open(), {"no-such-controller"});
  EXPECT_STREQ(groups.Enable(), "limit memory by control group");
  EXPECT_EQ(errno, ENOTSUP);
}

TEST_F(Groups, LimitsAreWritten) {
  if (Read("cgroup.controllers").find("memory") == std::string::npos ||
      Read("cgroup.controllers").find("pids") == std::string::npos) {
    GTEST_SKIP() << "memory and pids are controllers of another hierarchy here";
  }
  ControlGroups groups;
  groups.Use(Open(), {"memory", "pids"});
  ASSERT_EQ(groups.Enable(), nullptr);
  BoxLimits limits;
  limits.total_memory = 64 << 20;
  limits.processes = 9;
  BoxGroup group = groups.Make(limits);
  ASSERT_TRUE(group.directory);
  EXPECT_EQ(Read(group.name + "/memory.max"), "67108864\n");
  EXPECT_EQ(Read(group.name + "/pids.max"), "10\n");
  groups.End(std::move(group));
}

TEST(ControlGroups, AGroupThatIsNoneOffersNothing) {
  ControlGroups groups;
  EXPECT_NE(groups.Enable(), nullptr);
}

}  // namespace
}  // namespace toolpost::sandbox
