#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/json_parse.h"
#include "base/log.h"
#include "base/source_directory_fixture.h"
#include "base/strings.h"
#include "mcp/test_context.h"
#include "sandbox/thread_sanitizer_fixture.h"
#include "tools/shell/shell.h"

namespace toolpost::tools::shell {
namespace {

using ::testing::HasSubstr;

constexpr char kCanary[] = "CANARY-7c1f";

class Context : public mcp::TestContext {
 public:
  void Progress(double progress, std::optional<double>, std::string_view message) override {
    steps.emplace_back(progress, message);
    if (on_progress) on_progress();
  }
  std::vector<std::pair<double, std::string>> steps;
  std::function<void()> on_progress;
};

class Execute : public ::testing::Test {
 protected:
  Execute() {
    base::ConfigureLog(base::Severity::kOff, base::LogFormat::kJson);
    std::string name = (std::filesystem::temp_directory_path() / "toolpost_run_XXXXXX").string();
    base_ = mkdtemp(name.data());
    chmod(base_.c_str(), 0755);
    Write("work/notes.txt", "one\ntwo\nthree\n");
    Write("work/sub/a.txt", "a\n");
    Write("work/sub/b.txt", "b\n");
    Write("outside/secret", kCanary);
    std::filesystem::create_symlink(base_ / "outside/secret", base_ / "work/link-to-secret");
    sandbox::RootsOptions options;
    options.roots = {(base_ / "work").string()};
    roots_ = *sandbox::Roots::Open(options);
    services_.roots = [this](CallContext&) -> Result<std::shared_ptr<const sandbox::Roots>> {
      return roots_;
    };
    services_.spawner = sandbox::Spawner::Fork();
    services_.confinement = std::make_shared<sandbox::ConfinementProbe>(services_.spawner);
    services_.slots = std::make_shared<RunSlots>(RunSlots::Limits{});
    for (const std::string_view command : DefaultCommands())
      services_.policy.allowed.emplace_back(command);
  }
  ~Execute() override { std::filesystem::remove_all(base_); }

  // Inside a chroot, and in many containers, nobody gets namespaces.
  void SetUp() override {
    const sandbox::Confinement& found = services_.confinement->Get();
    if (found.level < 3) GTEST_SKIP() << "this machine offers level " << found.description;
  }
  static bool Installed(const std::string& program) {
    return access(("/usr/bin/" + program).c_str(), X_OK) == 0 ||
           access(("/usr/local/bin/" + program).c_str(), X_OK) == 0;
  }

  void Write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((base_ / file).parent_path());
    std::ofstream(base_ / file) << text;
  }
  Result<Output> Call(const JsonObject& arguments) {
    return ExecuteTool(services_).handler(arguments, context_);
  }
  Json Run(const std::string& command, JsonObject more = {}) {
    more["command"] = command;
    const auto called = Call(more);
    return called ? called->structured : Json{{"refused", called.error().message}};
  }
  std::string Stdout(const std::string& command) {
    const Json result = Run(command);
    const Json* text = result.as_object().if_contains("stdout");
    return std::string(text != nullptr ? text->as_string() : result.at("refused").as_string());
  }
  std::string Refusal(const JsonObject& arguments) {
    const auto called = Call(arguments);
    return called ? "" : called.error().message;
  }

  std::filesystem::path base_;
  std::shared_ptr<const sandbox::Roots> roots_;
  ShellServices services_;
  Context context_;
};

TEST_F(Execute, PRD_FR_012_1_RunsAllowedCommands) {
  EXPECT_EQ(Stdout("cat notes.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(Stdout("cat notes.txt | grep t | sort -r | head -n 1"), "two\n");
  EXPECT_EQ(Stdout("ls *"), "link-to-secret\nnotes.txt\n\nsub:\na.txt\nb.txt\n");
  EXPECT_EQ(Stdout("echo \"it's\" 'a  b' | cat"), "it's a  b\n");
  EXPECT_EQ(Stdout("pwd"), (base_ / "work").string() + "\n");
  EXPECT_EQ(Stdout("pwd | cat"), (base_ / "work").string() + "\n");
}

TEST_F(Execute, PRD_FR_012_2_AWorkingDirectoryInsideTheRoots) {
  EXPECT_EQ(Run("ls *.txt", {{"cwd", "sub"}}).at("stdout"), "a.txt\nb.txt\n");
  const Json there = Run("pwd", {{"cwd", (base_ / "work/sub").string()}});
  EXPECT_EQ(std::string(there.at("stdout").as_string()), (base_ / "work/sub").string() + "\n");
  for (const std::string& cwd :
       {std::string("/"), std::string("../outside"), std::string("/etc"), base_.string(),
        std::string("missing"), std::string("notes.txt")}) {
    EXPECT_NE(Refusal({{"command", "ls"}, {"cwd", cwd}}), "") << cwd;
  }
}

TEST_F(Execute, PRD_FR_012_3_ATimeoutIsEnforced) {
  if (sandbox::kThreadSanitizer) GTEST_SKIP() << "signals of forked processes are held back";
  services_.policy.allowed.push_back("sleep");
  const Json result = Run("sleep 1000", {{"timeout", 100}});
  EXPECT_EQ(result.at("timedOut"), true);
  EXPECT_EQ(result.at("exitCode"), 143);
  EXPECT_EQ(result.at("signal"), "SIGTERM");
  EXPECT_GE(result.at("executionTime").to_number<double>(), 100);
  services_.max_timeout = std::chrono::milliseconds(100);
  EXPECT_EQ(Run("sleep 1000", {{"timeout", 600000}}).at("timedOut"), true);
}

TEST_F(Execute, PRD_FR_012_3_TheDefaultIsThirtySeconds) {
  const Json timeout = ExecuteTool(services_).input_schema->at("properties").at("timeout");
  EXPECT_EQ(timeout.at("default"), 30000);
  EXPECT_EQ(timeout.at("minimum"), 1);
  EXPECT_EQ(timeout.at("maximum"), 600000);
  EXPECT_EQ(timeout.at("type"), "integer");
}

TEST_F(Execute, PRD_FR_012_4_VariablesReachTheCommand) {
  if (!Installed("node")) GTEST_SKIP();
  const Json result = Run("node -p process.env.NODE_ENV", {{"env", {{"NODE_ENV", "test"}}}});
  EXPECT_EQ(result.at("stdout"), "test\n");
  EXPECT_THAT(Refusal({{"command", "ls"}, {"env", {{"LD_PRELOAD", "x"}}}}),
              HasSubstr("LD_PRELOAD"));
}

TEST_F(Execute, PRD_FR_012_5_PRD_AC_005_4_OutputErrorAndExitCodeAreCaptured) {
  const Json result = Run("ls notes.txt missing 2>&1");
  EXPECT_EQ(result.at("stdout"), "notes.txt\n");
  EXPECT_THAT(std::string(result.at("stderr").as_string()), HasSubstr("missing"));
  EXPECT_EQ(result.at("exitCode"), 2);
  EXPECT_EQ(result.at("timedOut"), false);
  EXPECT_FALSE(result.as_object().contains("signal"));
  EXPECT_EQ(Run("grep nothing notes.txt").at("exitCode"), 1);
}

TEST_F(Execute, PRD_FR_012_6_TheTimeIsMeasured) {
  EXPECT_GT(Run("ls").at("executionTime").to_number<double>(), 0);
  EXPECT_EQ(Run("echo").at("executionTime").to_number<double>(), 0);
}

TEST_F(Execute, PRD_AC_005_2_BlockedCommandsAreRejected) {
  for (const char* command : {"rm -rf .", "sudo ls", "chmod 777 notes.txt", "ls; id", "ls && id",
                              "ls || id", "ls &", "echo x >/dev/sda", "kill 1", "curl x"}) {
    EXPECT_NE(Refusal({{"command", command}}), "") << command;
  }
}

TEST_F(Execute, PRD_NFR_005_OutputStopsAtTheLimitAndSaysSo) {
  services_.max_output = 50'000;
  const Json result = Run("cat /dev/zero");
  EXPECT_EQ(result.at("truncated"), true);
  EXPECT_EQ(result.at("stdout").as_string().size(), 50'000u);
  EXPECT_GT(result.at("stdoutBytes").as_int64(), 50'000);
  EXPECT_EQ(result.at("signal"), "SIGKILL");
  EXPECT_EQ(ShellServices().max_output, 10u * 1024 * 1024);
}

TEST_F(Execute, OutputThatIsNoTextIsReplaced) {
  Write("work/bytes",
        "a\xff\xfe"
        "b\xe4\xb8");
  EXPECT_EQ(Stdout("cat bytes"), "a\ufffd\ufffdb\ufffd\ufffd");
}

TEST_F(Execute, AttacksThatPassThePolicyStayInTheBox) {
  const auto rows = base::ParseJson(base::VectorFile("shell/contained.json"));
  ASSERT_TRUE(rows);
  setenv("TOOLPOST_TEST_SECRET", kCanary, 1);
  for (const Json& row : rows->as_array()) {
    std::string command(row.at("command").as_string());
    for (const auto& [name, value] :
         {std::pair<std::string_view, std::string>{"{outside}", (base_ / "outside").string()},
          {"{secret}", (base_ / "outside/secret").string()}}) {
      for (std::size_t at; (at = command.find(name)) != command.npos;)
        command.replace(at, name.size(), value);
    }
    if (!Installed(command.substr(0, command.find(' ')))) continue;
    const Json result = Run(command, {{"timeout", 20000}});
    EXPECT_FALSE(result.as_object().contains("refused")) << command;
    for (const auto& member : result.as_object()) {
      if (!member.value().is_string()) continue;
      EXPECT_EQ(std::string_view(member.value().as_string()).find(kCanary), std::string_view::npos)
          << command;
    }
  }
  unsetenv("TOOLPOST_TEST_SECRET");
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(base_ / "outside"))
    left.push_back(entry.path().filename().string());
  EXPECT_EQ(left, std::vector<std::string>{"secret"});
  struct stat at {};
  ASSERT_EQ(stat((base_ / "outside/secret").c_str(), &at), 0);
  EXPECT_EQ(
      at.st_mode & 0777, 0644u & ~[] {
        const mode_t m = umask(0);
        umask(m);
        return m;
      }());
}

TEST_F(Execute, GitWorks) {
  if (!Installed("git")) GTEST_SKIP();
  EXPECT_EQ(Run("git init -q").at("exitCode"), 0);
  EXPECT_EQ(Run("git add notes.txt sub").at("exitCode"), 0);
  const Json commit = Run("git commit -q -m 'first; really'");
  EXPECT_EQ(commit.at("exitCode"), 0) << commit.at("stderr");
  EXPECT_EQ(Stdout("git log --format=%s"), "first; really\n");
  Write("work/notes.txt", "changed\n");
  EXPECT_EQ(Stdout("git status --short notes.txt"), " M notes.txt\n");
  EXPECT_THAT(Stdout("git diff"), HasSubstr("+changed"));
  EXPECT_EQ(Run("git checkout -q -b other").at("exitCode"), 0);
}

TEST_F(Execute, StoredConfigurationCannotBeChangedOrObeyed) {
  if (!Installed("git") || !Installed("node")) GTEST_SKIP();
  ASSERT_EQ(Run("git init -q").at("exitCode"), 0);
  Write("work/.git/hooks/pre-commit", "#!/bin/sh\ntouch hooked\n");
  chmod((base_ / "work/.git/hooks/pre-commit").c_str(), 0755);
  Run("git add notes.txt");
  EXPECT_EQ(Run("git commit -q -m x").at("exitCode"), 0);
  EXPECT_FALSE(std::filesystem::exists(base_ / "work/hooked"));
  const Json written =
      Run("node -e 'require(\"fs\").appendFileSync(\".git/config\",\"[core]\\n\\tfsmonitor = "
          "id\\n\")'");
  EXPECT_NE(written.at("exitCode"), 0);
  std::ostringstream config;
  config << std::ifstream(base_ / "work/.git/config").rdbuf();
  EXPECT_EQ(config.str().find("fsmonitor"), std::string::npos);
}

TEST_F(Execute, ProgressCarriesPartialOutput) {
  if (!Installed("node")) GTEST_SKIP();
  services_.policy.allowed.push_back("sleep");
  const Json result = Run("node -e 'console.log(1);setTimeout(()=>console.log(2),400)'");
  EXPECT_EQ(result.at("stdout"), "1\n2\n");
  ASSERT_FALSE(context_.steps.empty());
  EXPECT_EQ(context_.steps.back().first, 4);
  EXPECT_THAT(context_.steps.back().second, HasSubstr("2"));
}

TEST_F(Execute, ACancelledCallEnds) {
  services_.policy.allowed.push_back("sleep");
  std::jthread stopper([this] { context_.stop.request_stop(); });
  const auto called = Call({{"command", "sleep 1000"}});
  ASSERT_FALSE(called);
  EXPECT_EQ(called.error().code, Code::kCancelled);
}

TEST_F(Execute, BelowTheLeastConfinementNothingRunsSilentlyWeaker) {
  if (!Installed("node")) GTEST_SKIP();
  services_.confinement = std::make_shared<sandbox::ConfinementProbe>(
      services_.spawner, sandbox::BoxLayers{false, true, true, false});
  EXPECT_EQ(Stdout("cat notes.txt | wc -l"), "3\n");
  EXPECT_THAT(Stdout("node -p 1"), HasSubstr("needs confinement level 3; this machine offers 2"));
  services_.min_confinement = 2;
  EXPECT_EQ(Stdout("cat link-to-secret"), "");
  services_.confinement = std::make_shared<sandbox::ConfinementProbe>(
      services_.spawner, sandbox::BoxLayers{false, false, true, false});
  EXPECT_THAT(Stdout("ls"), HasSubstr("needs confinement level 2; this machine offers 1"));
}

TEST_F(Execute, WithoutASpawnerCallsSaySo) {
  services_.spawner = nullptr;
  EXPECT_THAT(Stdout("ls"), HasSubstr("without the process"));
  EXPECT_EQ(Stdout("echo built in"), "built in\n");
}

TEST_F(Execute, FullSlotsRefuseAtOnce) {
  services_.slots = std::make_shared<RunSlots>(RunSlots::Limits{1, 1, 0});
  const auto held = services_.slots->Acquire("somebody", {});
  EXPECT_THAT(Stdout("ls"), HasSubstr("Too many commands"));
}

TEST_F(Execute, HiddenPlacesStayHidden) {
  Write("work/state/key", kCanary);
  sandbox::RootsOptions options;
  options.roots = {(base_ / "work").string()};
  options.hidden = {(base_ / "work/state").string()};
  roots_ = *sandbox::Roots::Open(options);
  EXPECT_EQ(Stdout("cat state/key"), "");
  EXPECT_EQ(Stdout("ls s*"), "a.txt\nb.txt\n");
  EXPECT_EQ(Stdout("find . -name key"), "");
  EXPECT_NE(Refusal({{"command", "ls"}, {"cwd", "state"}}), "");
}

TEST_F(Execute, ReadOnlyRootsAreReadOnly) {
  if (!Installed("node")) GTEST_SKIP();
  sandbox::RootsOptions options;
  options.read_only_roots = {(base_ / "work").string()};
  roots_ = *sandbox::Roots::Open(options);
  EXPECT_EQ(Stdout("cat notes.txt"), "one\ntwo\nthree\n");
  EXPECT_NE(Run("node -e 'require(\"fs\").writeFileSync(\"x\",\"y\")'").at("exitCode"), 0);
  EXPECT_FALSE(std::filesystem::exists(base_ / "work/x"));
}

TEST_F(Execute, NpmAndNodeWork) {
  if (!Installed("npm")) GTEST_SKIP();
  Write("work/package.json", R"({"name":"x","version":"1.0.0","scripts":{"hi":"node -p 6*7"}})");
  EXPECT_THAT(Stdout("npm run hi"), HasSubstr("42"));
}

}  // namespace
}  // namespace toolpost::tools::shell
