// Replies that stay open: a comment per tick, and a slow one becomes a stream.
#include "api/post_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/exchange_fixture.h"
#include "base/clock.h"

namespace toolpost::api {
namespace {

constexpr std::chrono::seconds kAtOnce{0};
constexpr std::chrono::hours kNever{1000};
constexpr std::string_view kComment = ":\n\n";

class PostChannelTest : public ::testing::Test {
 protected:
  SessionPost InSession(std::chrono::seconds slow) {
    return {exchange_, streams_, {}, false, slow};
  }

  static mcp::SharedPrincipal Reader(std::shared_ptr<const Credential> credential = nullptr) {
    auto principal = std::make_shared<Principal>();
    principal->credential = std::move(credential);
    return principal;
  }

  const std::shared_ptr<RecordedExchange> exchange_ = std::make_shared<RecordedExchange>();
  const std::shared_ptr<SessionStreams> streams_ =
      std::make_shared<SessionStreams>(std::weak_ptr<mcp::Session>());
};

TEST_F(PostChannelTest, AQuickReplyIsPlainJsonWhateverTicks) {
  StatelessPost post(exchange_, {}, kNever);
  EXPECT_TRUE(post.Tick());
  EXPECT_EQ(exchange_->status, 0);
  post.Finish("{}", 200);
  EXPECT_EQ(exchange_->type, "application/json");
  EXPECT_EQ(exchange_->body, "{}");
  EXPECT_FALSE(post.Tick());
  EXPECT_EQ(exchange_->body, "{}");
}

TEST_F(PostChannelTest, ASlowReplyBecomesAStreamWithACommentPerTick) {
  StatelessPost post(exchange_, {}, kAtOnce);
  EXPECT_EQ(exchange_->status, 0);
  EXPECT_TRUE(post.Tick());
  EXPECT_EQ(exchange_->status, 200);
  EXPECT_EQ(exchange_->type, "text/event-stream");
  EXPECT_TRUE(post.Tick());
  EXPECT_EQ(exchange_->body, std::string(kComment) + std::string(kComment));
  exchange_->body.clear();
  post.Finish("{}", 200);
  EXPECT_EQ(exchange_->body, "event: message\ndata: {}\n\n");
  EXPECT_TRUE(exchange_->ended);
  EXPECT_FALSE(post.Tick());
}

TEST_F(PostChannelTest, AnOpenStreamIsKeptAliveHoweverYoung) {
  StatelessPost post(exchange_, {}, kNever);
  post.Send("1");
  exchange_->body.clear();
  EXPECT_TRUE(post.Tick());
  EXPECT_EQ(exchange_->body, kComment);
}

TEST_F(PostChannelTest, AnAbandonedReplyIsNotKeptAlive) {
  StatelessPost post(exchange_, {}, kAtOnce);
  post.Abandon();
  EXPECT_FALSE(post.Tick());
  EXPECT_EQ(exchange_->status, 202);
  EXPECT_EQ(exchange_->body, "");
}

TEST_F(PostChannelTest, InASessionAQuickReplyIsPlainJson) {
  SessionPost post = InSession(kNever);
  EXPECT_TRUE(post.Tick());
  post.Finish("{}", 200);
  EXPECT_EQ(exchange_->type, "application/json");
  EXPECT_FALSE(post.Tick());
  EXPECT_EQ(exchange_->body, "{}");
}

TEST_F(PostChannelTest, InASessionASlowReplyBecomesAResumableStream) {
  SessionPost post = InSession(kAtOnce);
  EXPECT_TRUE(post.Tick());
  EXPECT_EQ(exchange_->type, "text/event-stream");
  EXPECT_EQ(exchange_->body, kComment);
  exchange_->body.clear();
  post.Finish("{}", 200);
  EXPECT_EQ(exchange_->body, "id: 1-1\nevent: message\ndata: {}\n\n");
  EXPECT_FALSE(post.Tick());
  const auto again = std::make_shared<RecordedExchange>();
  ASSERT_TRUE(streams_->Resume("1-0", again, Reader(), ""));
  EXPECT_EQ(again->body, "id: 1-1\nevent: message\ndata: {}\n\n");
}

TEST_F(PostChannelTest, AReleasedReplyIsNoLongerKeptAlive) {
  SessionPost post = InSession(kAtOnce);
  post.Release();
  EXPECT_TRUE(exchange_->ended);
  EXPECT_FALSE(post.Tick());
  EXPECT_EQ(exchange_->body, "");
}

TEST_F(PostChannelTest, TheStandaloneStreamGetsACommentWhileSomebodyIsAttached) {
  EXPECT_FALSE(streams_->Tick());
  ASSERT_TRUE(streams_->OpenStandalone(exchange_, Reader(), "", false));
  EXPECT_TRUE(streams_->Tick());
  EXPECT_EQ(exchange_->body, kComment);
  exchange_->on_close();
  EXPECT_FALSE(streams_->Tick());
  EXPECT_EQ(exchange_->body, kComment);
}

TEST_F(PostChannelTest, AResumedReplyGetsCommentsToo) {
  SessionPost post = InSession(kNever);
  post.Send("1");
  exchange_->on_close();
  EXPECT_FALSE(streams_->Tick());
  const auto again = std::make_shared<RecordedExchange>();
  ASSERT_TRUE(streams_->Resume("1-1", again, Reader(), ""));
  EXPECT_TRUE(streams_->Tick());
  EXPECT_EQ(again->body, kComment);
  post.Finish("2", 200);
  EXPECT_TRUE(again->ended);
  EXPECT_FALSE(streams_->Tick());
}

TEST_F(PostChannelTest, AStreamOpenedByGetEndsWithTheCredentialOfItsReader) {
  const auto expiring = std::make_shared<Credential>();
  ASSERT_TRUE(streams_->OpenStandalone(exchange_, Reader(expiring), "", false));
  EXPECT_TRUE(streams_->Tick());
  expiring->expires = base::Now();
  EXPECT_FALSE(streams_->Tick());
  EXPECT_TRUE(exchange_->ended);
  // The session goes on: its client comes back with a fresh token.
  const auto again = std::make_shared<RecordedExchange>();
  const auto fresh = std::make_shared<Credential>();
  ASSERT_TRUE(streams_->OpenStandalone(again, Reader(fresh), "", false));
  streams_->Push("news");
  EXPECT_THAT(again->body, ::testing::HasSubstr("news"));
  fresh->revoked = true;
  EXPECT_FALSE(streams_->Tick());
  EXPECT_TRUE(again->ended);
}

TEST_F(PostChannelTest, HoweverOftenAClientComesBackItTicksOnce) {
  ASSERT_TRUE(streams_->OpenStandalone(exchange_, Reader(), "", false));
  EXPECT_TRUE(streams_->StartTicking());
  EXPECT_FALSE(streams_->StartTicking());
  EXPECT_TRUE(streams_->Tick());
  EXPECT_FALSE(streams_->StartTicking());
  exchange_->on_close();
  EXPECT_FALSE(streams_->Tick());
  EXPECT_TRUE(streams_->StartTicking());
}

// {"text":"a line"}, with the text where long ones are.
base::LongMessage LongReply() {
  const auto text = std::make_shared<base::LongText>(::testing::TempDir());
  EXPECT_TRUE(text->Append("a line"));
  return {R"({"text":")", text, R"("})"};
}

TEST_F(PostChannelTest, ALongReplyIsFramedLikeAnyOther) {
  StatelessPost quick(exchange_, {}, kNever);
  quick.FinishLong(LongReply());
  EXPECT_EQ(exchange_->type, "application/json");
  EXPECT_EQ(exchange_->body, R"({"text":"a line"})");
  EXPECT_TRUE(exchange_->ended);

  const auto streamed = std::make_shared<RecordedExchange>();
  StatelessPost slow(streamed, {}, kAtOnce);
  EXPECT_TRUE(slow.Tick());
  slow.FinishLong(LongReply());
  slow.FinishLong(LongReply());
  EXPECT_EQ(streamed->body,
            std::string(kComment) + "event: message\ndata: {\"text\":\"a line\"}\n\n");
  EXPECT_TRUE(streamed->ended);
}

TEST_F(PostChannelTest, ALongReplyInASessionIsNotKept) {
  SessionPost post = InSession(kAtOnce);
  post.Send("1");
  EXPECT_EQ(exchange_->body, "id: 1-1\nevent: message\ndata: 1\n\n");
  post.FinishLong(LongReply());
  EXPECT_TRUE(
      exchange_->body.ends_with("\n\nid: 1-2\nevent: message\ndata: {\"text\":\"a line\"}\n\n"))
      << exchange_->body;
  EXPECT_TRUE(exchange_->ended);
  EXPECT_FALSE(streams_->Resume("1-1", std::make_shared<RecordedExchange>(), Reader(), ""));
}

}  // namespace
}  // namespace toolpost::api
