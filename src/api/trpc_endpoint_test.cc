#include "api/trpc_endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <stop_token>

#include "api/trpc_fixture.h"
#include "api/trpc_types.h"
#include "auth/authenticator.h"
#include "base/json_parse.h"
#include "base/json_write.h"
#include "mcp/core.h"

namespace toolpost::api {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct ReadArgs {
  std::string path;
  static constexpr auto Fields() { return std::tuple{Req("path", &ReadArgs::path, "File.")}; }
};
struct ReadResult {
  std::string content;
  static constexpr auto Fields() { return std::tuple{Req("content", &ReadResult::content)}; }
};

Result<ReadResult> ReadFile(const ReadArgs& args, CallContext&) {
  if (args.path == "gone") return Error::NotFound("No such file: gone");
  return ReadResult{"of " + args.path};
}

class TrpcEndpointTest : public ::testing::Test {
 protected:
  TrpcEndpointTest() : core_(ServerOptions{}), endpoint_(core_, ticker_) {
    EXPECT_TRUE(core_.registry.Add(MakeTool<ReadArgs, ReadResult>(
        {.name = "file/read", .hints = {.read_only = true}, .run = Run::kInline}, ReadFile)));
    who_.authenticated = true;
  }

  std::shared_ptr<RecordedExchange> Send(TrpcTestRequest request) {
    auto exchange = std::make_shared<RecordedExchange>();
    RequestContext context;
    context.principal = std::make_shared<Principal>(who_);
    context.view.credential = who_.credential;
    context.authenticator = &authenticator_;
    endpoint_.Handle(request.view(), exchange, std::move(context));
    return exchange;
  }
  void As(std::string id, std::vector<std::string> scopes) {
    credential_ = std::make_shared<Credential>();
    credential_->kind = "key";
    credential_->grants.scopes = std::move(scopes);
    who_.id = std::move(id);
    who_.credential = credential_;
  }
  void AddPlain(std::string name, const std::function<Result<Output>()>& handler) {
    Tool tool;
    tool.info.name = std::move(name);
    tool.info.run = Run::kInline;
    tool.input_schema = *base::ParseJson(R"({"type":"object"})");
    tool.handler = [handler](const JsonObject&, CallContext&) { return handler(); };
    ASSERT_TRUE(core_.registry.Add(std::move(tool)));
  }

  mcp::Core core_;
  Ticker ticker_{std::chrono::seconds(0)};
  auth::Authenticator authenticator_{auth::AuthenticatorOptions{}};
  TrpcEndpoint endpoint_;
  Principal who_;
  std::shared_ptr<Credential> credential_;
};

constexpr std::string_view kReadA = "mcp.file.read?input=%7B%22path%22:%22a%22%7D";

TEST_F(TrpcEndpointTest, PRD_FR_018_4_AQueryGivesTheDataOfItsTool) {
  const auto reply = Send(TrpcGet(std::string(kReadA)));
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->type, "application/json");
  EXPECT_EQ(reply->body, R"({"result":{"data":{"content":"of a"}}})");
  EXPECT_THAT(reply->headers, HasSubstr("Vary: trpc-accept, accept\r\n"));
}

TEST_F(TrpcEndpointTest, PRD_FR_019_3_FailuresAreTrpcErrors) {
  const auto reply = Send(TrpcPost("mcp.file.read", R"({"path":"gone"})"));
  EXPECT_EQ(reply->status, 404);
  EXPECT_EQ(reply->body,
            R"({"error":{"message":"No such file: gone","code":-32004,"data":{"code":"NOT_FOUND",)"
            R"("httpStatus":404,"path":"mcp.file.read"}}})");
}

TEST_F(TrpcEndpointTest, PRD_FR_019_2_InputsAreCheckedByTheSchemaOfTheTool) {
  const auto reply = Send(TrpcPost("mcp.file.read", R"({"path":1})"));
  EXPECT_EQ(reply->status, 400);
  EXPECT_THAT(reply->body, AllOf(HasSubstr(R"("code":"BAD_REQUEST")"),
                                 HasSubstr(R"("path":"/path")"), HasSubstr(R"("issues":[{)")));
  for (const char* body : {"[]", "1", "\"x\""}) {
    EXPECT_THAT(Send(TrpcPost("mcp.file.read", body))->body, HasSubstr("must be an object"))
        << body;
  }
}

TEST_F(TrpcEndpointTest, PRD_FR_019_1_NobodyWithoutACredential) {
  who_.authenticated = false;
  const auto one = Send(TrpcGet(std::string(kReadA)));
  EXPECT_EQ(one->status, 401);
  EXPECT_THAT(one->body,
              AllOf(HasSubstr(R"("code":"UNAUTHORIZED")"), HasSubstr(R"("path":"mcp.file.read")")));
  EXPECT_THAT(one->headers, HasSubstr("WWW-Authenticate: Bearer"));
  const auto two = Send(TrpcGet("mcp.status,mcp.listTools?batch=1"));
  EXPECT_EQ(two->status, 401);
  EXPECT_EQ(base::ParseJson(two->body)->as_array().size(), 2U);
  const auto stream = Send(TrpcGet("mcp.events"));
  EXPECT_EQ(stream->status, 200);
  EXPECT_THAT(stream->body, AllOf(HasSubstr("event: serialized-error"), HasSubstr("UNAUTHORIZED")));
  EXPECT_TRUE(stream->ended);
  EXPECT_EQ(Send(TrpcGet("types.d.ts"))->status, 401);
}

TEST_F(TrpcEndpointTest, HeadIsEmpty) {
  TrpcTestRequest head = TrpcGet("mcp.status");
  head.method = "HEAD";
  EXPECT_EQ(Send(head)->status, 204);
}

TEST_F(TrpcEndpointTest, PRD_FR_018_3_PRD_US_002_ExecuteToolTakesEverySpelling) {
  for (const char* name : {"file/read", "file_read"}) {
    const auto reply = Send(TrpcPost(
        "mcp.executeTool",
        base::ToJson(JsonObject{{"name", name}, {"arguments", JsonObject{{"path", "a"}}}})));
    ASSERT_EQ(reply->status, 200) << reply->body;
    const Json data = base::ParseJson(reply->body)->at("result").at("data");
    EXPECT_EQ(data.at("success"), true);
    EXPECT_EQ(data.at("result"), Json({{"content", "of a"}}));
    EXPECT_GE(data.at("executionTime").as_double(), 0);
  }
}

TEST_F(TrpcEndpointTest, PRD_US_002_ToolNamesAreExplained) {
  const auto badly = Send(TrpcPost("mcp.executeTool", R"({"name":"nonsense"})"));
  EXPECT_EQ(badly->status, 400);
  EXPECT_THAT(badly->body, HasSubstr("category/name"));
  const auto unknown = Send(TrpcPost("mcp.executeTool", R"({"name":"file/reed"})"));
  EXPECT_EQ(unknown->status, 404);
  EXPECT_THAT(unknown->body, HasSubstr("Did you mean"));
  const auto nameless = Send(TrpcPost("mcp.executeTool", "{}"));
  EXPECT_EQ(nameless->status, 400);
  EXPECT_THAT(nameless->body, HasSubstr(R"("rule":"required")"));
  EXPECT_EQ(Send(TrpcPost("mcp.executeTool", ""))->status, 400);
  EXPECT_EQ(Send(TrpcPost("mcp.executeTool", R"({"name":"file/read","arguments":[]})"))->status,
            400);
}

TEST_F(TrpcEndpointTest, ToolsWithoutDataGiveTheirContent) {
  AddPlain("demo/text", [] { return Output::Text("hello"); });
  EXPECT_THAT(Send(TrpcPost("mcp.executeTool", R"({"name":"demo/text"})"))->body,
              HasSubstr(R"("result":{"content":[{"type":"text","text":"hello"}]})"));
}

TEST_F(TrpcEndpointTest, ToolsThatReportAnErrorFail) {
  AddPlain("demo/fails", [] {
    Output output = Output::Text("it broke");
    output.is_error = true;
    return output;
  });
  const auto reply = Send(TrpcPost("mcp.executeTool", R"({"name":"demo/fails"})"));
  EXPECT_EQ(reply->status, 500);
  EXPECT_THAT(reply->body, HasSubstr(R"("message":"it broke")"));
}

// A challenge is for credentials that ended; a tool that wants a user asks for none.
TEST_F(TrpcEndpointTest, OnlyCredentialsThatEndedAreChallenged) {
  AddPlain("demo/personal", [] {
    return Error{Code::kUnauthenticated, "user_id is required", {}};
  });
  As("key:1", {"write"});
  const auto anonymous = Send(TrpcPost("mcp.executeTool", R"({"name":"demo/personal"})"));
  EXPECT_EQ(anonymous->status, 401);
  EXPECT_THAT(anonymous->body, AllOf(HasSubstr("user_id is required"), HasSubstr("UNAUTHORIZED")));
  EXPECT_THAT(anonymous->headers, Not(HasSubstr("WWW-Authenticate")));
  credential_->revoked = true;
  const auto ended = Send(TrpcPost("mcp.executeTool", R"({"name":"demo/personal"})"));
  EXPECT_EQ(ended->status, 401);
  EXPECT_THAT(ended->headers, HasSubstr("WWW-Authenticate"));
}

TEST_F(TrpcEndpointTest, AProcedureWithoutItsToolIsNotFound) {
  const auto reply = Send(TrpcPost("mcp.shell.execute", R"({"command":"ls"})"));
  EXPECT_EQ(reply->status, 404);
  EXPECT_THAT(reply->body, HasSubstr("shell/execute is not enabled"));
}

TEST_F(TrpcEndpointTest, WhatTheCredentialMayNotIsForbidden) {
  As("key:1", {});
  Tool writer = MakeTool<ReadArgs, ReadResult>(
      {.name = "file/write", .permissions = {"write"}, .run = Run::kInline}, ReadFile);
  ASSERT_TRUE(core_.registry.Add(std::move(writer)));
  const auto reply = Send(TrpcPost("mcp.file.write", R"({"path":"a"})"));
  EXPECT_EQ(reply->status, 403);
  EXPECT_THAT(reply->body, HasSubstr(R"("code":"FORBIDDEN")"));
}

TEST_F(TrpcEndpointTest, BatchesKeepTheirOrderAndMixTheirStatus) {
  const auto mixed = Send(TrpcGet(
      "mcp.file.read,x,mcp.file.read?batch=1&input=%7B%220%22:%7B%22path%22:%22a%22%7D%7D"));
  EXPECT_EQ(mixed->status, 207);
  const JsonArray answers = base::ParseJson(mixed->body)->as_array();
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0].at("result").at("data").at("content"), "of a");
  EXPECT_EQ(answers[1].at("error").at("data").at("code"), "NOT_FOUND");
  EXPECT_EQ(answers[2].at("error").at("data").at("code"), "BAD_REQUEST");
  EXPECT_EQ(Send(TrpcGet("x,y?batch=1"))->status, 404);
  EXPECT_EQ(
      Send(TrpcGet("mcp.file.read?batch=1&input=%7B%220%22:%7B%22path%22:%22a%22%7D%7D"))->status,
      200);
}

TEST_F(TrpcEndpointTest, StreamingBatchesComeInLines) {
  TrpcTestRequest request =
      TrpcGet("mcp.file.read,x?batch=1&input=%7B%220%22:%7B%22path%22:%22a%22%7D%7D");
  request.headers = {{"trpc-accept", "application/jsonl"}};
  const auto reply = Send(request);
  EXPECT_EQ(reply->status, 200);
  EXPECT_TRUE(reply->ended);
  EXPECT_EQ(reply->body,
            "{\"0\":[[0],[null,0,0]],\"1\":[[0],[null,0,1]]}\n"
            "[0,0,[[{\"result\":{\"data\":{\"content\":\"of a\"}}}]]]\n"
            "[1,0,[[{\"error\":{\"message\":\"No procedure found on path \\\"x\\\"\",\"code\":"
            "-32004,\"data\":{\"code\":\"NOT_FOUND\",\"httpStatus\":404,\"path\":\"x\"}}}]]]\n");
}

TEST_F(TrpcEndpointTest, RequestsAsAWholeFailWithoutPath) {
  const auto reply = Send(TrpcGet("mcp.status,mcp.executeTool?batch=1"));
  EXPECT_EQ(reply->status, 400);
  EXPECT_THAT(reply->body, AllOf(HasSubstr("Cannot mix"), Not(HasSubstr("path"))));
}

TEST_F(TrpcEndpointTest, EveryCallIsCounted) {
  (void)Send(TrpcGet("mcp.file.read,x?batch=1&input=%7B%220%22:%7B%22path%22:%22a%22%7D%7D"));
  (void)Send(TrpcGet("mcp.status,mcp.executeTool?batch=1"));
  EXPECT_EQ(core_.requests.total(), 3U);
  EXPECT_EQ(core_.requests.failed(), 2U);
}

TEST_F(TrpcEndpointTest, ClientsThatLeaveCancelTheirCalls) {
  std::promise<void> entered;
  std::promise<bool> cancelled;
  Tool tool;
  tool.info.name = "demo/wait";
  tool.input_schema = *base::ParseJson(R"({"type":"object"})");
  tool.handler = [&](const JsonObject&, CallContext& context) -> Result<Output> {
    entered.set_value();
    std::promise<void> stopped;
    const std::stop_callback on_stop(context.stop_token(), [&] { stopped.set_value(); });
    cancelled.set_value(stopped.get_future().wait_for(std::chrono::seconds(60)) ==
                        std::future_status::ready);
    return Error::Cancelled();
  };
  ASSERT_TRUE(core_.registry.Add(std::move(tool)));
  const auto reply = Send(TrpcPost("mcp.executeTool", R"({"name":"demo/wait"})"));
  ASSERT_TRUE(reply->on_close);
  entered.get_future().wait();
  reply->on_close();
  EXPECT_TRUE(cancelled.get_future().get());
  core_.AwaitCalls(std::chrono::seconds(60));
}

TEST_F(TrpcEndpointTest, EventsReachTheirSubscribersAndCanBeResumed) {
  As("key:1", {"read"});
  const auto stream = Send(TrpcGet("mcp.events"));
  EXPECT_EQ(stream->status, 200);
  EXPECT_EQ(stream->type, "text/event-stream");
  EXPECT_THAT(stream->headers,
              AllOf(HasSubstr("Cache-Control: no-cache, no-transform"), HasSubstr("X-Accel-")));
  EXPECT_THAT(stream->body, HasSubstr("event: connected\ndata: {\"reconnectAfterInactivityMs\":"));
  const std::string start = stream->body.substr(4, stream->body.find('\n') - 4);
  (void)Send(TrpcGet(std::string(kReadA)));
  EXPECT_THAT(stream->body, HasSubstr(R"("type":"toolExecuted")"));
  stream->on_close();

  TrpcTestRequest again = TrpcGet("mcp.events");
  again.headers = {{"Last-Event-ID", start}};
  EXPECT_THAT(Send(again)->body,
              AllOf(HasSubstr(R"("type":"toolExecuted")"), Not(HasSubstr("eventsLost"))));
  again.headers = {{"Last-Event-ID", "elsewhere-1"}};
  EXPECT_THAT(Send(again)->body, HasSubstr(R"("type":"eventsLost")"));
}

TEST_F(TrpcEndpointTest, OthersSeeOnlyWhatIsTheirs) {
  As("key:2", {"read"});
  const auto other = Send(TrpcGet("mcp.events"));
  As("key:3", {"read", "admin"});
  const auto admin = Send(TrpcGet("mcp.events"));
  const auto chosen =
      Send(TrpcGet("mcp.events?input=%7B%22types%22:%5B%22toolRegistered%22%5D%7D"));
  As("key:1", {"read"});
  (void)Send(TrpcGet(std::string(kReadA)));
  AddPlain("demo/new", [] { return Output::Text(""); });
  EXPECT_THAT(other->body, Not(HasSubstr("toolExecuted")));
  EXPECT_THAT(other->body, Not(HasSubstr("toolRegistered")));
  EXPECT_THAT(admin->body, AllOf(HasSubstr("toolExecuted"), HasSubstr("toolRegistered")));
  EXPECT_THAT(chosen->body, AllOf(Not(HasSubstr("toolExecuted")), HasSubstr("toolRegistered")));
}

TEST_F(TrpcEndpointTest, WrongInputsOfSubscriptionsAreEvents) {
  for (const char* input :
       {"%5B%5D", "%7B%22types%22:%5B%22x%22%5D%7D", "%7B%22x%22:1%7D", "%7B"}) {
    const auto stream = Send(TrpcGet(std::string("mcp.events?input=") + input));
    EXPECT_EQ(stream->status, 200);
    EXPECT_TRUE(stream->ended);
    EXPECT_THAT(stream->body, AllOf(HasSubstr("event: connected"),
                                    HasSubstr("event: serialized-error"), HasSubstr("BAD_REQUEST")))
        << input;
  }
  As("key:1", {"write"});
  EXPECT_THAT(Send(TrpcGet("mcp.events"))->body, HasSubstr("FORBIDDEN"));
}

TEST_F(TrpcEndpointTest, StreamsEndWithTheirCredential) {
  As("key:1", {"read"});
  const auto stream = Send(TrpcGet("mcp.events"));
  ticker_.Tick();
  EXPECT_THAT(stream->body, HasSubstr("event: ping"));
  credential_->revoked = true;
  ticker_.Tick();
  EXPECT_THAT(stream->body, HasSubstr("UNAUTHORIZED"));
  EXPECT_TRUE(stream->ended);
}

TEST_F(TrpcEndpointTest, SlowReadersAreSentAway) {
  const auto stream = Send(TrpcGet("mcp.events"));
  stream->backlog = std::size_t{64} * 1024 * 1024;
  (void)Send(TrpcGet(std::string(kReadA)));
  EXPECT_TRUE(stream->ended);
  EXPECT_THAT(stream->body, Not(HasSubstr("toolExecuted")));
}

TEST_F(TrpcEndpointTest, StopEndsSubscriptions) {
  const auto stream = Send(TrpcGet("mcp.events"));
  endpoint_.Stop();
  EXPECT_TRUE(stream->ended);
  EXPECT_THAT(stream->body, Not(HasSubstr("event: return")));  // clients come back
}

// Whoever has heard of a subscription must find it ended, not cut off.
TEST_F(TrpcEndpointTest, SubscriptionsCanBeStoppedFromTheirFirstWordOn) {
  struct Watched : RecordedExchange {
    explicit Watched(const TrpcSubscriptions& of) : all(of) {}
    void Write(std::string data) override {
      EXPECT_EQ(all.open(), 1u);
      RecordedExchange::Write(std::move(data));
    }
    const TrpcSubscriptions& all;
  };
  TrpcSubscriptions all(core_, ticker_);
  TrpcTestRequest request = TrpcGet("mcp.events");
  RequestContext context;
  context.principal = std::make_shared<Principal>(who_);
  const auto first = std::make_shared<Watched>(all);
  all.Open(*TrpcRequest::Read(request.view()), first, context);
  EXPECT_THAT(first->body, HasSubstr("event: connected"));
  all.Stop();
  EXPECT_TRUE(first->ended);
  const auto late = std::make_shared<RecordedExchange>();
  all.Open(*TrpcRequest::Read(request.view()), late, context);
  EXPECT_TRUE(late->ended);
  EXPECT_EQ(all.open(), 0u);
}

TEST_F(TrpcEndpointTest, SubscriptionsAreBounded) {
  TrpcSubscriptions few(core_, ticker_, 1);
  TrpcTestRequest request = TrpcGet("mcp.events");
  RequestContext context;
  context.principal = std::make_shared<Principal>(who_);
  const auto open = [&] {
    auto exchange = std::make_shared<RecordedExchange>();
    few.Open(*TrpcRequest::Read(request.view()), exchange, context);
    return exchange;
  };
  const auto first = open();
  EXPECT_THAT(open()->body, HasSubstr("SERVICE_UNAVAILABLE"));
  first->on_close();
  EXPECT_THAT(open()->body, Not(HasSubstr("SERVICE_UNAVAILABLE")));
}

TEST_F(TrpcEndpointTest, TypesDescribeWhatThereIs) {
  const auto reply = Send(TrpcGet("types.d.ts"));
  EXPECT_EQ(reply->status, 200);
  EXPECT_THAT(reply->type, HasSubstr("typescript"));
  EXPECT_THAT(
      reply->body,
      AllOf(HasSubstr("export interface FileReadInput {\n  /** File. */\n  path: string;\n}"),
            HasSubstr("export interface FileContent {\n  content: string;\n}"),
            HasSubstr("read: TRPCQueryProcedure<{ input: FileReadInput; output: FileContent; "
                      "meta: unknown }>;"),
            HasSubstr("events: TRPCSubscriptionProcedure<"), HasSubstr("ExecutionResult"),
            Not(HasSubstr("ShellResult"))));
}

}  // namespace
}  // namespace toolpost::api
