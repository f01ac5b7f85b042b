// A workspace with things to protect in and around it, and commands that run in it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/log.h"
#include "sandbox/confinement.h"
#include "sandbox/run_box.h"
#include "sandbox/thread_sanitizer_fixture.h"

namespace toolpost::sandbox {

class BoxFixture : public ::testing::Test {
 protected:
  // base/root is writable, base/library read-only, base/outside not shown.
  BoxFixture() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_box_XXXXXX").string();
    base_ = mkdtemp(name.data());
    chmod(base_.c_str(), 0755);
    for (const char* file : {"root/.git/HEAD", "root/.git/config", "root/.git/modules/m/config",
                             "root/hidden/key", "root/sub/.git/HEAD", "root/sub/.git/config",
                             "root/notes.txt", "library/book", "outside/secret"}) {
      Write(file, "original");
    }
  }
  ~BoxFixture() override { std::filesystem::remove_all(base_); }

  // Inside a chroot, and in many containers, nobody gets namespaces.
  void SetUp() override {
    const Confinement found = ConfinementProbe(Spawner::Fork()).Get();
    if (found.level < 3) GTEST_SKIP() << "this machine offers level " << found.description;
  }

  void Write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((base_ / file).parent_path());
    std::ofstream(base_ / file) << text;
  }
  std::string Read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(base_ / file).rdbuf();
    return text.str();
  }
  // The program escape_probe, built beside the tests, where a box can run it.
  std::string InstallProbe() {
    const auto own = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::filesystem::copy_file(own / "escape_probe", base_ / "root/sub/probe");
    return (base_ / "root/sub/probe").string();
  }

  BoxFolder Folder(const std::string& name, bool writable) {
    struct stat at {};
    EXPECT_EQ(stat((base_ / name).c_str(), &at), 0);
    return {(base_ / name).string(), writable, at.st_dev, at.st_ino};
  }
  BoxCommand Command(std::vector<std::string> arguments) {
    BoxCommand command;
    command.stages.push_back({arguments.front(), arguments, {}});
    command.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp/home"};
    command.directory = (base_ / "root/sub").string();
    command.folders = {Folder("root", true), Folder("library", false)};
    command.hidden = {(base_ / "root/hidden").string()};
    return command;
  }
  BoxCommand Shell(const std::string& script) { return Command({"/bin/sh", "-c", script}); }

  std::filesystem::path base_;
};

// Processes anywhere on this machine with `mark` among their arguments.
inline int CountMarked(const std::string& mark) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string arguments;
    std::getline(file, arguments, '\1');  // no exception when the process ends meanwhile
    if (arguments.find(mark) != std::string::npos) ++count;
  }
  return count;
}

}  // namespace toolpost::sandbox
