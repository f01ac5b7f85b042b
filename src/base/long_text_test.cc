#include "base/long_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/json_write.h"
#include "base/long_message.h"

namespace toolpost::base {
namespace {

class LongTextTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "long_text_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  // As a message that is nothing but a JSON string.
  static std::string Quoted(std::shared_ptr<const LongText> text) {
    const Result<std::string> whole = LongMessage{"\"", std::move(text), "\""}.Whole();
    return whole ? *whole : whole.error().message;
  }

  std::string directory_;
};

TEST_F(LongTextTest, AppendsMakeOneJsonString) {
  const auto text = std::make_shared<LongText>(directory_);
  std::string all;
  for (const std::string_view part :
       {"a\"b", "", "\r\n", "täglich \xF0\x9F\x98\x80", "\\", "\xFF"}) {
    ASSERT_TRUE(text->Append(part));
    all.append(part);
  }
  std::string expected;
  AppendJsonString(expected, all);
  EXPECT_EQ(Quoted(text), expected);
}

TEST_F(LongTextTest, WhatDoesNotFitInMemoryLiesInAFileWithoutName) {
  const auto text = std::make_shared<LongText>(directory_ + "/made/when/needed");
  std::string all;
  for (int i = 0; i < 60'000; ++i) {
    const std::string line = "line \"" + std::to_string(i) + "\"\n";
    ASSERT_TRUE(text->Append(line));
    all.append(line);
  }
  std::string expected;
  AppendJsonString(expected, all);
  ASSERT_GT(expected.size(), std::size_t{512} << 10);
  EXPECT_EQ(text->json_size(), expected.size() - 2);
  EXPECT_EQ(Quoted(text), expected);
  EXPECT_TRUE(std::filesystem::is_empty(directory_ + "/made/when/needed"));
}

TEST_F(LongTextTest, AMessageReadsFromAnywhere) {
  const auto text = std::make_shared<LongText>(directory_);
  for (int i = 0; i < 40'000; ++i) ASSERT_TRUE(text->Append("0123456789"));
  const LongMessage message{"head", text, "tail"};
  const std::string whole = *message.Whole();
  ASSERT_EQ(whole.size(), message.size());
  EXPECT_TRUE(whole.starts_with("head0123"));
  EXPECT_TRUE(whole.ends_with("6789tail"));
  for (const std::size_t piece : {1u, 7u, 4'096u, 100'000u}) {
    for (std::size_t offset : {std::size_t{0}, std::size_t{3}, std::size_t{4}, std::size_t{262'140},
                               whole.size() - piece}) {
      std::string out(piece, '\0');
      ASSERT_TRUE(message.Read(offset, out));
      EXPECT_EQ(out, whole.substr(offset, piece)) << offset << ' ' << piece;
    }
  }
  std::string beyond(5, '\0');
  EXPECT_FALSE(message.Read(whole.size() - 4, beyond));
}

TEST_F(LongTextTest, SaysWhenTheDiskHasNoPlace) {
  LongText text("/proc/nowhere");
  EXPECT_TRUE(text.Append("short texts need none"));
  const Result<void> appended = text.Append(std::string(1'000'000, 'x'));
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, Code::kUnavailable);
  EXPECT_EQ(appended.error().message.find("/proc"), std::string::npos);
}

}  // namespace
}  // namespace toolpost::base
