// Result<T>: a value or an Error. The one way failure travels between modules; no exception crosses
// a module border.
//
// The names follow std::expected, which C++20 lacks. `Error::message` is safe to show to the caller
// by construction: no secrets, no SQL text, no stack trace, no path outside the roots. Detail
// belongs in the log.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "toolpost/json.h"

namespace toolpost {

// What went wrong, by cause. `base/error_table.h` turns a code into its JSON-RPC, tRPC, HTTP and
// todo forms.
enum class Code {
  kParse,               // not JSON
  kInvalidRequest,      // JSON, but not a valid message
  kMethodNotFound,      // unknown method, or one whose capability is not offered
  kInvalidArgument,     // parameters or tool arguments are wrong
  kSessionGone,         // the session id is unknown, ended or expired
  kResourceNotFound,    // resources/read of something that is not there
  kNotInitialized,      // a call before `initialize`
  kUnauthenticated,     // no or bad credentials
  kPermissionDenied,    // known caller, not allowed
  kNotFound,            // the thing a tool was asked for does not exist
  kConflict,            // the state of the thing does not allow it
  kExecutionFailed,     // what the caller gave to be run, such as a statement, failed
  kTimeout,             // the deadline passed
  kTooLarge,            // input or output above a limit
  kRateLimited,         // too many calls
  kCancelled,           // the caller cancelled; no reply is sent
  kUnavailable,         // busy, draining, or a dependency is down: try again
  kInternal,            // our fault; detail is in the log under the request id
  kUnsupportedVersion,  // protocol revision not served
  kHeaderMismatch,      // HTTP headers contradict the message
  kMethodNotAllowed,    // the HTTP method does not fit what was asked for
  kUnsupportedMedia,    // the content type is not understood
  kMissingCapability,   // the client did not declare what the call needs
  kUrlElicitation,      // a URL must be visited first (2025-11-25)
  kInputRequired,       // internal: a handler stopped to ask the client (see CallContext::Ask)
};

// The seven error names and numbers the PRD fixes (7.5), for callers that speak in numbers.
enum class McpErrorCode : int {
  PARSE_ERROR = -32700,
  INVALID_REQUEST = -32600,
  METHOD_NOT_FOUND = -32601,
  INVALID_PARAMS = -32602,
  INTERNAL_ERROR = -32603,
  SERVER_NOT_INITIALIZED = -32002,
  UNKNOWN_ERROR_CODE = -32001,
};

struct Error {
  Code code = Code::kInternal;
  std::string message;
  Json data;              // null when there is nothing to add
  bool verbatim = false;  // an adapter's error that is relayed unmodified (requirements D9)

  static Error Parse(std::string message) { return {Code::kParse, std::move(message), {}}; }
  static Error InvalidRequest(std::string message) {
    return {Code::kInvalidRequest, std::move(message), {}};
  }
  static Error MethodNotFound(std::string_view method) {
    return {Code::kMethodNotFound, "Method not found: " + std::string(method), {}};
  }
  static Error InvalidParams(std::string message, Json data = {}) {
    return {Code::kInvalidArgument, std::move(message), std::move(data)};
  }
  static Error NotInitialized() {
    return {Code::kNotInitialized, "Server not initialized: send initialize first", {}};
  }
  static Error ExecutionFailed(std::string message, Json data = {}) {
    return {Code::kExecutionFailed, std::move(message), std::move(data)};
  }
  static Error NotFound(std::string message) { return {Code::kNotFound, std::move(message), {}}; }
  static Error Internal(std::string message) { return {Code::kInternal, std::move(message), {}}; }
  static Error Unavailable(std::string message) {
    return {Code::kUnavailable, std::move(message), {}};
  }
  static Error Cancelled() { return {Code::kCancelled, "Cancelled", {}}; }
  // An error of an outside system that must reach the caller exactly as it was thrown.
  static Error Verbatim(std::string message, Json structure) {
    return {Code::kInternal, std::move(message), std::move(structure), true};
  }
};

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return Checked(); }
  T&& value() && { return std::move(Checked()); }
  const T& value() const& { return const_cast<Result*>(this)->Checked(); }
  T& operator*() & { return Checked(); }
  T&& operator*() && { return std::move(Checked()); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &Checked(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return const_cast<Result*>(this)->CheckedError(); }
  Error&& error() && { return std::move(CheckedError()); }

 private:
  T& Checked() {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  Error& CheckedError() {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}

  bool has_value() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace toolpost

#define TOOLPOST_CONCAT_INNER(a, b) a##b
#define TOOLPOST_CONCAT(a, b) TOOLPOST_CONCAT_INNER(a, b)
#define TOOLPOST_ASSIGN_OR_RETURN(result, declaration, expression) \
  auto result = (expression);                                      \
  if (!result) return std::move(result).error();                   \
  declaration = *std::move(result)

// `ASSIGN_OR_RETURN(auto x, Call());` declares x from the value, or returns the error.
#define ASSIGN_OR_RETURN(declaration, ...) \
  TOOLPOST_ASSIGN_OR_RETURN(TOOLPOST_CONCAT(result_at_, __LINE__), declaration, (__VA_ARGS__))

// `RETURN_IF_ERROR(Call());` for results whose value is not needed.
#define RETURN_IF_ERROR(...)                                         \
  do {                                                               \
    auto result_to_check = (__VA_ARGS__);                            \
    if (!result_to_check) return std::move(result_to_check).error(); \
  } while (false)
