#include "mcp/message.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace toolpost::mcp {
namespace {

std::shared_ptr<const Body> Parsed(std::string_view text) {
  auto body = Body::Parse(text);
  EXPECT_TRUE(body) << text;
  return *body;
}

TEST(Message, PRD_FR_001_1_PRD_AC_001_1_KindsFollowTheMembers) {
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":1,"method":"m"})")->message().kind,
            Message::Kind::kRequest);
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","method":"m"})")->message().kind,
            Message::Kind::kNotification);
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":1,"result":{}})")->message().kind,
            Message::Kind::kResponse);
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})")->message().kind,
            Message::Kind::kResponse);
}

TEST(Message, IdsKeepTheirType) {
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":7,"method":"m"})")->message().id, "7");
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":"7","method":"m"})")->message().id, "\"7\"");
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"m"})")->message().id,
            "18446744073709551615");
}

TEST(Message, WhatIsNoMessageSaysWhy) {
  for (const std::string_view text :
       {R"("x")", R"({})", R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":1})",
        R"({"jsonrpc":"2.0","id":null,"method":"m"})",
        R"({"jsonrpc":"2.0","id":true,"method":"m"})", R"({"jsonrpc":"2.0","id":1,"method":7})",
        R"({"jsonrpc":"2.0","id":1,"method":"m","params":"x"})",
        R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})",
        R"({"JSONRPC":"2.0","id":1,"method":"m"})"}) {
    const auto body = Parsed(text);
    EXPECT_EQ(body->message().kind, Message::Kind::kInvalid) << text;
    EXPECT_FALSE(body->message().error.message.empty()) << text;
  }
}

TEST(Message, NullParamsCountAsAbsent) {
  EXPECT_EQ(Parsed(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})")->message().params,
            nullptr);
}

TEST(Message, BatchesKeepTheirOrder) {
  const auto body =
      Parsed(R"([{"jsonrpc":"2.0","id":1,"method":"a"},3,{"jsonrpc":"2.0","method":"b"}])");
  ASSERT_TRUE(body->is_batch());
  ASSERT_EQ(body->batch().size(), 3u);
  EXPECT_EQ(body->batch()[0].method, "a");
  EXPECT_EQ(body->batch()[1].kind, Message::Kind::kInvalid);
  EXPECT_EQ(body->batch()[2].method, "b");
}

TEST(Message, BatchesAreBounded) {
  const auto batch = [](std::size_t size) {
    std::string text = "[";
    for (std::size_t i = 0; i < size; ++i)
      text += base::StrCat(i == 0 ? "" : ",", R"({"jsonrpc":"2.0","id":)", i, R"(,"method":"m"})");
    return text + "]";
  };
  EXPECT_EQ(Parsed(batch(Body::kMaxBatch))->batch().size(), Body::kMaxBatch);
  const auto refused = Body::Parse(batch(Body::kMaxBatch + 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalidRequest);
  EXPECT_EQ(refused.error().message,
            "A batch may hold 256 messages at most, this one has 257; send them in parts");
}

TEST(Message, LargeBodiesOutgrowTheFirstBlock) {
  const std::string big(100'000, 'x');
  const auto body =
      Parsed(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"text":")" + big + R"("}})");
  ASSERT_NE(body->message().Param("text"), nullptr);
  EXPECT_EQ(body->message().Param("text")->get_string().size(), big.size());
}

}  // namespace
}  // namespace toolpost::mcp
