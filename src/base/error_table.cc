// One row per Code.
#include "base/error_table.h"

#include <array>
#include <cstddef>

namespace toolpost::base {
namespace {

// JSON-RPC numbers of codes that normally travel as `isError` results or HTTP statuses are what a
// caller sees when a code has to be a JSON-RPC error after all. 2026-07-28 reserves -32002 and
// -32042, so its column never holds them.
// clang-format off
constexpr std::array kTable = {
    ErrorForms{Code::kParse, "PARSE_ERROR", -32700, -32700, "PARSE_ERROR", -32700, 400, 400, "VALIDATION_ERROR"},
    ErrorForms{Code::kInvalidRequest, "INVALID_REQUEST", -32600, -32600, "BAD_REQUEST", -32600, 400, 400, "VALIDATION_ERROR"},
    ErrorForms{Code::kMethodNotFound, "METHOD_NOT_FOUND", -32601, -32601, "NOT_FOUND", -32004, 404, 404, "NOT_FOUND"},
    ErrorForms{Code::kInvalidArgument, "INVALID_ARGUMENT", -32602, -32602, "BAD_REQUEST", -32600, 400, 400, "VALIDATION_ERROR"},
    ErrorForms{Code::kSessionGone, "SESSION_GONE", -32001, -32602, "PRECONDITION_FAILED", -32012, 412, 404, "INTERNAL_ERROR"},
    ErrorForms{Code::kResourceNotFound, "RESOURCE_NOT_FOUND", -32002, -32602, "NOT_FOUND", -32004, 404, 404, "NOT_FOUND"},
    ErrorForms{Code::kNotInitialized, "NOT_INITIALIZED", -32002, -32602, "PRECONDITION_FAILED", -32012, 412, 412, "INTERNAL_ERROR"},
    ErrorForms{Code::kUnauthenticated, "UNAUTHENTICATED", -32600, -32600, "UNAUTHORIZED", -32001, 401, 401, "UNAUTHORIZED"},
    ErrorForms{Code::kPermissionDenied, "PERMISSION_DENIED", -32600, -32600, "FORBIDDEN", -32003, 403, 403, "FORBIDDEN"},
    ErrorForms{Code::kNotFound, "NOT_FOUND", -32603, -32603, "NOT_FOUND", -32004, 404, 404, "NOT_FOUND"},
    ErrorForms{Code::kConflict, "CONFLICT", -32603, -32603, "CONFLICT", -32009, 409, 409, "VALIDATION_ERROR"},
    ErrorForms{Code::kExecutionFailed, "EXECUTION_FAILED", -32603, -32603, "UNPROCESSABLE_CONTENT", -32022, 422, 422, "VALIDATION_ERROR"},
    ErrorForms{Code::kTimeout, "TIMEOUT", -32603, -32603, "TIMEOUT", -32008, 408, 408, "INTERNAL_ERROR"},
    ErrorForms{Code::kTooLarge, "TOO_LARGE", -32603, -32603, "PAYLOAD_TOO_LARGE", -32013, 413, 413, "VALIDATION_ERROR"},
    ErrorForms{Code::kRateLimited, "RATE_LIMITED", -32603, -32603, "TOO_MANY_REQUESTS", -32029, 429, 429, "INTERNAL_ERROR"},
    ErrorForms{Code::kCancelled, "CANCELLED", -32603, -32603, "CLIENT_CLOSED_REQUEST", -32099, 499, 499, "INTERNAL_ERROR"},
    ErrorForms{Code::kUnavailable, "UNAVAILABLE", -32603, -32603, "SERVICE_UNAVAILABLE", -32603, 503, 503, "INTERNAL_ERROR"},
    ErrorForms{Code::kInternal, "INTERNAL", -32603, -32603, "INTERNAL_SERVER_ERROR", -32603, 500, 500, "INTERNAL_ERROR"},
    ErrorForms{Code::kUnsupportedVersion, "UNSUPPORTED_VERSION", -32022, -32022, "PRECONDITION_FAILED", -32012, 412, 400, "INTERNAL_ERROR"},
    ErrorForms{Code::kHeaderMismatch, "HEADER_MISMATCH", -32020, -32020, "BAD_REQUEST", -32600, 400, 400, "VALIDATION_ERROR"},
    ErrorForms{Code::kMethodNotAllowed, "METHOD_NOT_ALLOWED", -32600, -32600, "METHOD_NOT_SUPPORTED", -32005, 405, 405, "VALIDATION_ERROR"},
    ErrorForms{Code::kUnsupportedMedia, "UNSUPPORTED_MEDIA", -32600, -32600, "UNSUPPORTED_MEDIA_TYPE", -32015, 415, 415, "VALIDATION_ERROR"},
    ErrorForms{Code::kMissingCapability, "MISSING_CAPABILITY", -32021, -32021, "PRECONDITION_FAILED", -32012, 412, 400, "VALIDATION_ERROR"},
    ErrorForms{Code::kUrlElicitation, "URL_ELICITATION_REQUIRED", -32042, -32603, "PRECONDITION_FAILED", -32012, 412, 400, "INTERNAL_ERROR"},
    ErrorForms{Code::kInputRequired, "INPUT_REQUIRED", -32603, -32603, "INTERNAL_SERVER_ERROR", -32603, 500, 500, "INTERNAL_ERROR"},
};
// clang-format on

constexpr bool RowsFollowTheEnum() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].code != static_cast<Code>(i)) return false;
  }
  return kTable.back().code == Code::kInputRequired;
}
static_assert(RowsFollowTheEnum());

}  // namespace

const ErrorForms& FormsOf(Code code) {
  const auto index = static_cast<std::size_t>(code);
  return kTable[index < kTable.size() ? index : static_cast<std::size_t>(Code::kInternal)];
}

}  // namespace toolpost::base
