#include "api/trpc_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/trpc_fixture.h"
#include "base/json_write.h"
#include "base/strings.h"

namespace toolpost::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<TrpcRequest> Read(TrpcTestRequest request) {
  const net::Request view = request.view();
  auto read = TrpcRequest::Read(view);
  if (!read->refusal()) read->ReadInputs(view);
  return read;
}

std::string RefusalOf(TrpcTestRequest request) {
  const auto read = Read(std::move(request));
  return read->refusal() ? read->refusal()->message : "";
}

std::string CallRefusalOf(TrpcTestRequest request, std::size_t index = 0) {
  const auto read = Read(std::move(request));
  const auto& refusal = read->calls().at(index).refusal;
  return refusal ? refusal->message : "";
}

std::string InputOf(TrpcTestRequest request, std::size_t index = 0) {
  const auto read = Read(std::move(request));
  const Result<const Json*> input = read->InputOf(index);
  if (!input) return input.error().message;
  return *input == nullptr ? "none" : base::ToJson(**input);
}

std::vector<std::string> Paths(const TrpcRequest& request) {
  std::vector<std::string> paths;
  for (const TrpcRequest::Call& call : request.calls()) paths.emplace_back(call.path);
  return paths;
}

TEST(TrpcRequest, KnowsItsDoor) {
  EXPECT_TRUE(IsTrpcPath("/trpc"));
  EXPECT_TRUE(IsTrpcPath("/trpc/mcp.status"));
  EXPECT_FALSE(IsTrpcPath("/trpcx"));
  EXPECT_FALSE(IsTrpcPath("/mcp"));
}

TEST(TrpcRequest, PathsAreSplitOnlyInBatches) {
  EXPECT_THAT(Paths(*Read(TrpcGet("mcp.status,mcp.file.read?batch=1"))),
              ElementsAre("mcp.status", "mcp.file.read"));
  EXPECT_THAT(Paths(*Read(TrpcGet("mcp.status%2Cmcp.status?batch=1"))),
              ElementsAre("mcp.status", "mcp.status"));
  EXPECT_THAT(Paths(*Read(TrpcGet("mcp.status,mcp.status"))), ElementsAre("mcp.status,mcp.status"));
  EXPECT_THAT(Paths(*Read(TrpcGet("mcp.status?batch=2"))), ElementsAre("mcp.status"));
  EXPECT_FALSE(Read(TrpcGet("mcp.status?batch=true"))->batch());
  EXPECT_THAT(Paths(*Read(TrpcGet("?batch=1"))), ElementsAre(""));
}

TEST(TrpcRequest, UnknownProceduresAreNamed) {
  EXPECT_EQ(CallRefusalOf(TrpcGet("x")), R"(No procedure found on path "x")");
  EXPECT_EQ(CallRefusalOf(TrpcGet("mcp.status,x?batch=1"), 1), R"(No procedure found on path "x")");
  EXPECT_EQ(CallRefusalOf(TrpcGet("mcp.status,mcp.status")),
            R"(No procedure found on path "mcp.status,mcp.status")");
  EXPECT_EQ(CallRefusalOf(TrpcGet("")), R"(No procedure found on path "")");
}

TEST(TrpcRequest, BrokenEscapesInPathsAreRefused) {
  EXPECT_EQ(RefusalOf(TrpcGet("mcp%2")), R"(Invalid URL-encoding in path "mcp%2")");
  EXPECT_EQ(RefusalOf(TrpcGet("%ff")), R"(Invalid URL-encoding in path "%ff")");
}

TEST(TrpcRequest, MethodsMustFit) {
  EXPECT_EQ(CallRefusalOf(TrpcGet("mcp.executeTool")),
            R"(Unsupported GET-request to mutation procedure at path "mcp.executeTool")");
  EXPECT_EQ(CallRefusalOf(TrpcPost("mcp.status", "")), "");  // method override
  TrpcTestRequest put = TrpcPost("mcp.status", "");
  put.method = "PUT";
  EXPECT_EQ(CallRefusalOf(put),
            R"(Unsupported PUT-request to query procedure at path "mcp.status")");
}

TEST(TrpcRequest, ContentTypesMustFit) {
  TrpcTestRequest post = TrpcPost("mcp.executeTool", "{}");
  post.headers.clear();
  EXPECT_EQ(RefusalOf(post), "Missing content-type header");
  post.headers = {{"Content-Type", "text/plain"}};
  EXPECT_EQ(RefusalOf(post), R"(Unsupported content-type "text/plain)");
  for (const char* type : {"application/json; charset=utf-8", "APPLICATION/JSON"}) {
    post.headers = {{"Content-Type", type}};
    EXPECT_EQ(RefusalOf(post), "") << type;
  }
  TrpcTestRequest get = TrpcGet("mcp.status");
  get.headers = {{"Content-Type", "multipart/form-data; boundary=x"}};
  EXPECT_EQ(RefusalOf(get), "Only POST requests are supported for multipart/form-data requests");
  get.headers = {{"Content-Type", "text/plain"}};
  EXPECT_EQ(RefusalOf(get), "");
}

TEST(TrpcRequest, KindsAreNotMixed) {
  EXPECT_EQ(RefusalOf(TrpcGet("mcp.status,mcp.executeTool,x?batch=1")),
            "Cannot mix procedure types in call: query, mutation");
  EXPECT_EQ(RefusalOf(TrpcPost("mcp.executeTool,mcp.status?batch=1", "{}")),
            "Cannot mix procedure types in call: mutation, query");
  EXPECT_EQ(CallRefusalOf(TrpcGet("mcp.events?batch=1")), "Cannot batch subscription calls");
}

TEST(TrpcRequest, BatchesAreBounded) {
  std::string paths = "x";
  for (std::size_t i = 1; i < TrpcRequest::kMaxBatch; ++i) paths.append(",x");
  EXPECT_EQ(RefusalOf(TrpcGet(paths + "?batch=1")), "");
  EXPECT_EQ(RefusalOf(TrpcGet(paths + ",x?batch=1")), "Batch call exceeds maximum size");
}

TEST(TrpcRequest, LinesAreForBatches) {
  TrpcTestRequest get = TrpcGet("mcp.status?batch=1");
  EXPECT_FALSE(Read(get)->streaming());
  get.headers = {{"trpc-accept", "application/jsonl"}};
  EXPECT_TRUE(Read(get)->streaming());
  get.headers = {{"Accept", "text/html, application/jsonl"}};
  EXPECT_TRUE(Read(get)->streaming());
  get.headers.emplace_back("trpc-accept", "application/json");
  EXPECT_FALSE(Read(get)->streaming());
  get = TrpcGet("mcp.status");
  get.headers = {{"trpc-accept", "application/jsonl"}};
  EXPECT_EQ(RefusalOf(get), "Streaming requests must be batched (you can do a batch of 1)");
}

TEST(TrpcRequest, ConnectionParametersAreStrings) {
  const auto with = [](std::string_view params) {
    return RefusalOf(TrpcGet(base::StrCat("mcp.events?connectionParams=", params)));
  };
  EXPECT_EQ(with("null"), "");
  EXPECT_EQ(with("%7B%22a%22:%22b%22%7D"), "");
  EXPECT_EQ(with("%7B"), "Not JSON-parsable query params");
  for (const char* params : {"1", "[]", "%7B%22a%22:1%7D"})
    EXPECT_EQ(with(params), "Invalid connection params shape") << params;
}

TEST(TrpcRequest, InputsOfQueries) {
  EXPECT_EQ(InputOf(TrpcGet("mcp.file.read")), "none");
  EXPECT_EQ(InputOf(TrpcGet("mcp.file.read?input=")), "none");
  EXPECT_EQ(InputOf(TrpcGet("mcp.file.read?input=null")), "none");
  EXPECT_EQ(InputOf(TrpcGet("mcp.file.read?input=%7B%22path%22:%22a+b%22%7D")),
            R"({"path":"a b"})");
  EXPECT_THAT(InputOf(TrpcGet("mcp.file.read?input=%7B")),
              HasSubstr("The input is not valid JSON"));
  EXPECT_EQ(InputOf(TrpcPost("mcp.file.read", R"({"path":"x"})")), R"({"path":"x"})");
  // Without a use for it, as in the reference.
  EXPECT_EQ(InputOf(TrpcGet("mcp.status?input=%7B")), "none");
  EXPECT_EQ(InputOf(TrpcGet("mcp.status?input=%7B%22x%22:1%7D")), "none");
}

TEST(TrpcRequest, InputsOfBatches) {
  const TrpcTestRequest batch =
      TrpcGet("mcp.status,mcp.file.read?batch=1&input=%7B%221%22:%7B%22path%22:%22p%22%7D%7D");
  EXPECT_EQ(InputOf(batch, 0), "none");
  EXPECT_EQ(InputOf(batch, 1), R"({"path":"p"})");
  for (const char* input : {"[]", "1", "%22x%22"}) {
    EXPECT_EQ(InputOf(TrpcGet(base::StrCat("mcp.file.read?batch=1&input=", input))),
              R"("input" needs to be an object when doing a batch call)")
        << input;
  }
  EXPECT_EQ(
      InputOf(TrpcPost("mcp.executeTool,mcp.executeTool?batch=1", R"({"0":{"name":"a"},"7":{}})"),
              1),
      "none");
}

TEST(TrpcRequest, TransformersAreExplained) {
  for (const char* body : {R"({"json":{"path":"x"}})", R"({"json":null,"meta":{"values":[]}})"})
    EXPECT_THAT(InputOf(TrpcPost("mcp.file.read", body)), HasSubstr("remove `transformer`"));
  EXPECT_THAT(InputOf(TrpcGet("mcp.status?input=%7B%22json%22:null%7D")),
              HasSubstr("remove `transformer`"));
  EXPECT_EQ(InputOf(TrpcPost("mcp.file.read", R"({"json":1,"path":"x"})")),
            R"({"json":1,"path":"x"})");
}

TEST(TrpcRequest, WhereASubscriptionGoesOn) {
  TrpcTestRequest get = TrpcGet("mcp.events?lastEventId=a");
  EXPECT_TRUE(Read(get)->subscription());
  EXPECT_EQ(Read(get)->last_event_id(), "a");
  get.headers = {{"Last-Event-ID", "b"}};
  EXPECT_EQ(Read(get)->last_event_id(), "b");
  EXPECT_EQ(Read(TrpcGet("mcp.events?Last-Event-Id=c"))->last_event_id(), "c");
  EXPECT_FALSE(Read(TrpcGet("mcp.events?batch=1"))->subscription());
  EXPECT_FALSE(Read(TrpcGet("mcp.status"))->subscription());
}

TEST(TrpcHeaders, SubscriptionsMayCarryTheirCredential) {
  TrpcTestRequest get = TrpcGet(
      "mcp.events?connectionParams=%7B%22authorization%22:%22Bearer%20k%22,%22a%22:%22%22%7D");
  EXPECT_FALSE(TrpcHeaders(get.view()).request().Has("Authorization"));  // no event stream
  get.headers = {{"Accept", "text/event-stream"}};
  EXPECT_EQ(TrpcHeaders(get.view()).request().Find("Authorization"), "Bearer k");
  get.headers.emplace_back("X-API-Key", "own");
  EXPECT_FALSE(TrpcHeaders(get.view()).request().Has("Authorization"));
  TrpcTestRequest broken = TrpcGet("mcp.events?connectionParams=%7B");
  broken.headers = {{"Accept", "text/event-stream"}};
  EXPECT_FALSE(TrpcHeaders(broken.view()).request().Has("Authorization"));
}

}  // namespace
}  // namespace toolpost::api
