#include "base/error_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace toolpost::base {
namespace {

constexpr int kCodes = static_cast<int>(Code::kInputRequired) + 1;

TEST(ErrorTable, PRD_NFR_032_EveryCodeHasItsOwnCompleteRow) {
  std::set<std::string_view> names;
  for (int i = 0; i < kCodes; ++i) {
    const ErrorForms& forms = FormsOf(static_cast<Code>(i));
    EXPECT_EQ(forms.code, static_cast<Code>(i));
    EXPECT_TRUE(names.insert(forms.name).second) << forms.name;
    EXPECT_FALSE(forms.trpc_key.empty());
    EXPECT_FALSE(forms.todo_category.empty());
    EXPECT_GE(forms.http_status, 400);
    EXPECT_LT(forms.http_status, 600);
    for (const int number : {forms.json_rpc, forms.json_rpc_modern, forms.trpc_number}) {
      EXPECT_GE(number, -32768);
      EXPECT_LE(number, -32000);
    }
  }
}

TEST(ErrorTable, ModernRevisionNeverSeesWithdrawnNumbers) {
  for (int i = 0; i < kCodes; ++i) {
    const int number = FormsOf(static_cast<Code>(i)).json_rpc_modern;
    EXPECT_NE(number, -32001);
    EXPECT_NE(number, -32002);
    EXPECT_NE(number, -32042);
  }
}

TEST(ErrorTable, PRD_AC_001_4_JsonRpcNumbers) {
  EXPECT_EQ(FormsOf(Code::kParse).json_rpc, -32700);
  EXPECT_EQ(FormsOf(Code::kInvalidRequest).json_rpc, -32600);
  EXPECT_EQ(FormsOf(Code::kMethodNotFound).json_rpc, -32601);
  EXPECT_EQ(FormsOf(Code::kInvalidArgument).json_rpc, -32602);
  EXPECT_EQ(FormsOf(Code::kInternal).json_rpc, -32603);
  EXPECT_EQ(FormsOf(Code::kExecutionFailed).json_rpc, -32603);
  EXPECT_EQ(FormsOf(Code::kNotInitialized).json_rpc, -32002);
  EXPECT_EQ(FormsOf(Code::kSessionGone).json_rpc, -32001);
  EXPECT_EQ(FormsOf(Code::kResourceNotFound).json_rpc, -32002);
  EXPECT_EQ(FormsOf(Code::kResourceNotFound).json_rpc_modern, -32602);
  EXPECT_EQ(FormsOf(Code::kHeaderMismatch).json_rpc_modern, -32020);
  EXPECT_EQ(FormsOf(Code::kMissingCapability).json_rpc_modern, -32021);
  EXPECT_EQ(FormsOf(Code::kUnsupportedVersion).json_rpc_modern, -32022);
  EXPECT_EQ(FormsOf(Code::kUrlElicitation).json_rpc, -32042);
}

TEST(ErrorTable, OtherDoors) {
  EXPECT_EQ(FormsOf(Code::kUnauthenticated).http_status, 401);
  EXPECT_EQ(FormsOf(Code::kUnauthenticated).trpc_number, -32001);
  EXPECT_EQ(FormsOf(Code::kPermissionDenied).trpc_key, "FORBIDDEN");
  EXPECT_EQ(FormsOf(Code::kRateLimited).http_status, 429);
  EXPECT_EQ(FormsOf(Code::kMethodNotFound).todo_category, "NOT_FOUND");
}

// The keys, numbers and statuses @trpc/server 11 has.
TEST(ErrorTable, PRD_FR_019_3_TrpcFormsAreThoseOfTheReference) {
  struct Form {
    int number;
    int status;
  };
  const std::map<std::string_view, Form> reference = {{"PARSE_ERROR", {-32700, 400}},
                                                      {"BAD_REQUEST", {-32600, 400}},
                                                      {"UNAUTHORIZED", {-32001, 401}},
                                                      {"FORBIDDEN", {-32003, 403}},
                                                      {"NOT_FOUND", {-32004, 404}},
                                                      {"METHOD_NOT_SUPPORTED", {-32005, 405}},
                                                      {"TIMEOUT", {-32008, 408}},
                                                      {"CONFLICT", {-32009, 409}},
                                                      {"PRECONDITION_FAILED", {-32012, 412}},
                                                      {"PAYLOAD_TOO_LARGE", {-32013, 413}},
                                                      {"UNSUPPORTED_MEDIA_TYPE", {-32015, 415}},
                                                      {"UNPROCESSABLE_CONTENT", {-32022, 422}},
                                                      {"TOO_MANY_REQUESTS", {-32029, 429}},
                                                      {"CLIENT_CLOSED_REQUEST", {-32099, 499}},
                                                      {"INTERNAL_SERVER_ERROR", {-32603, 500}},
                                                      {"SERVICE_UNAVAILABLE", {-32603, 503}}};
  for (int i = 0; i < kCodes; ++i) {
    const ErrorForms& forms = FormsOf(static_cast<Code>(i));
    const auto known = reference.find(forms.trpc_key);
    ASSERT_NE(known, reference.end()) << forms.trpc_key;
    EXPECT_EQ(forms.trpc_number, known->second.number) << forms.trpc_key;
    EXPECT_EQ(forms.trpc_status, known->second.status) << forms.trpc_key;
  }
}

TEST(ErrorTable, ACodeOutsideTheEnumIsInternal) {
  EXPECT_EQ(FormsOf(static_cast<Code>(9'999)).code, Code::kInternal);
  EXPECT_EQ(FormsOf(static_cast<Code>(-1)).code, Code::kInternal);
}

}  // namespace
}  // namespace toolpost::base
