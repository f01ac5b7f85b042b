#include "tools/shell/policy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/json_parse.h"
#include "base/source_directory_fixture.h"
#include "tools/shell/parse_command.h"

namespace toolpost::tools::shell {
namespace {

Policy DefaultPolicy() {
  Policy policy;
  for (const std::string_view name : DefaultCommands()) policy.allowed.emplace_back(name);
  return policy;
}

using Stages = std::vector<std::vector<std::string>>;

// Parser and policy, without wildcards.
Result<Stages> Check(const Policy& policy, std::string_view command) {
  ASSIGN_OR_RETURN(const auto parsed, ParseCommand(command));
  Stages stages;
  for (const ParsedStage& stage : parsed) {
    std::vector<std::string> words;
    for (const Word& word : stage.words) words.push_back(word.text);
    RETURN_IF_ERROR(CheckCommand(policy, words, stage.words.front().position));
    stages.push_back(std::move(words));
  }
  return stages;
}

std::string PolicyRefusal(std::string_view command, const Policy& policy = DefaultPolicy()) {
  const auto checked = Check(policy, command);
  return checked ? "" : checked.error().message;
}

JsonArray Vectors(const std::string& name) {
  const auto parsed = base::ParseJson(base::VectorFile("shell/" + name));
  return parsed && parsed->is_array() ? parsed->as_array() : JsonArray();
}

std::string Text(const Json& value) { return std::string(value.as_string()); }

// The command with places put in for {outside} and {secret}.
std::string Placed(const Json& row) {
  std::string command = Text(row.at("command"));
  for (const std::string_view name : {"{outside}", "{secret}"}) {
    for (std::size_t at; (at = command.find(name)) != command.npos;)
      command.replace(at, name.size(), "/elsewhere");
  }
  return command;
}

TEST(Policy, PRD_AC_005_2_EveryAttackIsRefusedByItsRule) {
  const JsonArray attacks = Vectors("refused.json");
  ASSERT_GE(attacks.size(), 105u);
  for (const Json& attack : attacks) {
    const std::string command = Placed(attack);
    const std::string refusal = PolicyRefusal(command);
    EXPECT_FALSE(refusal.empty()) << Text(attack.at("group")) << ": " << command;
    EXPECT_NE(refusal.find(Text(attack.at("says"))), std::string::npos)
        << command << " was refused with: " << refusal;
  }
}

TEST(Policy, PRD_AC_005_1_HarmlessCommandsPassAsTheyAreMeant) {
  const JsonArray harmless = Vectors("allowed.json");
  ASSERT_GE(harmless.size(), 40u);
  for (const Json& row : harmless) {
    const std::string command = Text(row.at("command"));
    const auto checked = Check(DefaultPolicy(), command);
    ASSERT_TRUE(checked) << command << ": " << checked.error().message;
    Stages expected;
    for (const Json& stage : row.at("stages").as_array()) {
      std::vector<std::string> words;
      for (const Json& word : stage.as_array()) words.push_back(Text(word));
      expected.push_back(std::move(words));
    }
    EXPECT_EQ(*checked, expected) << command;
  }
}

// They are for the sandbox to stop (execute_test.cc).
TEST(Policy, ContainedAttacksPass) {
  const JsonArray attacks = Vectors("contained.json");
  ASSERT_FALSE(attacks.empty());
  for (const Json& attack : attacks) {
    const std::string command = Placed(attack);
    EXPECT_EQ(PolicyRefusal(command), "") << command;
  }
}

TEST(Policy, PRD_FR_013_1_TheDefaultListIsTheDocuments) {
  for (const char* command : {"ls", "pwd", "echo", "cat", "grep x", "find", "wc", "sort", "uniq",
                              "head", "tail", "git", "npm", "node", "pnpm", "yarn"}) {
    EXPECT_EQ(PolicyRefusal(command), "");
  }
  EXPECT_EQ(DefaultCommands().size(), 16u);
  EXPECT_EQ(PolicyRefusal("curl http://x"),
            "\"curl\" at position 1 is not an allowed command. Allowed: ls, pwd, echo, cat, grep, "
            "find, wc, sort, uniq, head, tail, git, npm, node, pnpm, yarn.");
}

TEST(Policy, PRD_FR_013_2_DangerousCommandsAreNamedWithTheirPosition) {
  EXPECT_EQ(PolicyRefusal("sudo ls"),
            "Blocked, dangerous command: \"sudo\" at position 1. It never runs here.");
  EXPECT_EQ(PolicyRefusal("ls | rm -rf ."),
            "Blocked, dangerous command: \"rm -rf\" at position 6. It never runs here.");
}

TEST(Policy, PRD_FR_013_2_NoSettingAllowsThem) {
  Policy policy;
  policy.allowed = {"sudo", "chmod", "chown", "kill", "pkill", "rm"};
  for (const char* command : {"sudo ls", "chmod 1 a", "chown a b", "kill 1", "pkill x", "rm -rf a",
                              "rm a -r --force", "rm -r -- a"}) {
    const bool blocked = std::string_view(command) != "rm -r -- a";
    EXPECT_EQ(PolicyRefusal(command, policy).starts_with("Blocked, dangerous"), blocked) << command;
  }
}

TEST(Policy, UnknownProgramsCountAsInterpreters) {
  EXPECT_EQ(ClassOf("echo"), CommandClass::kBuiltIn);
  EXPECT_EQ(ClassOf("git"), CommandClass::kFilter);
  EXPECT_EQ(ClassOf("node"), CommandClass::kInterpreter);
  EXPECT_EQ(ClassOf("make"), CommandClass::kInterpreter);
}

TEST(Policy, GitReachesOthersOnlyWithTheNetwork) {
  Policy policy = DefaultPolicy();
  policy.network = true;
  EXPECT_EQ(PolicyRefusal("git fetch origin", policy), "");
  EXPECT_NE(PolicyRefusal("git fetch -u id", policy), "");
  EXPECT_NE(PolicyRefusal("git fetch --upload-pack id", policy), "");
  EXPECT_NE(PolicyRefusal("git clone -c core.pager=id x", policy), "");
}

TEST(Policy, GitIsToldNotToStartDrivers) {
  std::vector<std::string> arguments = {"git", "--no-pager", "log", "-1"};
  AddForcedOptions(arguments);
  EXPECT_EQ(arguments, (std::vector<std::string>{"git", "--no-pager", "log", "--no-ext-diff",
                                                 "--no-textconv", "-1"}));
  arguments = {"ls", "log"};
  AddForcedOptions(arguments);
  EXPECT_EQ(arguments.size(), 2u);
}

TEST(Policy, StepsGrowWithTheArgumentsOnly) {
  for (const char* program : {"sort", "tail", "git log"}) {
    for (const char* argument : {"-n", "--a", "a", "-nnnnnnnn"}) {
      const auto steps = [&](std::size_t count) {
        std::vector<std::string> arguments;
        for (const char* word = program; *word != '\0';) {
          const std::string_view rest(word);
          arguments.emplace_back(rest.substr(0, rest.find(' ')));
          word += arguments.back().size() + (rest.find(' ') == rest.npos ? 0 : 1);
        }
        arguments.resize(arguments.size() + count, argument);
        std::size_t taken = 0;
        EXPECT_TRUE(CheckCommand(DefaultPolicy(), arguments, 1, &taken));
        return taken;
      };
      EXPECT_LE(steps(2000), 2 * steps(1000) + 16) << program << " " << argument;
    }
  }
}

}  // namespace
}  // namespace toolpost::tools::shell
