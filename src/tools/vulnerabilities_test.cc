// What went wrong in other servers' file and command tools, tried on ours: one test per entry of
// the public record, named after it. Entries about transports, tokens and SQL are tested where
// those are.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <thread>

#include "tools/file/file_fixture.h"
#include "tools/shell/parse_command.h"
#include "tools/shell/shell.h"
#include "tools/web/web.h"

namespace toolpost::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Vulnerabilities : public file::FileFixture {
 protected:
  Vulnerabilities() {
    chmod(directory_.c_str(), 0755);
    Put(Root("inside.txt"), "inside");
  }

  // Every tool, given `path` where it takes one; all must fail and say nothing of the outside.
  void ExpectRefusedByAllTools(const std::string& path) {
    for (const auto& [tool, arguments] : std::vector<std::pair<std::string, JsonObject>>{
             {"file/read", {{"path", path}}},
             {"file/info", {{"path", path}}},
             {"file/list", {{"path", path}}},
             {"file/search", {{"path", path}, {"pattern", "SECRET"}}},
             {"file/write", {{"path", path}, {"content", "x"}}},
             {"file/delete", {{"path", path}, {"recursive", true}}},
             {"file/move", {{"source", path}, {"destination", "taken"}}},
             {"file/move", {{"source", "inside.txt"}, {"destination", path}}},
             {"file/edit",
              {{"path", path},
               {"edits", JsonArray{JsonObject{{"oldText", "SECRET"}, {"newText", "x"}}}}}}}) {
      EXPECT_THAT(Bad(tool, arguments), Not(HasSubstr("SECRET"))) << tool << " " << path;
    }
    EXPECT_EQ(Get(Outside("secret")), "SECRET");
    EXPECT_EQ(Get(directory_ / "root_twin/secret"), "SECRET");
    EXPECT_EQ(Get(Root("inside.txt")), "inside");
  }

  shell::ShellServices shell_;
};

TEST_F(Vulnerabilities, CVE_2025_53110_AFolderThatSharesTheRootsPrefix) {
  ExpectRefusedByAllTools((directory_ / "root_twin/secret").string());
  ExpectRefusedByAllTools("../root_twin/secret");
}

TEST_F(Vulnerabilities, CVE_2025_53109_ALinkInsideThatPointsOutside) {
  ASSERT_EQ(symlink(Outside("").c_str(), Root("link").c_str()), 0);
  ASSERT_EQ(symlink(Outside("secret").c_str(), Root("leaf").c_str()), 0);
  ExpectRefusedByAllTools("link/secret");
  EXPECT_THAT(Bad("file/read", {{"path", "leaf"}}), Not(HasSubstr("SECRET")));
  const JsonArray edits{JsonObject{{"oldText", "SECRET"}, {"newText", "x"}}};
  EXPECT_THAT(Bad("file/edit", {{"path", "leaf"}, {"edits", edits}}), Not(HasSubstr("SECRET")));
  EXPECT_THAT(Bad("file/search", {{"path", "leaf"}, {"pattern", "SECRET"}}),
              Not(HasSubstr("SECRET")));
  EXPECT_EQ(Get(Outside("secret")), "SECRET");
}

// The same class in four servers of 2026: what does not exist yet was not checked.
TEST_F(Vulnerabilities, FilesystemServers2026_ANewFileBehindALinkedFolder) {
  ASSERT_EQ(symlink(Outside("").c_str(), Root("link").c_str()), 0);
  for (const char* path : {"link/new", "link/deep/new", "link/../../outside/new"}) {
    (void)Bad("file/write", {{"path", path}, {"content", "x"}});
    (void)Bad("file/move", {{"source", "inside.txt"}, {"destination", path}});
  }
  EXPECT_FALSE(std::filesystem::exists(Outside("new")));
  EXPECT_FALSE(std::filesystem::exists(Outside("deep")));
}

TEST_F(Vulnerabilities, CVE_2025_68145_EveryCallChecksItsPath) {
  std::filesystem::create_directories(directory_ / "second");
  options_.roots.roots.push_back((directory_ / "second").string());
  for (const std::string& path :
       {Outside("secret").string(), std::string("../outside/secret"), std::string("/etc/passwd")}) {
    for (int again = 0; again < 2; ++again) {
      (void)Good("file/read", {{"path", "inside.txt"}});
      ExpectRefusedByAllTools(path);
    }
  }
}

// Names that come from remote data would need the path layer; nothing here writes such names.
TEST_F(Vulnerabilities, CVE_2026_27825_WebToolsWriteNoFiles) {
  const auto services = web::MakeServices(config::Config{}, [] { return std::uint16_t{0}; });
  ASSERT_TRUE(services) << services.error().message;
  for (const Tool& tool : web::Tools(*services)) {
    for (const auto& member : tool.input_schema->at("properties").as_object())
      EXPECT_THAT(std::string(member.key()), Not(testing::AnyOf("path", "file", "output")));
  }
}

TEST_F(Vulnerabilities, CVE_2026_25725_ProtectedNamesNeedNotExist) {
  ASSERT_FALSE(std::filesystem::exists(Root(".git")));
  for (const char* path : {".git/hooks/pre-commit", ".git/config", "sub/.git/hooks/x",
                           ".git/info/attributes", ".git/modules/m/config"}) {
    (void)Bad("file/write", {{"path", path}, {"content", "x"}});
    EXPECT_FALSE(std::filesystem::exists(Root(path))) << path;
  }
  // A folder that is moved to the name is no way round.
  Put(Root("made/hooks/pre-commit"), "x");
  (void)Bad("file/move", {{"source", "made"}, {"destination", ".git"}});
  EXPECT_FALSE(std::filesystem::exists(Root(".git/hooks/pre-commit")));
}

TEST_F(Vulnerabilities, CapabilityLaundering_FilesThatCommandsObeyAreNotWritten) {
  Put(Root(".git/config"), "[core]\n");
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, JsonObject>>{
           {"file/write", {{"path", ".git/config"}, {"content", "[core]\n\tfsmonitor = ./x\n"}}},
           {"file/edit",
            {{"path", ".git/config"},
             {"edits", JsonArray{JsonObject{{"oldText", "[core]"}, {"newText", "[alias]"}}}}}},
           {"file/delete", {{"path", ".git/config"}}},
           {"file/move", {{"source", "inside.txt"}, {"destination", ".git/config"}}}}) {
    (void)Bad(tool, arguments);
    EXPECT_EQ(Get(Root(".git/config")), "[core]\n") << tool;
  }
}

TEST_F(Vulnerabilities, CVE_2026_46406_TemporaryFilesArePrivate) {
  // The mode of the file that is replaced is kept; nobody else reads it in between.
  Put(Root("target"), "old");
  ASSERT_EQ(chmod(Root("target").c_str(), 0600), 0);
  Start();
  std::atomic<bool> done = false;
  std::thread writer([&] {
    mcp::TestContext caller;
    const Tool tool = file::WriteTool(services_);
    const std::string content(2'000'000, 'x');
    for (int i = 0; i < 50; ++i)
      (void)tool.handler({{"path", "target"}, {"content", content}}, caller);
    done = true;
  });
  std::set<std::string> names;
  while (!done) {
    for (const auto& entry : std::filesystem::directory_iterator(Root(""))) {
      struct stat at {};
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".tmp") || stat(entry.path().c_str(), &at) != 0) continue;
      names.insert(name);
      EXPECT_EQ(at.st_mode & 077, 0u) << name;
    }
  }
  writer.join();
  EXPECT_GT(names.size(), 1u);  // random: none is used again
}

TEST_F(Vulnerabilities, CVE_2026_39861_ASandboxedProgramSwapsLinksUnderTheTools) {
  const auto spawner = sandbox::Spawner::Fork();
  const sandbox::Confinement found = sandbox::ConfinementProbe(spawner).Get();
  if (found.level < 3) GTEST_SKIP() << "this machine offers level " << found.description;
  Put(Root("dir/file"), "inside");
  Put(Outside("file"), "OUTSIDE");
  std::filesystem::permissions(Root(""), std::filesystem::perms::all);
  std::filesystem::permissions(Root("dir"), std::filesystem::perms::all);
  Start();
  sandbox::RootsOptions options;
  options.roots = {Root("").string()};
  const auto roots = sandbox::Roots::Open(options);
  ASSERT_TRUE(roots.has_value());
  shell_.roots = [&](CallContext&) -> Result<std::shared_ptr<const sandbox::Roots>> {
    return *roots;
  };
  shell_.spawner = spawner;
  shell_.confinement = std::make_shared<sandbox::ConfinementProbe>(spawner);
  shell_.slots = std::make_shared<shell::RunSlots>(shell::RunSlots::Limits{});
  shell_.policy.allowed = {"perl"};
  mcp::TestContext attacking;
  std::atomic<bool> ended = false;
  std::thread attacker([&] {
    const auto run = shell::ExecuteTool(shell_).handler(
        {{"command",
          "perl -e 'symlink \"../outside\", \"way\"; while (1) { rename \"dir\", "
          "\"aside\"; rename \"way\", \"dir\"; rename \"dir\", \"way\"; rename "
          "\"aside\", \"dir\" }'"},
         {"timeout", 600'000}},
        attacking);
    EXPECT_FALSE(run) << "ended by itself: " << run->structured;
    ended = true;
  });
  const Tool read = file::ReadTool(services_);
  const Tool write = file::WriteTool(services_);
  int succeeded = 0;
  int refused = 0;
  mcp::TestContext caller;
  while (!ended && (succeeded < 300 || refused < 300)) {
    const auto output = read.handler({{"path", "dir/file"}}, caller);
    ++(output ? succeeded : refused);
    if (output) {
      EXPECT_EQ(output->structured.at("content"), "inside");
    }
    (void)write.handler({{"path", "dir/new"}, {"content", "x"}, {"createDirectories", false}},
                        caller);
  }
  attacking.stop.request_stop();
  attacker.join();
  EXPECT_FALSE(std::filesystem::exists(Outside("new")));
  EXPECT_EQ(Get(Outside("file")), "OUTSIDE");
}

class CommandVulnerabilities : public ::testing::Test {
 protected:
  // Empty when the command passes the parser and the policy.
  static std::string Refusal(const std::string& command) {
    const auto parsed = shell::ParseCommand(command);
    if (!parsed) return parsed.error().message;
    shell::Policy policy;
    for (const std::string_view name : shell::DefaultCommands()) policy.allowed.emplace_back(name);
    for (const shell::ParsedStage& stage : *parsed) {
      std::vector<std::string> arguments;
      for (const shell::Word& word : stage.words) arguments.push_back(word.text);
      const auto checked = shell::CheckCommand(policy, arguments, stage.words.front().position);
      if (!checked) return checked.error().message;
    }
    return "";
  }
};

// Repositories elsewhere: refused here; that the box does not show the elsewhere is in
// execute_test and escape_test.
TEST_F(CommandVulnerabilities, CVE_2025_68143_NoRepositoryAnywhere) {
  for (const char* command :
       {"git clone . /tmp/x", "git worktree add ../x", "git init --separate-git-dir=/tmp/x",
        "git -C / init", "git --git-dir=/tmp/x init", "git --work-tree=/ status"}) {
    EXPECT_NE(Refusal(command), "") << command;
  }
  EXPECT_EQ(Refusal("git init"), "");
}

TEST_F(CommandVulnerabilities, CVE_2025_68144_ValuesThatBecomeOptions) {
  for (const char* command :
       {"git diff --output=/tmp/x", "git diff --no-index /etc/passwd /dev/null",
        "git checkout --exec=x", "git log --ext-diff", "git grep -O x", "git show --textconv",
        "git blame --contents=/etc/passwd x", "sort -o x y", "sort --compress-program=x y",
        "find . -exec x", "find . -delete", "tail -f x", "uniq a b"}) {
    EXPECT_NE(Refusal(command), "") << command;
  }
  for (const char* command :
       {"git diff -- --output", "git log --oneline", "sort -r y", "grep -e -o x"}) {
    EXPECT_EQ(Refusal(command), "") << command;
  }
}

// git refuses paths outside of its repository by itself; what would point it elsewhere is refused.
TEST_F(CommandVulnerabilities, CVE_2026_27735_NothingOutsideIsNamedToGitAdd) {
  for (const char* command :
       {"git -C .. add x", "git --work-tree=/ add etc/passwd", "git --git-dir=/tmp/x add y"}) {
    EXPECT_NE(Refusal(command), "") << command;
  }
  EXPECT_EQ(Refusal("git add src/a.txt"), "");
}

// One tool must not set up what another one runs.
TEST_F(CommandVulnerabilities, CapabilityLaundering_CommandsConfigureNoCommands) {
  for (const char* command :
       {"git config core.fsmonitor ./x", "git config --global core.pager ./x",
        "git config alias.x '!id'", "git -c core.fsmonitor=./x status",
        "git config --file .git/config core.hooksPath x", "git remote add x ext::id"}) {
    EXPECT_NE(Refusal(command), "") << command;
  }
  EXPECT_EQ(Refusal("git config --get user.name"), "");
}

TEST_F(CommandVulnerabilities, CVE_2026_5831_NothingIsInterpreted) {
  for (const char* command :
       {"ls $(id)", "ls `id`", "ls; id", "ls && id", "ls || id", "ls & id", "ls | id", "ls\nid",
        "ls > x", "ls < x", "ls ${HOME}", "ls $HOME", "ls ~", "! ls", "(ls)", "{ ls; }"}) {
    EXPECT_NE(Refusal(command), "") << command;
  }
  EXPECT_EQ(Refusal("git commit -m 'fix; $(typo) `x` && y > z'"), "");
}

TEST_F(CommandVulnerabilities, FirstTokenOnlyChecks_EveryStageIsChecked) {
  for (const char* command : {"ls | sudo ls", "ls | cat | sh", "cat x | node-gyp", "ls |& cat",
                              "echo x | tail -f", "ls | find . -delete"}) {
    EXPECT_NE(Refusal(command), "") << command;
  }
  EXPECT_EQ(Refusal("ls | cat | wc -l"), "");
}

TEST_F(CommandVulnerabilities, CapsThatFailOpen_LimitsRefuse) {
  std::string stages = "ls";
  for (int i = 0; i < 51; ++i) stages += " | cat";
  std::string arguments = "ls";
  for (int i = 0; i < 10'001; ++i) arguments += " a";
  for (const std::string& command : {stages, arguments, "ls " + std::string(1 << 20, 'a')})
    EXPECT_NE(Refusal(command), "");
}

TEST_F(CommandVulnerabilities, ParserDifferentials_OddSpacesSeparateNothing) {
  for (const std::string& odd : {std::string("\r"), std::string(1, '\0'), std::string("\v"),
                                 std::string("\f"), std::string("\x85"), std::string("\x1b")}) {
    EXPECT_NE(Refusal("ls" + odd + "id"), "") << static_cast<int>(odd[0]);
    EXPECT_NE(Refusal("ls 'a" + odd + "b'"), "") << static_cast<int>(odd[0]);
  }
  // Blanks that are none: refused, unless they are quoted text.
  for (const std::string odd : {"\u00a0", "\u2028", "\u3000"}) {
    EXPECT_THAT(Refusal("ls" + odd + "id"), HasSubstr("not an ordinary space"));
    EXPECT_EQ(Refusal("ls 'a" + odd + "b'"), "");
  }
}

}  // namespace
}  // namespace toolpost::tools
