// One test per row of the routing table (A7.1 of the protocol reference), with requirement D4.
#include "mcp/era.h"

#include <gtest/gtest.h>

#include "base/error_table.h"
#include "base/strings.h"

namespace toolpost::mcp {
namespace {

constexpr std::string_view kClaim =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

Decision Post(std::string_view text, HttpFacts facts = {}) {
  auto body = Body::Parse(text);
  EXPECT_TRUE(body) << text;
  return RoutePost(**body, facts);
}

std::string Request(std::string_view method, std::string_view params = {}) {
  return base::StrCat(R"({"jsonrpc":"2.0","id":1,"method":")", method, R"(","params":{)", params,
                      "}}");
}

void ExpectRefused(const Decision& decision, int code) {
  EXPECT_EQ(decision.route, Route::kRefuse);
  EXPECT_EQ(decision.http_status, 400);
  EXPECT_EQ(base::FormsOf(decision.error.code).json_rpc, code);
}

TEST(Era, Row02_TextThatIsNotJsonIsAParseError) {
  const auto body = Body::Parse("{nonsense");
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().code, Code::kParse);
}

TEST(Era, Row03_EmptyBatchIsInvalid) { ExpectRefused(Post("[]"), -32600); }

TEST(Era, Row03_BatchWithAModernClaimIsInvalid) {
  ExpectRefused(
      Post(base::StrCat("[", Request("tools/list", kClaim), "]"), {.version = {}, .session = "s"}),
      -32600);
}

TEST(Era, Row03_BatchWithAnInvalidElementIsInvalid) {
  ExpectRefused(Post(base::StrCat("[", Request("ping"), ",7]"), {.version = {}, .session = "s"}),
                -32600);
}

TEST(Era, Row04_LegacyBatchGoesToItsSession) {
  EXPECT_EQ(Post(base::StrCat("[", Request("ping"), "]"), {.version = {}, .session = "s"}).route,
            Route::kSession);
}

TEST(Era, Row05_ResponseGoesToItsSession) {
  constexpr std::string_view kResponse = R"({"jsonrpc":"2.0","id":1,"result":{}})";
  EXPECT_EQ(Post(kResponse, {.version = {}, .session = "s"}).route, Route::kSession);
  ExpectRefused(Post(kResponse), -32600);
}

TEST(Era, Row06_InitializeWithoutClaimIsAHandshake) {
  EXPECT_EQ(Post(Request("initialize")).route, Route::kHandshake);
  EXPECT_EQ(Post(Request("initialize"), {.version = "2025-06-18", .session = {}}).route,
            Route::kHandshake);
}

TEST(Era, Row06_InitializeWithABrokenClaimIsAHandshake) {
  EXPECT_EQ(Post(Request("initialize",
                         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"))
                .route,
            Route::kHandshake);
}

TEST(Era, Row07_InitializeWithAModernHeaderIsAMismatch) {
  ExpectRefused(Post(Request("initialize"), {.version = "2026-07-28", .session = {}}), -32020);
  ExpectRefused(Post(Request("initialize"), {.version = "2031-01-01", .session = {}}), -32020);
}

// Rows 8 to 13 are decided by ServeModern, once the claim key is there.
TEST(Era, Row08To13_AClaimIsServedModernWhateverElse) {
  EXPECT_EQ(Post(Request("tools/list", kClaim)).route, Route::kModern);
  EXPECT_EQ(
      Post(Request("tools/list", kClaim), {.version = {}, .session = "s", .has_api_key = true})
          .route,
      Route::kModern);
  EXPECT_EQ(
      Post(Request("tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":7})")).route,
      Route::kModern);
  EXPECT_EQ(Post(Request("initialize", kClaim)).route, Route::kModern);
}

TEST(Era, Row14_ModernHeaderWithoutClaimNamesTheMissingKey) {
  const Decision decision =
      Post(Request("server/discover"), {.version = "2026-07-28", .session = {}});
  ExpectRefused(decision, -32602);
  EXPECT_NE(decision.error.message.find("io.modelcontextprotocol/protocolVersion"),
            std::string::npos);
}

TEST(Era, Row15_PRD_FR_004_1_PRD_FR_004_2_PRD_AC_003_2_LegacyWithoutSessionIsNotInitialized) {
  ExpectRefused(Post(Request("tools/list")), -32002);
  ExpectRefused(Post(Request("tools/call"), {.version = "2025-06-18", .session = {}}), -32002);
}

TEST(Era, Row15_LegacyWithSession) {
  EXPECT_EQ(Post(Request("tools/list"), {.version = {}, .session = "s"}).route, Route::kSession);
}

TEST(Era, Row15_D4_AnApiKeyWithoutSessionIsServedByTheController) {
  EXPECT_EQ(Post(Request("tools/list"), {.version = {}, .session = {}, .has_api_key = true}).route,
            Route::kController);
  EXPECT_EQ(
      Post(Request("ExecuteQuery"), {.version = {}, .session = {}, .has_api_key = true}).route,
      Route::kController);
  EXPECT_EQ(Post(Request("tools/list"), {.version = {}, .session = "s", .has_api_key = true}).route,
            Route::kSession);
  EXPECT_EQ(Post(Request("initialize"), {.version = {}, .session = {}, .has_api_key = true}).route,
            Route::kHandshake);
}

TEST(Era, Row16_NotificationsFollowTheirClaimThenTheirHeader) {
  constexpr std::string_view kNotification =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{}})";
  EXPECT_EQ(Post(kNotification, {.version = "2026-07-28", .session = {}}).route,
            Route::kModernNotification);
  EXPECT_EQ(
      Post(base::StrCat(R"({"jsonrpc":"2.0","method":"notifications/x","params":{)", kClaim, "}}"))
          .route,
      Route::kModernNotification);
  EXPECT_EQ(Post(kNotification, {.version = {}, .session = "s"}).route, Route::kSession);
  ExpectRefused(Post(kNotification), -32002);
}

TEST(Era, InvalidMessagesAreRefused) {
  ExpectRefused(Post("7"), -32600);
  ExpectRefused(Post(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), -32600);
  ExpectRefused(Post(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), -32600);
  ExpectRefused(Post(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), -32600);
  ExpectRefused(Post(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})"), -32602);
}

}  // namespace
}  // namespace toolpost::mcp
