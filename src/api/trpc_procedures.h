// The tRPC router: one row per procedure. What a row leads to is a tool, and everything about the
// call (policy, limits, argument check, audit) is the registry's.
#pragma once

#include <span>
#include <string_view>

namespace toolpost::api {

enum class TrpcKind { kQuery, kMutation, kSubscription };

// "query", "mutation", "subscription".
std::string_view NameOf(TrpcKind kind);

struct TrpcProcedure {
  std::string_view path;  // "mcp.file.read"
  TrpcKind kind;
  std::string_view output;  // TypeScript name of what it gives
  std::string_view tool;    // canonical id; empty: the input names it, or, for subscriptions, none
  bool takes_input = true;
  std::string_view fixed{};  // argument that is always true
};

// By path.
std::span<const TrpcProcedure> TrpcProcedures();
// Null if there is none.
const TrpcProcedure* FindTrpcProcedure(std::string_view path);

}  // namespace toolpost::api
