#include "mcp/request_state.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace toolpost::mcp {
namespace {

class RequestState : public ::testing::Test {
 protected:
  static std::shared_ptr<const Body> Call(std::string_view argument, std::string_view extra = {}) {
    return *Body::Parse(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":")" +
        std::string(argument) + R"("})" + std::string(extra) + "}}");
  }
  ~RequestState() override { base::SetNowForTest({}); }

  RequestStateCodec codec_;
  const Principal alice_{.id = "alice", .user = "alice", .authenticated = true};
  const RequestStateCodec::State state_{.answers = {{"name", JsonObject{{"action", "accept"}}}},
                                        .handler_state = Json("kept"),
                                        .nonce = "n1"};
};

TEST_F(RequestState, ComesBackAsItWas) {
  const auto body = Call("x");
  const std::string text = codec_.Seal(state_, alice_, body->message());
  const auto retry =
      Call("x", R"(,"inputResponses":{},"requestState":"…","_meta":{"progressToken":1})");
  const auto opened = codec_.Open(text, alice_, retry->message());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->handler_state, Json("kept"));
  EXPECT_EQ(opened->answers.at("name").at("action"), Json("accept"));
}

TEST_F(RequestState, IsRefusedWhenChangedOrMoved) {
  const auto body = Call("x");
  const std::string text = codec_.Seal(state_, alice_, body->message());
  for (std::size_t i = 0; i < text.size(); i += 7) {
    std::string changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    if (changed != text) {
      EXPECT_FALSE(codec_.Open(changed, alice_, body->message())) << i;
    }
  }
  EXPECT_FALSE(codec_.Open("", alice_, body->message()));
  EXPECT_FALSE(codec_.Open("a.b", alice_, body->message()));
  EXPECT_FALSE(codec_.Open(text, Principal{.id = "bob", .user = "bob"}, body->message()));
  EXPECT_FALSE(codec_.Open(text, alice_, Call("y")->message()));
  EXPECT_FALSE(RequestStateCodec().Open(text, alice_, body->message()));
}

TEST_F(RequestState, Expires) {
  const auto body = Call("x");
  const base::WallTime now = base::Now();
  base::SetNowForTest(now);
  const std::string text = codec_.Seal(state_, alice_, body->message());
  base::SetNowForTest(now + RequestStateCodec::kLifetime + std::chrono::seconds(1));
  EXPECT_FALSE(codec_.Open(text, alice_, body->message()));
}

TEST_F(RequestState, IsSpentOnceTheCallCompleted) {
  const auto body = Call("x");
  const std::string text = codec_.Seal(state_, alice_, body->message());
  EXPECT_TRUE(codec_.Open(text, alice_, body->message()));
  codec_.Spend("n1");
  EXPECT_FALSE(codec_.Open(text, alice_, body->message()));
}

}  // namespace
}  // namespace toolpost::mcp
