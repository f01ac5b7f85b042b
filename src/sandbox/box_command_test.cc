#include "sandbox/box_command.h"

#include <gtest/gtest.h>

namespace toolpost::sandbox {
namespace {

BoxCommand Sample() {
  BoxCommand command;
  command.stages = {{"/usr/bin/ls", {"ls", "", "-l"}, {}}, {"", {}, "text"}};
  command.environment = {"A=b"};
  command.directory = "/w";
  command.folders = {{"/w", true, 1, 2}};
  command.hidden = {"/w/h"};
  command.limits.processes = 7;
  command.layers.landlock = false;
  command.network = true;
  command.timeout = std::chrono::milliseconds(5);
  return command;
}

TEST(BoxCommand, SurvivesTheWay) {
  const std::string message = EncodeBoxCommand(Sample());
  const auto decoded = DecodeBoxCommand(message);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(EncodeBoxCommand(*decoded), message);
  EXPECT_EQ(decoded->stages[0].arguments.size(), 3u);
  EXPECT_FALSE(decoded->stages[0].text);
  EXPECT_EQ(decoded->stages[1].text, "text");
  EXPECT_EQ(decoded->folders[0].inode, 2u);
  EXPECT_FALSE(decoded->layers.landlock);
  EXPECT_TRUE(decoded->layers.seccomp);
  EXPECT_TRUE(decoded->network);
}

TEST(BoxCommand, DamagedMessagesAreNone) {
  const std::string message = EncodeBoxCommand(Sample());
  for (std::size_t length = 0; length < message.size(); ++length)
    EXPECT_FALSE(DecodeBoxCommand(std::string_view(message).substr(0, length))) << length;
  EXPECT_FALSE(DecodeBoxCommand(message + "x"));
  EXPECT_FALSE(DecodeBoxCommand(std::string(64, '\xff')));
}

TEST(BoxCommand, OversizedIsNone) {
  BoxCommand command = Sample();
  command.environment = {std::string(kMaxBoxMessage, 'x')};
  EXPECT_TRUE(EncodeBoxCommand(command).empty());
}

}  // namespace
}  // namespace toolpost::sandbox
