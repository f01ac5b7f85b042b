// The one table that turns a Code into its forms on every door (reference: code-style.md 5.4).
#pragma once

#include <string_view>

#include "toolpost/result.h"

namespace toolpost::base {

struct ErrorForms {
  Code code;
  std::string_view name;      // "NOT_FOUND": logs and metrics
  int json_rpc;               // legacy revisions and the controller
  int json_rpc_modern;        // 2026-07-28
  std::string_view trpc_key;  // "NOT_FOUND"
  int trpc_number;
  int trpc_status;  // the HTTP status tRPC gives its key
  int http_status;
  std::string_view todo_category;
};

// Never fails: every enumerator has a row (checked by a test).
const ErrorForms& FormsOf(Code code);

}  // namespace toolpost::base
