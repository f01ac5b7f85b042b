#include "api/trpc_wire.h"

#include <gtest/gtest.h>

namespace toolpost::api {
namespace {

TEST(TrpcWire, ErrorsHaveTheShapeOfTheReference) {
  EXPECT_EQ(TrpcErrorEnvelope(Error::NotFound("no \"x\""), "mcp.nf"),
            R"({"error":{"message":"no \"x\"","code":-32004,"data":{"code":"NOT_FOUND",)"
            R"("httpStatus":404,"path":"mcp.nf"}}})");
  EXPECT_EQ(TrpcErrorShape(Error::InvalidRequest("m"), {}),
            R"({"message":"m","code":-32600,"data":{"code":"BAD_REQUEST","httpStatus":400}})");
  EXPECT_EQ(TrpcStatusOf(Error::Cancelled()), 499);
}

TEST(TrpcWire, PRD_FR_019_2_BrokenRulesAreIssues) {
  const Error error = Error::InvalidParams("m", JsonArray{{{"path", "/a"}}});
  EXPECT_EQ(TrpcErrorShape(error, "p"),
            R"({"message":"m","code":-32600,"data":{"code":"BAD_REQUEST","httpStatus":400,)"
            R"("path":"p","issues":[{"path":"/a"}]}})");
  // Data of other errors is for other doors.
  const Error limited{Code::kRateLimited, "m", JsonArray{1}};
  EXPECT_EQ(
      TrpcErrorShape(limited, {}),
      R"({"message":"m","code":-32029,"data":{"code":"TOO_MANY_REQUESTS","httpStatus":429}})");
}

TEST(TrpcWire, LinesOfAStreamingBatch) {
  EXPECT_EQ(TrpcStreamHead(2), "{\"0\":[[0],[null,0,0]],\"1\":[[0],[null,0,1]]}\n");
  EXPECT_EQ(TrpcStreamLine(1, R"({"result":{}})"), "[1,0,[[{\"result\":{}}]]]\n");
}

}  // namespace
}  // namespace toolpost::api
