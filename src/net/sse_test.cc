#include "net/sse.h"

#include <gtest/gtest.h>

namespace toolpost::net {
namespace {

TEST(Sse, FramesOneLine) { EXPECT_EQ(SseEvent("{}"), "data: {}\n\n"); }

TEST(Sse, PutsIdAndEventBeforeTheData) {
  EXPECT_EQ(SseEvent("x", "7", "message"), "id: 7\nevent: message\ndata: x\n\n");
}

TEST(Sse, SplitsDataAtEveryKindOfLineEnd) {
  EXPECT_EQ(SseEvent("a\nb\r\nc\rd"), "data: a\ndata: b\ndata: c\ndata: d\n\n");
  EXPECT_EQ(SseEvent("a\n"), "data: a\ndata: \n\n");
  EXPECT_EQ(SseEvent(""), "data: \n\n");
}

TEST(Sse, LineEndsInIdOrEventCannotForgeFields) {
  EXPECT_EQ(SseEvent("x", "1\ndata: forged", "e\r\nretry: 1"),
            "id: 1data: forged\nevent: eretry: 1\ndata: x\n\n");
}

TEST(Sse, LeavesOutAnIdWithNul) {
  EXPECT_EQ(SseEvent("x", std::string_view("1\0", 2)), "data: x\n\n");
}

TEST(Sse, PrimingGivesAnIdAndEmptyData) {
  EXPECT_EQ(SsePriming("5"), "id: 5\ndata: \n\n");
  EXPECT_EQ(SsePriming("5", 3000), "id: 5\nretry: 3000\ndata: \n\n");
}

TEST(Sse, CommentIsIgnoredByReaders) { EXPECT_EQ(SseComment(), ":\n\n"); }

}  // namespace
}  // namespace toolpost::net
