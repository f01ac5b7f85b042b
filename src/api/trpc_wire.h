// What tRPC v11 puts on the wire: envelopes, errors, the lines of a streaming batch. Pure
// functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "toolpost/json.h"
#include "toolpost/result.h"

namespace toolpost::api {

inline constexpr std::string_view kTrpcVary = "Vary: trpc-accept, accept\r\n";

// The HTTP status tRPC gives an error.
int TrpcStatusOf(const Error& error);

// `{"message":…,"code":…,"data":{…}}`. Broken rules of an input become `data.issues`.
std::string TrpcErrorShape(const Error& error, std::optional<std::string_view> path);
// `{"error":{…}}`.
std::string TrpcErrorEnvelope(const Error& error, std::optional<std::string_view> path);

// The first line of a streaming batch: every call a promise.
std::string TrpcStreamHead(std::size_t calls);
// The line that fulfils the promise of call `index`.
std::string TrpcStreamLine(std::size_t index, std::string_view envelope);

}  // namespace toolpost::api
